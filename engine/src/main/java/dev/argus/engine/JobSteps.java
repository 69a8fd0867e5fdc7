package dev.argus.engine;

import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Phase;
import dev.argus.model.StepDigest;
import dev.argus.stats.Robust;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * L1: steps of the whole job. Key: attempt.
 *
 * <p>The job's step time is the median over ranks, start to start. Steps well above the typical one are named by what all
 * ranks did in them: checkpoint, evaluation, or warm-up (the first steps, falling); what has no name is a transient of the job.
 * State: {@value #STEPS} steps of three measures, 1,536 bytes a rank; begin and end of each by host ({@link StepClock}), 2,048 bytes a host.
 */
final class JobSteps implements Transform<StepDigest, JobSteps.State> {
    private static final int STEPS = 128;
    private static final int DURATION = 0;
    private static final int CHECKPOINT = 1;
    private static final int EVALUATION = 2;
    private static final int MEASURES = 3;

    /** Warm-up is among the first so many steps of a job, and at most half of those recorded. */
    private static final int MAX_WARMUP = 10;

    private final Thresholds t;
    private final Map<String, Integer> hosts = new HashMap<>();
    private final Map<Integer, Integer> hostOf = new HashMap<>();

    JobSteps(JobShape shape, Thresholds thresholds) {
        this.t = thresholds;
        for (int rank : shape.ranks().toArray()) {
            String host = shape.hostOf(rank);
            // Of hosts without a name each rank has a clock of its own.
            String clock = host.isEmpty() ? "\0" + rank : host;
            Integer known = hosts.putIfAbsent(clock, hosts.size());
            hostOf.put(rank, known == null ? hosts.size() - 1 : known);
        }
    }

    /** What is kept of one attempt. */
    static final class State {
        final int attempt;
        StepMatrix matrix = new StepMatrix(MEASURES, STEPS);
        StepClock clock = new StepClock(STEPS);

        State(int attempt) {
            this.attempt = attempt;
        }
    }

    @Override
    public long key(StepDigest d) {
        return Keys.of(d.attempt(), 0, 0);
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key));
    }

    @Override
    public void onRecord(State s, StepDigest d, Out out) {
        if (d.partial()) {
            return;
        }
        if (s.matrix.isDueBefore(d.step())) {
            judge(s, out);
        }
        boolean kept = s.matrix.put(
                d.rank(),
                d.step(),
                (float) d.durationNanos(),
                (float) Math.max(0, d.phaseSpanNanos(Phase.CHECKPOINT)),
                (float) Math.max(0, d.phaseSpanNanos(Phase.EVALUATION)));
        if (!kept) {
            out.loss("late-step");
        }
        Integer host = hostOf.get(d.rank());
        if (host != null) {
            s.clock.put(host, d.step(), d.startNanos(), d.startNanos() + d.durationNanos());
        }
    }

    @Override
    public void onTimer(State s, long eventNanos, Out out) {
        judge(s, out);
    }

    private void judge(State s, Out out) {
        s.matrix.judged();
        out.emit(s.clock.times(s.attempt));
        int n = s.matrix.size();
        double[][] duration = s.matrix.measure(DURATION);
        double[] step = new double[n];
        for (int i = 0; i < n; i++) {
            step[i] = Robust.median(WorkAnalyst.column(duration, i));
        }
        double typical = Robust.median(step);
        @Nullable IncidentKind[] kinds = new @Nullable IncidentKind[n];
        double[][] checkpoint = s.matrix.measure(CHECKPOINT);
        double[][] evaluation = s.matrix.measure(EVALUATION);
        for (int i = 0; i < n; i++) {
            if (byMost(checkpoint, i)) {
                kinds[i] = IncidentKind.CHECKPOINT;
            } else if (byMost(evaluation, i)) {
                kinds[i] = IncidentKind.EVALUATION;
            } else if (step[i] > typical * t.eventRatio()) {
                kinds[i] = IncidentKind.TRANSIENT;
            }
        }
        warmup(s, step, typical, kinds);
        for (IncidentKind kind : List.of(
                IncidentKind.CHECKPOINT, IncidentKind.EVALUATION, IncidentKind.WARMUP, IncidentKind.TRANSIENT)) {
            emit(s, kind, kinds, step, typical, out);
        }
    }

    private static boolean byMost(double[][] span, int step) {
        int with = 0;
        for (double[] row : span) {
            with += row[step] > 0 ? 1 : 0;
        }
        return 2 * with > span.length;
    }

    /** The first steps of a job, each slow and none much slower than the one before. */
    private void warmup(State s, double[] step, double typical, @Nullable IncidentKind[] kinds) {
        if (step.length < 3 || s.matrix.step(0) > MAX_WARMUP) {
            return;
        }
        int limit = Math.min(MAX_WARMUP, step.length / 2);
        for (int i = 0; i < limit && kinds[i] == IncidentKind.TRANSIENT; i++) {
            boolean falling = i == 0 || step[i] < 1.2 * step[i - 1];
            if (!falling || typical <= 0) {
                return;
            }
            kinds[i] = IncidentKind.WARMUP;
        }
    }

    private static void emit(
            State s, IncidentKind kind, @Nullable IncidentKind[] kinds, double[] step, double typical, Out out) {
        List<Long> steps = new ArrayList<>();
        List<Double> excess = new ArrayList<>();
        for (int i = 0; i < kinds.length; i++) {
            if (kinds[i] == kind) {
                steps.add(s.matrix.step(i));
                excess.add(Math.max(0, step[i] - typical));
            }
        }
        if (!steps.isEmpty()) {
            out.emit(new StepFinding(
                    s.attempt,
                    kind,
                    steps.stream().mapToLong(v -> v).toArray(),
                    excess.stream().mapToDouble(v -> v).toArray(),
                    typical));
        }
    }

    @Override
    public void encode(State s, WireWriter to) {
        s.matrix.encode(to);
        s.clock.encode(to);
    }

    @Override
    public State decode(long key, WireReader from) {
        State s = fresh(key);
        s.matrix = StepMatrix.decode(MEASURES, STEPS, from);
        s.clock = StepClock.decode(STEPS, from);
        return s;
    }
}
