package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.DurationSummary;
import dev.argus.model.Gap;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.ParallelGroup;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.RankSet;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import dev.argus.model.StreamKernel;
import dev.argus.model.Topology;
import dev.argus.stats.BinnedSample;
import dev.argus.stats.LogBins;
import dev.argus.stats.PositionGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleBiFunction;

/**
 * A seeded data-parallel (or pipelined) job as digests and kernel summaries, without traces.
 *
 * <p>Healthy: GPUs differ lastingly by a standard deviation of 0.5 %, kernels by 0.4 % from step to step, gaps have a heavy
 * tail. All members of a group meet in {@value #MEETINGS} all-reduces a step: who comes late has the shortest, and the step of
 * all lasts as long as the slowest needs. Faults are edits of single cells (rank, step) before that.
 */
final class FakeJob {
    static final int MEETINGS = 4;
    static final double MILLI = 1e6;

    /** A kernel: its name decides what limits it. */
    record Kernel(String name, double nanos, int count) {
        double total() {
            return nanos * count;
        }
    }

    static final List<Kernel> KERNELS = List.of(
            new Kernel("sm90_xmma_gemm_bf16bf16_tn", 400_000, 60),
            new Kernel("nvjet_tst_256x128", 300_000, 40),
            new Kernel("flash_fwd_kernel", 500_000, 24),
            new Kernel("flash_bwd_kernel", 700_000, 24),
            new Kernel("vectorized_elementwise_kernel", 60_000, 150),
            new Kernel("layer_norm_kernel", 50_000, 80),
            new Kernel("multi_tensor_apply_kernel", 900_000, 8));

    /** One rank in one step, before the ranks meet. */
    final class Cell {
        final int rank;
        final long step;
        final double[] kernel = new double[KERNELS.size()];
        double work = 1;

        /** Kernels with this word in their name have the same grid whatever there is to do. */
        String fixedGrid = "";

        double copyMillis = 1.5;

        /** Copies from the device, of which no bytes are known. */
        double readBackMillis;

        double bytes = 1 << 24;
        double tokens = 1;

        /** CPU time for each kernel launched, against the others. */
        double launch = 1;

        /** The GPU is idle before each of many launches, never for long. */
        double scatteredMillis;

        double kernelsRun = 1;
        double checkpointMillis;
        double evaluationMillis;
        double cpuMillis = 80;
        double dataMillis = 0.5;
        boolean missing;
        boolean partial;
        boolean forwardUnseen;

        /** No kernel is known to belong to forward or backward, only to the optimizer. */
        boolean optimizerAlone;

        final List<Gap> gaps = new ArrayList<>();

        Cell(int rank, long step) {
            this.rank = rank;
            this.step = step;
            Arrays.fill(kernel, 1);
        }

        /** All kernels last that much longer. */
        void compute(double factor) {
            for (int k = 0; k < kernel.length; k++) {
                kernel[k] *= factor;
            }
            cpuMillis *= factor;
        }

        /** Kernels with this word in their name last that much longer. */
        void kernels(String word, double factor) {
            for (int k = 0; k < kernel.length; k++) {
                kernel[k] *= KERNELS.get(k).name().contains(word) ? factor : 1;
            }
        }

        /** Kernels the memory limits last that much longer. */
        void memory(double factor) {
            for (int k = 0; k < kernel.length; k++) {
                kernel[k] *= KernelFamilies.isArithmetic(KERNELS.get(k).name()) ? 1 : factor;
            }
        }

        /** Kernels the arithmetic units limit last that much longer. */
        void arithmetic(double factor) {
            for (int k = 0; k < kernel.length; k++) {
                kernel[k] *= KernelFamilies.isArithmetic(KERNELS.get(k).name()) ? factor : 1;
            }
        }

        /** The GPU is idle; an empty cover: nothing says what the CPU did. */
        void gap(double millis, boolean beforeInput, String cover) {
            int id = cover.isEmpty() ? -1 : names.id(cover);
            gaps.add(new Gap(0, (long) (millis * MILLI), true, beforeInput, false, id, SpanKind.PYTHON));
        }

        /** A rank without GPU is away from its training. */
        void away(double millis, SpanKind kind, String name) {
            gaps.add(new Gap(0, (long) (millis * MILLI), true, false, false, names.id(name), kind));
        }

        private double computeNanos() {
            if (!gpu) {
                return cpuMillis * MILLI;
            }
            double sum = 0;
            for (int k = 0; k < kernel.length; k++) {
                sum += kernel[k] * KERNELS.get(k).total();
            }
            return sum;
        }

        private double idleNanos() {
            return gaps.stream().mapToLong(Gap::durationNanos).sum() + (gpu ? scatteredMillis : dataMillis) * MILLI;
        }

        private double ownNanos() {
            return computeNanos()
                    + (copyMillis + readBackMillis) * MILLI
                    + idleNanos()
                    + (checkpointMillis + evaluationMillis) * MILLI;
        }
    }

    final NameTable names = new NameTable();
    final int ranks;
    private final long seed;
    private int ranksPerHost = 8;
    private int stages = 1;
    private long firstStep = 100;
    private int steps = 20;
    private boolean gpu = true;
    private double spread = 0.005;
    private double noise = 0.004;
    private boolean wandering;
    private boolean marked = true;
    private long launchNanos;
    private boolean blindExperts;
    private Thresholds thresholds = Thresholds.DEFAULT;
    private Consumer<Cell> fault = c -> {};
    private ToDoubleBiFunction<RankSet, Long> linkFactor = (group, step) -> 1;
    private ToDoubleBiFunction<RankSet, Long> pairFactor = (pair, step) -> 1;
    private RankSet otherModel = RankSet.EMPTY;
    private double[] lasting = new double[0];
    private final List<ParallelGroup> more = new ArrayList<>();
    private Topology topology = Topology.UNKNOWN;

    private FakeJob(int ranks, long seed) {
        this.ranks = ranks;
        this.seed = seed;
    }

    static FakeJob of(int ranks, long seed) {
        return new FakeJob(ranks, seed);
    }

    FakeJob perHost(int count) {
        ranksPerHost = count;
        return this;
    }

    FakeJob stages(int count) {
        stages = count;
        return this;
    }

    FakeJob steps(long first, int count) {
        firstStep = first;
        steps = count;
        return this;
    }

    FakeJob withoutGpu() {
        gpu = false;
        return this;
    }

    /** These ranks run on GPUs of another model. */
    FakeJob otherModel(RankSet on) {
        otherModel = on;
        return this;
    }

    /** Work that differs from step to step, each rank in its turn. */
    FakeJob wandering() {
        wandering = true;
        return this;
    }

    /** No phase is marked, but launches are recorded; 0: not even these; -1: too few to tell a pace. */
    FakeJob withoutPhases(long nanosBetweenLaunches) {
        marked = false;
        launchNanos = nanosBetweenLaunches;
        return this;
    }

    FakeJob quiet() {
        spread = 0;
        noise = 0.001;
        return this;
    }

    /** One kernel is the grouped product of experts, and nothing tells how many tokens they get. */
    FakeJob blindExperts() {
        blindExperts = true;
        return this;
    }

    private String name(Kernel kernel) {
        return blindExperts && kernel.name().startsWith("nvjet")
                ? "device_kernel<GemmGrouped<256x128>>"
                : kernel.name();
    }

    FakeJob thresholds(Thresholds value) {
        thresholds = value;
        return this;
    }

    FakeJob fault(Consumer<Cell> edit) {
        fault = fault.andThen(edit);
        return this;
    }

    /** One rank from a step on. */
    FakeJob fault(int rank, long from, Consumer<Cell> edit) {
        return fault(c -> {
            if (c.rank == rank && c.step >= from) {
                edit.accept(c);
            }
        });
    }

    /** Transfers of a group are longer by a factor. */
    FakeJob links(ToDoubleBiFunction<RankSet, Long> factor) {
        linkFactor = factor;
        return this;
    }

    /** Transfers between two ranks of neighbouring stages are longer by a factor. */
    FakeJob pairs(ToDoubleBiFunction<RankSet, Long> factor) {
        pairFactor = factor;
        return this;
    }

    /** A group on top of the usual ones. */
    FakeJob group(String dimension, RankSet members) {
        more.add(new ParallelGroup(dimension, members));
        return this;
    }

    FakeJob topology(Topology known) {
        topology = known;
        return this;
    }

    String host(int rank) {
        return "host" + rank / ranksPerHost;
    }

    /** Groups of the shape: per stage all its ranks (and by host), per position the ranks of all stages. */
    private List<ParallelGroup> groups() {
        List<ParallelGroup> list = new ArrayList<>();
        int perStage = ranks / stages;
        for (int s = 0; s < stages; s++) {
            list.add(new ParallelGroup("dp", RankSet.range(s * perStage, (s + 1) * perStage - 1)));
        }
        for (int h = 0; h * ranksPerHost < ranks; h++) {
            list.add(new ParallelGroup(
                    "tp", RankSet.range(h * ranksPerHost, Math.min(ranks, (h + 1) * ranksPerHost) - 1)));
        }
        for (int i = 0; i < ranksPerHost && ranks > ranksPerHost; i++) {
            for (int h = 0; (h + 2) * ranksPerHost <= ranks; h += 2) {
                list.add(new ParallelGroup("ep", RankSet.of(h * ranksPerHost + i, (h + 1) * ranksPerHost + i)));
            }
            for (int h = 1; (h + 2) * ranksPerHost <= ranks; h += 2) {
                list.add(new ParallelGroup("cp", RankSet.of(h * ranksPerHost + i, (h + 1) * ranksPerHost + i)));
            }
        }
        if (stages > 1) {
            list.add(new ParallelGroup("pp", RankSet.range(0, ranks - 1)));
        }
        list.addAll(more);
        return list;
    }

    JobShape shape() {
        List<ParallelGroup> groups = groups();
        Map<Integer, Map<Integer, Integer>> groupOf = new HashMap<>();
        Map<Integer, String> hosts = new HashMap<>();
        Map<Integer, Integer> gpus = new HashMap<>();
        Map<Integer, String> models = new TreeMap<>();
        for (int r = 0; r < ranks; r++) {
            Map<Integer, Integer> own = new HashMap<>();
            for (int g = 0; g < groups.size(); g++) {
                if (groups.get(g).ranks().contains(r)) {
                    own.put(names.id("pg-" + g), g);
                }
            }
            groupOf.put(r, own);
            hosts.put(r, host(r));
            gpus.put(r, r % ranksPerHost);
            models.put(r, otherModel.contains(r) ? "A100" : "H100");
        }
        List<RankSet> peers = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        for (int s = 0; s < stages; s++) {
            peers.add(groups.get(s).ranks());
            labels.add(stages == 1 ? "all ranks" : "stage " + s);
        }
        return new JobShape(
                0, ranks, RankSet.range(0, ranks - 1), hosts, gpus, models, topology, groups, groupOf, peers, labels);
    }

    Thresholds thresholds() {
        return thresholds;
    }

    /** What all ranks report, step by step: {@link StepDigest} and {@link KernelWindow}. */
    List<Record> records() {
        Random random = new Random(seed);
        lasting = new double[ranks];
        for (int r = 0; r < ranks; r++) {
            lasting[r] = 1 + spread * random.nextGaussian();
        }
        List<Record> out = new ArrayList<>();
        long clock = 1_700_000_000_000_000_000L;
        for (long step = firstStep; step < firstStep + steps; step++) {
            clock += step(step, clock, random, out);
        }
        return out;
    }

    private long step(long step, long clock, Random random, List<Record> out) {
        Cell[] cells = new Cell[ranks];
        for (int r = 0; r < ranks; r++) {
            Cell c = new Cell(r, step);
            c.compute(lasting[r] * (wandering ? 1 + 0.12 * random.nextDouble() : 1));
            for (int k = 0; k < c.kernel.length; k++) {
                c.kernel[k] *= 1 + noise * random.nextGaussian();
            }
            c.cpuMillis *= 1 + noise * random.nextGaussian();
            // Pareto with a heavy tail: rarely some milliseconds.
            double pause = 0.4 / Math.pow(1 - random.nextDouble(), 0.5);
            if (gpu) {
                c.gap(Math.min(6, pause), false, "");
            }
            fault.accept(c);
            cells[r] = c;
        }
        List<ParallelGroup> groups = groups();
        double[] comm = new double[ranks];
        List<List<CollectiveStat>> collectives = new ArrayList<>();
        for (int r = 0; r < ranks; r++) {
            List<CollectiveStat> list = new ArrayList<>();
            for (int g = 0; g < groups.size(); g++) {
                if (groups.get(g).ranks().contains(r)) {
                    list.addAll(meet(cells, groups.get(g), g, r, step));
                }
            }
            for (CollectiveStat c : list) {
                comm[r] += c.exposedNanos();
            }
            collectives.add(list);
        }
        double duration = 0;
        for (int r = 0; r < ranks; r++) {
            duration = cells[r].missing ? duration : Math.max(duration, cells[r].ownNanos() + comm[r]);
        }
        for (int r = 0; r < ranks; r++) {
            if (!cells[r].missing) {
                out.add(digest(cells[r], clock, (long) duration, comm[r], collectives.get(r)));
                summaries(cells[r], random, out);
            }
        }
        return (long) duration;
    }

    /** The collectives of one rank in one group: only "dp" groups wait, for the others all arrive together. */
    private List<CollectiveStat> meet(Cell[] cells, ParallelGroup group, int index, int rank, long step) {
        int name = names.id("pg-" + index);
        if (group.dimension().equals("pp")) {
            return pipeline(rank, name, step);
        }
        boolean waits = group.dimension().equals("dp");
        double late = 0;
        for (int r : group.ranks().toArray()) {
            late = cells[r].missing ? late : Math.max(late, cells[r].ownNanos());
        }
        double wait = waits ? late - cells[rank].ownNanos() : 0;
        double transfer = (waits ? 1.2 : 0.8) * MILLI * linkFactor.applyAsDouble(group.ranks(), step);
        List<CollectiveStat> list = new ArrayList<>();
        if (waits && !blindExperts) {
            long payload = (long) ((1 << 20) * cells[rank].tokens);
            list.add(new CollectiveStat(
                    CollectiveOp.ALL_TO_ALL_V, name, step * MEETINGS - 1, payload, -1, 20, 0, 1000, 1000, false));
        }
        for (int i = 0; i < MEETINGS; i++) {
            long nanos = (long) (transfer + wait / MEETINGS);
            long bytes = 1L << (waits ? 26 : 24);
            list.add(new CollectiveStat(
                    CollectiveOp.ALL_REDUCE, name, step * MEETINGS + i, bytes, -1, 20, i, nanos, nanos, false));
        }
        return list;
    }

    private List<CollectiveStat> pipeline(int rank, int name, long step) {
        int perStage = ranks / stages;
        List<CollectiveStat> list = new ArrayList<>();
        for (int other : new int[] {rank - perStage, rank + perStage}) {
            if (other < 0 || other >= ranks) {
                continue;
            }
            long nanos = (long) (0.5 * MILLI * pairFactor.applyAsDouble(RankSet.of(rank, other), step));
            for (CollectiveOp op : List.of(CollectiveOp.SEND, CollectiveOp.RECV)) {
                long own = op == CollectiveOp.RECV ? nanos + 300_000 : nanos;
                list.add(new CollectiveStat(op, name, -1, 1 << 22, other, 21, 50, own, own, false));
            }
        }
        return list;
    }

    private StepDigest digest(Cell c, long clock, long duration, double comm, List<CollectiveStat> collectives) {
        double compute = c.computeNanos();
        double late = c.gaps.stream()
                        .filter(Gap::hostLate)
                        .mapToLong(Gap::durationNanos)
                        .sum()
                + c.scatteredMillis * MILLI;
        double launching = gpu ? c.launch * 50 * MILLI : compute;
        List<PhaseTime> phases = new ArrayList<>();
        if (marked && !c.forwardUnseen) {
            phases.add(new PhaseTime(
                    Phase.FORWARD, (long) (launching * 0.33), c.optimizerAlone ? 0 : (long) (compute * 0.33)));
        }
        if (marked) {
            phases.add(new PhaseTime(
                    Phase.BACKWARD, (long) (launching * 0.6), c.optimizerAlone ? 0 : (long) (compute * 0.6)));
        }
        phases.add(new PhaseTime(Phase.OPTIMIZER, (long) (compute * 0.07), (long) (compute * 0.07)));
        if (c.checkpointMillis > 0) {
            phases.add(new PhaseTime(Phase.CHECKPOINT, (long) (c.checkpointMillis * MILLI), 0));
        }
        if (c.evaluationMillis > 0) {
            phases.add(new PhaseTime(Phase.EVALUATION, (long) (c.evaluationMillis * MILLI), 0));
        }
        double idle = c.idleNanos() + (gpu ? (c.checkpointMillis + c.evaluationMillis) * MILLI : 0);
        List<Gap> gaps = new ArrayList<>();
        for (Gap g : c.gaps) {
            long start = clock + duration / 3;
            gaps.add(new Gap(
                    start, g.durationNanos(), g.hostLate(), g.beforeInput(), g.afterWork(), g.cover(), g.coverKind()));
        }
        gaps.sort((a, b) -> Long.compare(b.durationNanos(), a.durationNanos()));
        return new StepDigest(
                0,
                c.rank,
                c.step,
                clock,
                duration,
                false,
                c.partial,
                gpu,
                new OwnTime(
                        (long) compute,
                        (long) ((c.copyMillis + c.readBackMillis) * MILLI),
                        (long) comm,
                        (long) idle,
                        (long) (gpu ? late : idle)),
                (long) (c.copyMillis * MILLI),
                (long) c.bytes,
                gpu
                        ? (long) (c.kernelsRun
                                * KERNELS.stream().mapToLong(Kernel::count).sum())
                        : 0,
                gpu ? (long) (c.work * 1e9) : 0,
                launchNanos < 0 ? launchNanos : (long) (launchNanos * c.launch),
                phases,
                collectives,
                gaps);
    }

    private void summaries(Cell c, Random random, List<Record> out) {
        if (!gpu) {
            return;
        }
        List<StreamKernel> kernels = new ArrayList<>();
        for (int k = 0; k < KERNELS.size(); k++) {
            Kernel kernel = KERNELS.get(k);
            double mean = kernel.nanos() * c.kernel[k];
            kernels.add(new StreamKernel(
                    names.id(name(kernel)),
                    7,
                    (long) ((!c.fixedGrid.isEmpty() && kernel.name().contains(c.fixedGrid) ? 1 : c.work) * 1e9),
                    durations(kernel.count(), mean, 0.03 * (1 + 0.01 * random.nextGaussian()))));
        }
        out.add(new KernelWindow(0, c.rank, c.step, kernels, List.of(), 0));
    }

    /** Evenly spread around the mean. */
    static DurationSummary durations(int count, double mean, double spread) {
        int bits = 4;
        return DurationSummary.ofKnots(
                count,
                (long) (mean * count),
                bits,
                new int[] {0, new PositionGrid(count, bits).last()},
                new int[] {bin(mean * (1 - spread)), bin(mean * (1 + spread))},
                new int[] {0},
                20);
    }

    private static int bin(double nanos) {
        return LogBins.bin((long) nanos, BinnedSample.BITS);
    }

    /** Runs all detectors over the job. */
    Concluded diagnose() {
        GraphHarness harness = new GraphHarness(new DetectorGraph(shape(), names, thresholds));
        records().forEach(harness::take);
        return harness.finish();
    }

    /** What is said after every so many steps, by detectors that go on from one to the next. */
    List<Concluded> live(int stepsPerWindow) {
        GraphHarness harness = new GraphHarness(new DetectorGraph(shape(), names, thresholds, Horizon.LIVE));
        Map<Long, List<Record>> windows = new TreeMap<>();
        for (Record r : records()) {
            long step = r instanceof StepDigest d ? d.step() : ((KernelWindow) r).window();
            windows.computeIfAbsent(Math.floorDiv(step - firstStep, stepsPerWindow), w -> new ArrayList<>())
                    .add(r);
        }
        List<Concluded> said = new ArrayList<>();
        for (List<Record> window : windows.values()) {
            window.forEach(harness::take);
            said.add(harness.finish());
        }
        return said;
    }
}
