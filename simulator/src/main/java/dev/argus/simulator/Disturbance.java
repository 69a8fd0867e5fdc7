package dev.argus.simulator;

import java.util.Map;
import java.util.function.Consumer;

/** Something that is no fault, though it may look like one: a diagnosis stays silent or observes. */
public sealed interface Disturbance extends Influence {
    /** Kind in the words of the scoreboard. */
    String kind();

    /** What a reader of the truth may want to know. */
    default Map<String, Object> details() {
        return Map.of();
    }

    /**
     * Part of the model rather than of a step: uneven stages, recomputation, one rank that loads for its group.
     *
     * @param kind kind
     * @param details details
     */
    record OfModel(String kind, Map<String, Object> details) implements Disturbance {}

    /**
     * Experts have unequal loads.
     *
     * @param hot load of the hot one against the mean
     * @param period the hot one moves on every so many steps; 0 when it stays
     * @param spread spread of the others
     */
    record HotExpert(double hot, int period, double spread) implements Disturbance {
        @Override
        public String kind() {
            return "moe-imbalance";
        }

        @Override
        public Map<String, Object> details() {
            return Map.of("hot", hot, "rotate", period);
        }

        @Override
        public double expertLoad(Layout layout, int rank, int step) {
            Group group = layout.group(rank, GroupKind.EXPERT);
            int own = group.indexOf(rank);
            int turn = period == 0 ? 0 : Math.floorDiv(step, period);
            int hotOne = (int) Math.floorMod(Noise.bits(group.size(), turn, 3, period), (long) group.size());
            long bits = Noise.bits(rank, period == 0 ? 0 : step, 21, 0);
            return own == hotOne ? hot : Math.max(0.6, 1 - (hot - 1) / group.size() + spread * Noise.normal(bits));
        }
    }

    /**
     * Sequences have unequal lengths, drawn anew for every microbatch of a replica.
     *
     * @param spread standard deviation as a ratio
     * @param seed which lengths
     */
    record Lengths(double spread, long seed) implements Disturbance {
        @Override
        public String kind() {
            return "sequence-length-variation";
        }

        @Override
        public double length(Layout layout, int rank, int step, int microbatch) {
            int replica = layout.coordinate(rank, Layout.Dimension.DP);
            return Math.clamp(1 + spread * Noise.normal(Noise.bits(seed, replica, step, microbatch)), 0.5, 1.6);
        }
    }

    /**
     * The samples of one data shard are longer for good.
     *
     * @param replica coordinate of the data dimension
     * @param factor their length
     */
    record LongShard(int replica, double factor) implements Disturbance {
        @Override
        public String kind() {
            return "data-imbalance";
        }

        @Override
        public Map<String, Object> details() {
            return Map.of("replica", replica, "factor", factor);
        }

        @Override
        public double length(Layout layout, int rank, int step, int microbatch) {
            return layout.coordinate(rank, Layout.Dimension.DP) == replica ? factor : 1;
        }
    }

    /**
     * One rank runs kernels on top.
     *
     * @param rank rank
     * @param percent how many
     */
    record MoreKernels(int rank, int percent) implements Disturbance {
        @Override
        public String kind() {
            return "rank-asymmetry";
        }

        @Override
        public Map<String, Object> details() {
            return Map.of("rank", rank, "percent", percent);
        }

        @Override
        public int extraKernels(int who) {
            return who == rank ? percent : 0;
        }
    }

    /**
     * A host with another GPU model.
     *
     * @param who its ranks, ascending
     * @param factor time of its kernels against the others'
     */
    @SuppressWarnings("ArrayRecordComponent")
    record OtherHardware(int[] who, double factor) implements Disturbance {
        @Override
        public String kind() {
            return "heterogeneous-hardware";
        }

        @Override
        public double kernel(KernelKind kind, int rank, int step) {
            return has(rank) ? factor : 1;
        }

        boolean has(int rank) {
            return java.util.Arrays.binarySearch(who, rank) >= 0;
        }
    }

    /**
     * Something regular after a step: a checkpoint of all ranks, or rank 0 that logs or writes.
     *
     * @param kind {@code checkpoint}, {@code logging} or {@code checkpoint-writer}
     * @param rank the only rank, or -1 for all
     * @param nanos how long
     * @param every in every so many steps
     * @param offset in these steps: step mod every
     * @param visible true when the trace has a range for it
     */
    record Regular(String kind, int rank, long nanos, int every, int offset, boolean visible) implements Disturbance {
        @Override
        public Map<String, Object> details() {
            return Map.of("every", every, "offset", offset, "ms", nanos / 1_000_000);
        }

        @Override
        public void pauses(Layout layout, int who, int step, Consumer<Pause> to) {
            if ((rank < 0 || rank == who) && Math.floorMod(step - offset, every) == 0) {
                double length = 0.9 + 0.2 * Noise.unit(Noise.bits(nanos, who, step, 31));
                Pause.Cause cause = kind.equals("logging") ? Pause.Cause.LOG : Pause.Cause.CHECKPOINT;
                to.accept(new Pause(Pause.Place.END, (long) (nanos * length), cause, visible));
            }
        }
    }

    /**
     * An evaluation after steps.
     *
     * @param passes forward passes
     * @param every in every so many steps
     * @param offset in these steps: step mod every
     */
    record Evaluation(int passes, int every, int offset) implements Disturbance {
        @Override
        public String kind() {
            return "evaluation";
        }

        @Override
        public Map<String, Object> details() {
            return Map.of("every", every, "offset", offset);
        }

        @Override
        public int evaluations(int step) {
            return Math.floorMod(step - offset, every) == 0 ? passes : 0;
        }
    }

    /**
     * The first steps of a job: loaders fill, kernels are compiled, launches are slow.
     *
     * @param last last step of it
     * @param launchFactor factor on the CPU's time, falling to 1
     * @param compileNanos compilation in the very first step
     */
    record WarmUp(int last, double launchFactor, long compileNanos) implements Disturbance {
        @Override
        public String kind() {
            return "warmup";
        }

        @Override
        public Map<String, Object> details() {
            return Map.of("steps", last + 1);
        }

        @Override
        public double launch(int rank, int step) {
            return step > last ? 1 : 1 + (launchFactor - 1) / (1 + Math.max(0, step));
        }

        @Override
        public void pauses(Layout layout, int rank, int step, Consumer<Pause> to) {
            if (step > last || compileNanos <= 0) {
                return;
            }
            double own = 0.8 + 0.4 * Noise.unit(Noise.bits(compileNanos, rank, step, 41));
            long nanos = (long) (compileNanos * own / (1 + 3 * Math.max(0, step)));
            to.accept(new Pause(Pause.Place.within(0.08), nanos, Pause.Cause.START_UP, false));
            to.accept(new Pause(Pause.Place.INPUT, nanos / 5, Pause.Cause.LOAD, false));
        }
    }

    /**
     * The profiler starts: the first recorded step is slow on the CPU of all ranks.
     *
     * @param step that step
     * @param factor on the CPU's time
     * @param nanos pause at its begin
     */
    record ProfilerStart(int step, double factor, long nanos) implements Disturbance {
        @Override
        public String kind() {
            return "profiler-start";
        }

        @Override
        public double launch(int rank, int now) {
            return now == step ? factor : 1;
        }

        @Override
        public void pauses(Layout layout, int rank, int now, Consumer<Pause> to) {
            if (now == step) {
                double own = 0.7 + 0.6 * Noise.unit(Noise.bits(nanos, rank, now, 51));
                to.accept(new Pause(Pause.Place.START, (long) (nanos * own), Pause.Cause.PROFILER, false));
            }
        }
    }
}
