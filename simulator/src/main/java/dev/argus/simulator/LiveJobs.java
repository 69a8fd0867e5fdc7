package dev.argus.simulator;

import dev.argus.simulator.JobModel.Sharding;
import dev.argus.simulator.Layout.Dimension;
import java.util.Arrays;
import java.util.Set;

/** Jobs for {@link LiveSimulation}: a large layout, and few but long kernels, so that thousands of ranks are followed at little cost. */
public final class LiveJobs {
    private static final int GPUS = 8;
    private static final int STAGES = 2;
    private static final int FIRST_FAULT = 12;
    private static final int FAULT_STEPS = 8;
    private static final int HIDDEN = 8192;
    private static final int SEQUENCE = 8192;
    private static final int VOCABULARY = 8192;
    private static final double TOKENS_PER_SECOND = 1.05e5;

    /** GPUs of the older generation: without sequence parallelism a layer has half as many collectives. */
    private static final double SPEED = 0.45;

    private LiveJobs() {}

    /**
     * A job of two pipeline stages with tensor parallelism inside hosts of eight GPUs. A kernel of it stands for all of its kind of many layers: about
     * 70 operations of the GPU a step.
     *
     * @param ranks GPUs, a multiple of 16, at least 32
     * @param stepSeconds about how long a step takes
     */
    public static Scenario few(int ranks, long seed, double stepSeconds) {
        return builder(ranks, seed, stepSeconds).steps(0, 0).build();
    }

    /**
     * The same job over some steps, with three ranks whose clocks are slow for eight steps each, one after the other, the first from step 12 on: to be recorded at once.
     *
     * @param steps from step 0 on
     */
    public static Scenario recorded(int ranks, long seed, double stepSeconds, int steps) {
        Scenario.Builder builder = builder(ranks, seed, stepSeconds).steps(0, steps - 1);
        for (int i = 0; i < 3; i++) {
            int from = FIRST_FAULT + 2 * FAULT_STEPS * i;
            builder.fault(new Fault.SlowClock(
                    new int[] {(int) ((seed * 31 + 7 + (long) ranks * (2 * i + 1) / 7) % ranks)},
                    1.6,
                    false,
                    When.always(from, from + FAULT_STEPS - 1)));
        }
        return builder.build();
    }

    private static Scenario.Builder builder(int ranks, long seed, double stepSeconds) {
        if (ranks < 2 * GPUS * STAGES || ranks % (GPUS * STAGES) != 0) {
            throw new IllegalArgumentException(
                    ranks + " ranks, must be a multiple of " + GPUS * STAGES + " from " + 2 * GPUS * STAGES);
        }
        Layout layout = Layout.builder()
                .size(Dimension.TP, GPUS)
                .size(Dimension.DP, ranks / GPUS / STAGES)
                .size(Dimension.PP, STAGES)
                .gpusPerHost(GPUS)
                .hostNames(1, seed)
                .build();
        int[] layers = new int[STAGES];
        Arrays.fill(layers, 1);
        JobModel model = new JobModel(
                HIDDEN,
                SEQUENCE,
                (int) (TOKENS_PER_SECOND * stepSeconds),
                VOCABULARY,
                layers,
                1,
                STAGES,
                Sharding.ZERO1,
                false,
                1,
                Set.of(),
                (long) (3e8 * stepSeconds),
                false,
                (long) (2e6 * stepSeconds),
                (long) (15e6 * stepSeconds),
                (long) (10e6 * stepSeconds),
                SPEED,
                true);
        return Scenario.builder(layout, model)
                .name("live")
                .seed(seed)
                .noise(NoiseLevel.QUIET)
                .dialect(Dialect.PLAIN);
    }
}
