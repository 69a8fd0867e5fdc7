package dev.argus.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Something that is broken: what it does to the physics, and what a diagnosis should say about it. */
public sealed interface Fault extends Influence {
    /** Kind in the words of the scoreboard. */
    String kind();

    /** When it holds. */
    When when();

    /** The ranks at fault, ascending; empty when nobody is. */
    int[] ranks(Layout layout);

    /** The same at another strength: factors above 1 and pauses are multiplied. */
    Fault scaled(double by);

    /** Excess over normal as a ratio; NaN for pauses. */
    default double severity() {
        return Double.NaN;
    }

    /** Length of a pause, 0 where it is none. */
    default long pauseNanos() {
        return 0;
    }

    /** True when it grows over its steps. */
    default boolean ramp() {
        return false;
    }

    /** {@code ranks}, {@code global} (nobody to accuse) or {@code any} (every rank in turn). */
    default String scope(Layout layout) {
        return "ranks";
    }

    /** Other kinds that are as right. */
    default List<String> alsoAcceptable() {
        return List.of();
    }

    /** True when it makes this kernel slower. */
    default boolean slows(KernelKind kernel) {
        return false;
    }

    /** A fault that is the rank's own, not one of a host or a link. */
    sealed interface ByRank extends Fault {
        /** True when the rank has it in the step. */
        boolean hits(int rank, int step);
    }

    /** A fault of some ranks. */
    sealed interface OfRanks extends ByRank {
        /** The ranks, ascending. */
        int[] who();

        @Override
        default int[] ranks(Layout layout) {
            return who().clone();
        }

        @Override
        default boolean hits(int rank, int step) {
            return when().active(step) && Arrays.binarySearch(who(), rank) >= 0;
        }
    }

    /** A fault of all ranks: nobody to accuse. */
    sealed interface OfAll extends ByRank {
        @Override
        default boolean hits(int rank, int step) {
            return when().active(step);
        }

        @Override
        default int[] ranks(Layout layout) {
            return IntStream.range(0, layout.world()).toArray();
        }

        @Override
        default String scope(Layout layout) {
            return "global";
        }
    }

    /** A fault that makes something take a multiple of its time. */
    sealed interface Slowness extends Fault {
        /** The multiple, above 1. */
        double factor();

        /** The same with another factor. */
        Fault by(double newFactor);

        @Override
        default Fault scaled(double by) {
            return by(1 + (factor() - 1) * by);
        }

        @Override
        default double severity() {
            return factor() - 1;
        }
    }

    /** A fault that makes the kernels which it {@link #slows} take a multiple of their time. */
    sealed interface SlowKernels extends Slowness, ByRank {
        @Override
        default double kernel(KernelKind kind, int rank, int step) {
            return slows(kind) && hits(rank, step) ? factor() : 1;
        }
    }

    private static int[] ranksOf(Layout layout, int[] hosts) {
        return IntStream.of(hosts)
                .flatMap(h -> IntStream.of(layout.ranksOn(h)))
                .sorted()
                .toArray();
    }

    /**
     * The arithmetic units run slower: matrix products and attention, memory-bound kernels hardly.
     *
     * @param who ranks, ascending
     * @param factor on arithmetic kernels
     * @param ramp true when it grows over the steps, as heat does
     * @param when steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SlowClock(int[] who, double factor, boolean ramp, When when) implements Slowness, OfRanks {
        private static final double MEMORY_SHARE = 0.15;

        @Override
        public String kind() {
            return ramp ? "thermal-drift" : "compute-straggler";
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowClock(who, newFactor, ramp, when);
        }

        @Override
        public boolean slows(KernelKind kernel) {
            return kernel.arithmetic();
        }

        @Override
        public double kernel(KernelKind kind, int rank, int step) {
            if (!hits(rank, step)) {
                return 1;
            }
            double share = ramp ? (step - when.from() + 1.0) / (when.to() - when.from() + 1) : 1;
            return 1 + (factor - 1) * share * (kind.arithmetic() ? 1 : MEMORY_SHARE);
        }
    }

    /**
     * Memory of a GPU is slow: only kernels bound by it suffer.
     *
     * @param who ranks, ascending
     * @param factor on memory-bound kernels
     * @param when steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SlowMemory(int[] who, double factor, When when) implements SlowKernels, OfRanks {
        @Override
        public String kind() {
            return "hbm-straggler";
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowMemory(who, newFactor, when);
        }

        @Override
        public List<String> alsoAcceptable() {
            return List.of("memory-bandwidth-straggler");
        }

        @Override
        public boolean slows(KernelKind kernel) {
            return !kernel.arithmetic();
        }
    }

    /**
     * One family of kernels is slow on some ranks.
     *
     * @param who ranks, ascending
     * @param family which
     * @param factor on its kernels
     * @param when steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SlowFamily(int[] who, KernelFamily family, double factor, When when) implements SlowKernels, OfRanks {
        @Override
        public String kind() {
            return "kernel-family-slow";
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowFamily(who, family, newFactor, when);
        }

        @Override
        public boolean slows(KernelKind kernel) {
            return kernel.family() == family;
        }
    }

    /**
     * The backward pass is slow on some ranks: all of its kernels.
     *
     * @param who ranks, ascending
     * @param factor on kernels that run in the backward pass only
     * @param when steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SlowBackward(int[] who, double factor, When when) implements SlowKernels, OfRanks {
        @Override
        public String kind() {
            return "compute-straggler";
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowBackward(who, newFactor, when);
        }

        @Override
        public boolean slows(KernelKind kernel) {
            return kernel.backward();
        }
    }

    /**
     * The NICs of hosts are slow: everything that leaves or enters them. Several hosts: their leaf switch.
     *
     * @param hosts hosts
     * @param factor on transfers between hosts
     * @param when steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SlowNetwork(int[] hosts, double factor, When when) implements Slowness {
        @Override
        public String kind() {
            return "nic-degraded";
        }

        @Override
        public int[] ranks(Layout layout) {
            return ranksOf(layout, hosts);
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowNetwork(hosts, newFactor, when);
        }

        private boolean at(int host) {
            return IntStream.of(hosts).anyMatch(h -> h == host);
        }

        @Override
        public double network(Group group, int step, long bits) {
            return when.active(step) && IntStream.of(hosts).anyMatch(group::touches) ? factor : 1;
        }

        @Override
        public double message(Layout layout, int source, int target, int step, long bits) {
            int from = layout.hostOf(source);
            int to = layout.hostOf(target);
            return from != to && when.active(step) && (at(from) || at(to)) ? factor : 1;
        }
    }

    /**
     * The NIC of one GPU is slow: the rings which use it.
     *
     * @param rank rank of the GPU
     * @param factor on transfers between hosts
     * @param when steps
     */
    record SlowRail(int rank, double factor, When when) implements Slowness {
        @Override
        public String kind() {
            return "nic-degraded";
        }

        @Override
        public int[] ranks(Layout layout) {
            return new int[] {rank};
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowRail(rank, newFactor, when);
        }

        @Override
        public double network(Group group, int step, long bits) {
            return when.active(step) && group.indexOf(rank) >= 0 ? factor : 1;
        }

        @Override
        public double message(Layout layout, int source, int target, int step, long bits) {
            boolean own = source == rank || target == rank;
            return own && when.active(step) && layout.hostOf(source) != layout.hostOf(target) ? factor : 1;
        }
    }

    /**
     * The way between two hosts is slow, both are well otherwise.
     *
     * @param hostA one
     * @param hostB other
     * @param factor on transfers between them
     * @param when steps
     */
    record SlowPair(int hostA, int hostB, double factor, When when) implements Slowness {
        @Override
        public String kind() {
            return "nic-degraded";
        }

        @Override
        public int[] ranks(Layout layout) {
            return ranksOf(layout, new int[] {hostA, hostB});
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowPair(hostA, hostB, newFactor, when);
        }

        @Override
        public double network(Group group, int step, long bits) {
            return when.active(step) && group.joins(hostA, hostB) ? factor : 1;
        }

        @Override
        public double message(Layout layout, int source, int target, int step, long bits) {
            int from = layout.hostOf(source);
            int to = layout.hostOf(target);
            boolean between = (from == hostA && to == hostB) || (from == hostB && to == hostA);
            return between && when.active(step) ? factor : 1;
        }
    }

    /**
     * NVLink of a host is slow.
     *
     * @param host host
     * @param factor on transfers inside it
     * @param when steps
     */
    record SlowNvlink(int host, double factor, When when) implements Slowness {
        @Override
        public String kind() {
            return "nvlink-degraded";
        }

        @Override
        public int[] ranks(Layout layout) {
            return layout.ranksOn(host);
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowNvlink(host, newFactor, when);
        }

        @Override
        public double nvlink(Group group, int step) {
            return when.active(step) && group.touches(host) ? factor : 1;
        }

        @Override
        public double message(Layout layout, int source, int target, int step, long bits) {
            boolean inside = layout.hostOf(source) == host && layout.hostOf(target) == host;
            return inside && when.active(step) ? factor : 1;
        }
    }

    /**
     * Copies between host and device are slow.
     *
     * @param who ranks, ascending
     * @param factor on copies
     * @param when steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SlowCopies(int[] who, double factor, When when) implements Slowness, OfRanks {
        @Override
        public String kind() {
            return "pcie-slow";
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowCopies(who, newFactor, when);
        }

        @Override
        public double copy(int rank, int step) {
            return hits(rank, step) ? factor : 1;
        }
    }

    /**
     * The fabric is congested: transfers between hosts take longer, now here, now there; nobody is to blame.
     *
     * @param factor mean factor on transfers between hosts
     * @param when steps
     */
    record Congestion(double factor, When when) implements Slowness, OfAll {
        @Override
        public String kind() {
            return "fabric-congestion";
        }

        @Override
        public Fault by(double newFactor) {
            return new Congestion(newFactor, when);
        }

        @Override
        public double network(Group group, int step, long bits) {
            return when.active(step) ? some(bits) : 1;
        }

        private double some(long bits) {
            return 1 + (factor - 1) * (0.4 + 1.2 * Noise.unit(Noise.bits(bits, 11, 0, 0)));
        }

        @Override
        public double message(Layout layout, int source, int target, int step, long bits) {
            return when.active(step) && layout.hostOf(source) != layout.hostOf(target) ? some(bits) : 1;
        }
    }

    /** What the CPU of a rank does instead of launching. */
    enum Stall {
        JIT("jit-stall", Pause.Cause.COMPILE),
        GC("gc-pause", Pause.Cause.COLLECT),
        CPU("cpu-stall", Pause.Cause.BUSY),
        DATA("data-stall", Pause.Cause.LOAD);

        private final String kind;
        private final Pause.Cause cause;

        Stall(String kind, Pause.Cause cause) {
            this.kind = kind;
            this.cause = cause;
        }
    }

    /**
     * The CPU of ranks stops for a while in a step.
     *
     * @param stall why
     * @param who ranks, ascending
     * @param nanos how long
     * @param fraction where in the step, as a share of its launches; a data stall is where data is taken, a
     *     compilation where a kernel is launched
     * @param stacks true when the trace has stacks
     * @param when steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Stalls(Stall stall, int[] who, long nanos, double fraction, boolean stacks, When when) implements OfRanks {
        @Override
        public String kind() {
            return stall.kind;
        }

        @Override
        public Fault scaled(double by) {
            return new Stalls(stall, who, (long) (nanos * by), fraction, stacks, when);
        }

        @Override
        public long pauseNanos() {
            return nanos;
        }

        @Override
        public String scope(Layout layout) {
            return who.length == layout.world() ? "any" : "ranks";
        }

        @Override
        public void pauses(Layout layout, int rank, int step, Consumer<Pause> to) {
            if (hits(rank, step)) {
                Pause.Place place = switch (stall) {
                    case DATA -> Pause.Place.INPUT;
                    case JIT -> Pause.Place.kernel(fraction);
                    default -> Pause.Place.within(fraction);
                };
                double length = 0.85 + 0.3 * Noise.unit(Noise.bits(nanos, rank, step, 5));
                to.accept(new Pause(place, (long) (nanos * length), stall.cause, stacks));
            }
        }
    }

    /**
     * Garbage collection at different steps on different ranks: every rank in turn, no rank to blame.
     *
     * @param nanos length of a pause
     * @param period every rank pauses once in so many steps
     * @param stacks true when the trace has stacks
     * @param when steps
     */
    record RotatingCollection(long nanos, int period, boolean stacks, When when) implements OfAll {
        @Override
        public String kind() {
            return "gc-pause";
        }

        @Override
        public Fault scaled(double by) {
            return new RotatingCollection((long) (nanos * by), period, stacks, when);
        }

        @Override
        public long pauseNanos() {
            return nanos;
        }

        @Override
        public String scope(Layout layout) {
            return "any";
        }

        @Override
        public void pauses(Layout layout, int rank, int step, Consumer<Pause> to) {
            long own = Noise.bits(nanos, rank, 77, 0);
            if (when.active(step) && Math.floorMod(step + (own >>> 1), (long) period) == 0) {
                double at = 0.1 + 0.6 * Noise.unit(Noise.bits(own, step, 0, 0));
                to.accept(new Pause(Pause.Place.within(at), nanos, Pause.Cause.COLLECT, stacks));
            }
        }
    }

    /**
     * Launches take longer on some ranks: a busy host, a slow core.
     *
     * @param who ranks, ascending
     * @param factor on all time of the CPU
     * @param when steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SlowLaunch(int[] who, double factor, When when) implements Slowness, OfRanks {
        @Override
        public String kind() {
            return "host-cpu-contention";
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowLaunch(who, newFactor, when);
        }

        @Override
        public List<String> alsoAcceptable() {
            return List.of("cpu-stall");
        }

        @Override
        public double launch(int rank, int step) {
            return hits(rank, step) ? factor : 1;
        }
    }

    /**
     * All GPUs run slower alike: a power cap, a regression.
     *
     * @param factor on arithmetic kernels
     * @param when steps
     */
    record PowerCap(double factor, When when) implements SlowKernels, OfAll {
        @Override
        public String kind() {
            return "global-slowdown";
        }

        @Override
        public Fault by(double newFactor) {
            return new PowerCap(newFactor, when);
        }

        @Override
        public boolean slows(KernelKind kernel) {
            return kernel.arithmetic();
        }
    }

    /**
     * A new version of the software makes kernels slower on all ranks, from the first step of an attempt to its last. The attempt before ran without.
     *
     * @param factor on all kernels
     * @param when steps
     */
    record NewVersion(double factor, When when) implements SlowKernels, OfAll {
        @Override
        public String kind() {
            return "regression";
        }

        @Override
        public Fault by(double newFactor) {
            return new NewVersion(newFactor, when);
        }

        @Override
        public boolean slows(KernelKind kernel) {
            return true;
        }
    }

    /**
     * All GPUs of a pipeline stage run their arithmetic slower, as in a rack with a power cap: no rank of the stage differs from another.
     *
     * @param who ranks of the stage, ascending
     * @param factor on arithmetic kernels
     * @param when steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SlowStage(int[] who, double factor, When when) implements SlowKernels, OfRanks {
        @Override
        public String kind() {
            return "bubble-amplification";
        }

        @Override
        public Fault by(double newFactor) {
            return new SlowStage(who, newFactor, when);
        }

        @Override
        public boolean slows(KernelKind kernel) {
            return kernel.arithmetic();
        }
    }
}
