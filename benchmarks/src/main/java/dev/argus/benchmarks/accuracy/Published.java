package dev.argus.benchmarks.accuracy;

import dev.argus.simulator.Disturbance;
import dev.argus.simulator.Fault;
import dev.argus.simulator.GroupKind;
import dev.argus.simulator.JobModel;
import dev.argus.simulator.JobModel.Sharding;
import dev.argus.simulator.KernelFamily;
import dev.argus.simulator.Layout;
import dev.argus.simulator.Layout.Dimension;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.When;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Situations that the published ARGUS system (arXiv:2606.20374) reports from production, each at its size and once more small
 * enough for a test. The shape of the job is ours: only what is named is published. Models have few layers, for a layer more
 * repeats what another tells.
 */
public enum Published {
    /** All ranks of the replica are slow alike, so nothing inside its own tensor group or pipeline stands out. */
    ATTENTION("attention", "self_attention 150x slower in one data-parallel replica") {
        @Override
        Scenario.Builder job(boolean full) {
            Layout layout = Layout.builder()
                    .size(Dimension.TP, 4)
                    .size(Dimension.DP, full ? 512 : 16)
                    .size(Dimension.PP, 2)
                    .build();
            int replica = full ? 333 : 11;
            int[] ranks = IntStream.range(0, layout.world())
                    .filter(r -> layout.coordinate(r, Dimension.DP) == replica)
                    .toArray();
            return builder(layout, model(new int[] {1, 1}, 2, false))
                    .fault(new Fault.SlowFamily(ranks, KernelFamily.ATTENTION, 150, When.always(FIRST, LAST)));
        }
    },

    /** From the first step to the last: no step differs from another. Nobody can tell the members of the group apart. */
    EXPERT_GROUP("expert-group", "a slow expert-data-parallel group, step time steady") {
        @Override
        Scenario.Builder job(boolean full) {
            Layout layout = Layout.builder()
                    .size(Dimension.DP, full ? 512 : 128)
                    .expert(8)
                    .build();
            int rank = layout.group(full ? 300 : 77, GroupKind.EXPERT_DATA).rank(full ? 17 : 5);
            return builder(layout, model(new int[] {4}, 1, true))
                    .disturbance(new Disturbance.HotExpert(1.2, 1, 0.04))
                    .fault(new Fault.SlowRail(rank, 4, When.always(FIRST, LAST)));
        }
    },

    /** The same group slow by its own work: the kernels of its experts, at as many tokens as the others have. */
    EXPERT_WORK("expert-work", "a slow expert-data-parallel group, by its own work") {
        @Override
        Scenario.Builder job(boolean full) {
            Layout layout = Layout.builder()
                    .size(Dimension.DP, full ? 512 : 128)
                    .expert(8)
                    .build();
            int[] ranks = layout.group(full ? 300 : 77, GroupKind.EXPERT_DATA).ranks();
            return builder(layout, model(new int[] {4}, 1, true))
                    .disturbance(new Disturbance.HotExpert(1.2, 1, 0.04))
                    .fault(new Fault.SlowFamily(ranks, KernelFamily.EXPERT, 1.6, When.always(FIRST, LAST)));
        }
    },

    /** Gradient synchronisation makes the totals of all ranks equal: only own work tells. */
    LAST_STAGE("last-stage", "backward of the last of 4 pipeline stages 1.9x on one rank, totals aligned") {
        @Override
        Scenario.Builder job(boolean full) {
            Layout layout = Layout.builder()
                    .size(Dimension.TP, 2)
                    .size(Dimension.DP, full ? 512 : 16)
                    .size(Dimension.PP, 4)
                    .build();
            int rank = layout.world() - (full ? 399 : 13);
            return builder(layout, model(new int[] {1, 1, 1, 1}, 4, false))
                    .fault(new Fault.SlowBackward(new int[] {rank}, 1.9, When.always(FIRST, LAST)));
        }
    },

    /** Two ranks compile, one of them twice, each time for 40 passes of their model; nothing says why their GPUs idle. */
    RARE_JIT("rare-jit", "rare 40x JIT stalls") {
        @Override
        Scenario.Builder job(boolean full) {
            Layout layout = Layout.builder()
                    .size(Dimension.TP, 4)
                    .size(Dimension.DP, full ? 1024 : 32)
                    .build();
            int[] one = {full ? 2718 : 85};
            int[] other = {full ? 31 : 14};
            When twice = new When(FIRST + 2, FIRST + 5, 0b1001);
            return builder(layout, model(new int[] {2}, 4, false))
                    .fault(new Fault.Stalls(Fault.Stall.JIT, one, 40 * PASS_NANOS, 0.3, false, twice))
                    .fault(new Fault.Stalls(Fault.Stall.JIT, other, 40 * PASS_NANOS, 0.6, false, When.once(FIRST + 4)));
        }
    },

    /** Its experts' products are slow: it comes last to the reduction of gradients, whose kernel is short there, long elsewhere. */
    SHORT_REDUCE("short-reduce", "a straggler in the MoE mlp, seen by its short reduce-scatter") {
        @Override
        Scenario.Builder job(boolean full) {
            Layout layout = Layout.builder()
                    .size(Dimension.TP, 2)
                    .size(Dimension.DP, full ? 3240 : 48)
                    .size(Dimension.PP, 2)
                    .expert(8)
                    .build();
            int[] rank = {full ? 9001 : 133};
            return builder(layout, model(new int[] {2, 2}, 2, true))
                    .disturbance(new Disturbance.HotExpert(1.2, 1, 0.04))
                    .fault(new Fault.SlowFamily(rank, KernelFamily.EXPERT, 1.6, When.always(FROM, LAST)));
        }
    };

    private static final int FIRST = 20;
    private static final int FROM = 22;
    private static final int LAST = 27;
    private static final long SEED = 2606;

    /** A forward pass of one microbatch. */
    private static final long PASS_NANOS = 2_000_000;

    private final String word;
    private final String sentence;

    Published(String word, String sentence) {
        this.word = word;
        this.sentence = sentence;
    }

    /** Short name. */
    public String word() {
        return word;
    }

    /** What is published. */
    public String sentence() {
        return sentence;
    }

    /** The job: at the published size, or small. */
    public Scenario scenario(boolean full) {
        return job(full).build();
    }

    abstract Scenario.Builder job(boolean full);

    static Scenario.Builder builder(Layout layout, JobModel model) {
        return Scenario.builder(layout, model).seed(SEED).steps(FIRST, LAST);
    }

    static JobModel model(int[] layers, int microbatches, boolean moe) {
        return new JobModel(
                4096,
                4096,
                4096,
                32_768,
                Arrays.copyOf(layers, layers.length),
                1,
                microbatches,
                Sharding.ZERO1,
                moe,
                2,
                Set.of(),
                262_144,
                false,
                5_000,
                80_000,
                400_000,
                1,
                false);
    }
}
