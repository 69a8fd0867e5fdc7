package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Gap;
import dev.argus.model.JobShape;
import dev.argus.model.OwnTime;
import dev.argus.model.PackedCollectives;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * L2: own time of each rank against the peers that do the same work. Key: (attempt, peer set).
 *
 * <p>The first steps of a job that goes on are left out, rank by rank ({@link WarmUp}).
 *
 * <p>State: {@value Measure#COUNT} binary32 of each of the last {@value #STEPS} steps, 4,864 bytes a rank. When half of them are new, and at the
 * end, the stretches are judged ({@link WorkAnalyst}) and emitted.
 */
final class RankWork implements Transform<StepDigest, RankWork.State> {
    static final int STEPS = 64;

    /** So much of a step at its beginning belongs to the border between two. */
    private static final double BORDER_RATIO = 0.01;

    /** A single launch does not take as long as this; a process that lost its CPU is away for longer. */
    private static final long PAUSE_NANOS = 500_000;

    /** Columns of the state. */
    static final class Measure {
        static final int COMPUTE = 0;
        static final int COPY = 1;
        static final int GAP = 2;
        static final int HOST_GAP = 3;
        static final int DURATION = 4;
        static final int WORK = 5;
        static final int COPY_BYTES = 6;
        static final int EXCHANGE_BYTES = 7;
        static final int TOP_GAP = 8;
        static final int COVER = 9;
        static final int COVER_KIND = 10;
        static final int INPUT_GAP = 11;
        static final int KERNELS = 12;
        static final int FORWARD = 13;
        static final int BACKWARD = 14;
        static final int OPTIMIZER = 15;
        static final int LOADING = 16;
        static final int CPU_WAIT = 17;

        /** Gaps long enough to be kept one by one; NaN where what was not kept may be pauses too. */
        static final int LONG_GAPS = 18;

        static final int COUNT = 19;

        /** Added to the kind of cover where the rank has a GPU. */
        static final int GPU_FLAG = 16;

        /** Added where the longest gap lies between two steps. */
        static final int AFTER_WORK_FLAG = 32;

        /** Added where the rank wrote a checkpoint or evaluated. */
        static final int EVENT_FLAG = 64;

        /** Added where it is known how fast the rank launched. */
        static final int LAUNCH_FLAG = 128;

        private Measure() {}
    }

    /** What is kept of one peer set. */
    static final class State {
        final int attempt;
        final int peerSet;
        StepMatrix matrix = new StepMatrix(Measure.COUNT, STEPS);
        final WarmUp warmUp = new WarmUp();

        State(int attempt, int peerSet) {
            this.attempt = attempt;
            this.peerSet = peerSet;
        }
    }

    private final JobShape shape;
    private final WorkAnalyst analyst;
    private final boolean live;

    /** @param live true where the beginning of the steps is that of the job, or was seen */
    RankWork(JobShape shape, Thresholds thresholds, boolean live) {
        this.live = live;
        this.shape = shape;
        this.analyst = new WorkAnalyst(thresholds, shape.ranks().size());
    }

    @Override
    public long key(StepDigest d) {
        return Keys.of(d.attempt(), shape.peerSetOf(d.rank()) + 1, 0);
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key), Keys.first(key) - 1);
    }

    @Override
    public void onRecord(State state, StepDigest d, Out out) {
        if (d.partial()) {
            out.loss("partial-step");
            return;
        }
        StepMatrix m = state.matrix;
        if (m.isDueBefore(d.step())) {
            judge(state, out);
        }
        if (!put(m, d)) {
            out.loss("late-step");
        }
    }

    private static boolean put(StepMatrix m, StepDigest d) {
        OwnTime own = d.own();
        long waited = d.gpu() ? 0 : cpuWait(d);
        Gap top = top(d);
        long input = 0;
        for (Gap g : d.gaps()) {
            input += g.beforeInput() ? g.durationNanos() : 0;
        }
        return m.put(
                d.rank(),
                d.step(),
                (float) own.computeNanos(),
                (float) Math.min(own.copyNanos(), d.hostToDeviceNanos()),
                (float) Math.max(0, own.idleNanos() - waited),
                (float) Math.max(0, own.hostIdleNanos() - waited),
                (float) d.durationNanos(),
                (float) d.workItems(),
                (float) d.hostToDeviceBytes(),
                (float) exchangeBytes(d),
                top == null ? 0 : (float) top.durationNanos(),
                top == null ? -1 : top.cover(),
                (top == null ? 0 : top.coverKind().ordinal())
                        + (d.gpu() ? Measure.GPU_FLAG : 0)
                        + (top != null && betweenSteps(top, d) ? Measure.AFTER_WORK_FLAG : 0)
                        + (event(d) ? Measure.EVENT_FLAG : 0)
                        + (d.launchNanos() > 0 ? Measure.LAUNCH_FLAG : 0),
                (float) input,
                (float) d.kernelCount(),
                phase(d, Phase.FORWARD),
                phase(d, Phase.BACKWARD),
                phase(d, Phase.OPTIMIZER),
                loading(d),
                (float) waited,
                longGaps(d));
    }

    /** Sum of the gaps kept; NaN where as many gaps were kept as can be and the shortest of them is a pause. */
    private static float longGaps(StepDigest d) {
        List<Gap> gaps = d.gaps();
        boolean more = gaps.size() >= StepDigest.MAX_GAPS && gaps.getLast().durationNanos() >= PAUSE_NANOS;
        if (more) {
            return Float.NaN;
        }
        long sum = 0;
        for (Gap g : gaps) {
            sum += g.durationNanos();
        }
        return sum;
    }

    /** Time without a CPU: it has a noise of its own, in which the gaps of a rank would drown. */
    static long cpuWait(StepDigest d) {
        long sum = 0;
        for (Gap g : d.gaps()) {
            sum += g.coverKind() == SpanKind.SCHEDULER ? g.durationNanos() : 0;
        }
        return sum;
    }

    private static @Nullable Gap top(StepDigest d) {
        for (Gap g : d.gaps()) {
            if (d.gpu() || g.coverKind() != SpanKind.SCHEDULER) {
                return g;
            }
        }
        return null;
    }

    /** Behind the last work of a step, or before any of the next: where the border lies exactly is often inferred. */
    private static boolean betweenSteps(Gap gap, StepDigest d) {
        long training = d.durationNanos() - gap.durationNanos();
        return gap.afterWork() || gap.startNanos() - d.startNanos() < BORDER_RATIO * training;
    }

    private static boolean event(StepDigest d) {
        return d.phaseSpanNanos(Phase.CHECKPOINT) > 0 || d.phaseSpanNanos(Phase.EVALUATION) > 0;
    }

    /** Payload of uneven exchanges: the tokens an expert gets. */
    private static long exchangeBytes(StepDigest d) {
        if (d.collectives() instanceof PackedCollectives packed) {
            return packed.payload(CollectiveOp.ALL_TO_ALL_V);
        }
        long sum = 0;
        for (CollectiveStat c : d.collectives()) {
            sum += c.op() == CollectiveOp.ALL_TO_ALL_V ? Math.max(0, c.bytes()) : 0;
        }
        return sum;
    }

    /** Compute of a phase; NaN when the phase was not seen: missing is never fast. */
    private static float phase(StepDigest d, Phase phase) {
        for (PhaseTime p : d.phases()) {
            if (p.phase() == phase) {
                return (float) p.computeNanos();
            }
        }
        return Float.NaN;
    }

    /** CPU time in ranges that load data; NaN when there are none. */
    private static float loading(StepDigest d) {
        long span = d.phaseSpanNanos(Phase.DATA_LOADING);
        return span > 0 ? span : Float.NaN;
    }

    @Override
    public void onTimer(State state, long eventNanos, Out out) {
        judge(state, out);
    }

    /** Ranks of one tensor and context group work on the same data. */
    private int replicaOf(int rank) {
        return shape.topology().size("dp") > 1 ? shape.topology().coordinate(rank, "dp") : -1;
    }

    private void judge(State state, Out out) {
        StepMatrix m = state.matrix;
        if (m.size() == 0) {
            return;
        }
        m.judged();
        Judged.emit(state.attempt, Judged.By.WORK, state.peerSet, 0, m, out);
        analyst.judge(
                state.attempt,
                state.peerSet,
                m,
                live ? state.warmUp : null,
                shape::loadsForOthers,
                this::replicaOf,
                shape::hostOf,
                out);
    }

    @Override
    public void encode(State state, WireWriter to) {
        state.matrix.encode(to);
        state.warmUp.encode(to);
    }

    @Override
    public State decode(long key, WireReader from) {
        State state = fresh(key);
        state.matrix = StepMatrix.decode(Measure.COUNT, STEPS, from);
        state.warmUp.decode(from);
        return state;
    }
}
