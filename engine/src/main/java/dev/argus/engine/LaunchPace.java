package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Launch pace: the CPU time of a step's phases for each kernel launched, rank by rank. Key: attempt.
 *
 * <p>A CPU that is slow (a busy host, a slow core) shows here long before the GPU runs dry, and where it costs time at the same moment in
 * every collective that it launches late. It is compared with peers on other hosts, for a host may be slow as a whole; where a stage lives
 * on one host, with all ranks of other hosts, and then twice as much is demanded, for stages launch different work.
 *
 * <p>State: 3 binary32 of each of the last {@value #STEPS} steps, 768 bytes a rank when full.
 */
final class LaunchPace implements Transform<LaunchStep, LaunchPace.State> {
    private static final int STEPS = 64;
    private static final int MEASURES = 3;
    private static final int SPAN = 0;
    private static final int KERNELS = 1;
    private static final int IDLE = 2;

    /** Least ratio, less 1, of a step that belongs to a stretch, and of the whole stretch. */
    private static final double STEP_RATIO = 0.03;

    private static final double LEAST_RATIO = 0.05;

    /** Healthy CPUs of one model differ by such a standard deviation. */
    private static final double SPREAD_RATIO = 0.01;

    /** Ratio, less 1, demanded where only ranks with other work can be compared. */
    private static final double OTHER_WORK_RATIO = 0.6;

    private final JobShape shape;
    private final Thresholds t;

    LaunchPace(JobShape shape, Thresholds thresholds) {
        this.shape = shape;
        this.t = thresholds;
    }

    /** What is kept of one attempt. */
    static final class State {
        final int attempt;
        StepMatrix matrix = new StepMatrix(MEASURES, STEPS);

        State(int attempt) {
            this.attempt = attempt;
        }
    }

    @Override
    public long key(LaunchStep r) {
        return Keys.of(r.attempt(), 0, 0);
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key));
    }

    @Override
    public void onRecord(State s, LaunchStep r, Out out) {
        if (s.matrix.isDueBefore(r.step())) {
            judge(s, out);
        }
        if (!s.matrix.put(r.rank(), r.step(), (float) r.spanNanos(), (float) r.kernels(), (float) r.idleNanos())) {
            out.loss("late-step");
        }
    }

    @Override
    public void onTimer(State s, long eventNanos, Out out) {
        judge(s, out);
    }

    private void judge(State s, Out out) {
        s.matrix.judged();
        Judged.emit(s.attempt, Judged.By.LAUNCHES, 0, 0, s.matrix, out);
        int[] ranks = s.matrix.rows();
        int steps = s.matrix.size();
        if (ranks.length < 2 || steps == 0) {
            return;
        }
        double[][] span = s.matrix.measure(SPAN);
        double[][] kernels = s.matrix.measure(KERNELS);
        double[][] pace = new double[ranks.length][steps];
        for (int r = 0; r < ranks.length; r++) {
            for (int i = 0; i < steps; i++) {
                pace[r][i] = span[r][i] / kernels[r][i];
            }
        }
        LaunchReferences references = new LaunchReferences(shape, ranks, pace);
        double[][] idle = s.matrix.measure(IDLE);
        LaunchReferences usualIdle = new LaunchReferences(shape, ranks, idle);
        double[][] relative = new double[ranks.length][];
        double[] changes = new double[ranks.length * steps];
        Arrays.fill(changes, Double.NaN);
        for (int r = 0; r < ranks.length; r++) {
            double[] own = pace[r];
            double[] reference = references.of(r);
            relative[r] = new double[steps];
            for (int i = 0; i < steps; i++) {
                relative[r][i] = own[i] / reference[i] - 1;
                if (i > 0) {
                    changes[r * steps + i] = Math.abs(relative[r][i] - relative[r][i - 1]);
                }
            }
        }
        double within = Robust.MAD_TO_SIGMA * Robust.median(changes) / Math.sqrt(2);
        double[] lasting = Arrays.stream(relative).mapToDouble(Robust::median).toArray();
        double between = ranks.length < 4 ? 0 : Robust.shorthSigma(lasting);
        Noise noise = new Noise(orZero(within), Math.max(SPREAD_RATIO, orZero(between)), ranks.length);
        for (int r = 0; r < ranks.length; r++) {
            Series series =
                    new Series(pace[r], span[r], relative[r], idle[r], usualIdle.of(r), references.samePeers(r));
            boolean found = judge(s, ranks[r], series, noise, out);
            if (!found && !series.samePeers()) {
                judge(s, ranks[r], series.ownHistory(), noise, out);
            }
        }
    }

    /** One rank by step. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Series(
            double[] pace, double[] span, double[] relative, double[] idle, double[] usualIdle, boolean samePeers) {
        /** Against the rank's own pace in most steps, or the fault is there in most: then nothing is found. */
        Series ownHistory() {
            double usual = Robust.quantile(pace, 0.25);
            double[] changed = Arrays.stream(pace).map(x -> x / usual - 1).toArray();
            return new Series(pace, span, changed, idle, usualIdle, true);
        }
    }

    private record Noise(double within, double between, int ranks) {}

    private boolean judge(State s, int rank, Series series, Noise noise, Out out) {
        double[] relative = series.relative();
        double[] span = series.span();
        boolean samePeers = series.samePeers();
        double perStep = Math.max(samePeers ? STEP_RATIO : OTHER_WORK_RATIO / 2, 2 * noise.within());
        double[] over = Arrays.stream(relative).map(x -> x - perStep).toArray();
        Segment segment = Segment.best(over, -perStep);
        if (segment == null) {
            return false;
        }
        List<Long> steps = new ArrayList<>();
        List<Double> excess = new ArrayList<>();
        List<Double> idle = new ArrayList<>();
        double sum = 0;
        int active = 0;
        int outside = 0;
        for (int i = 0; i < relative.length; i++) {
            boolean inside = i >= segment.first() && i <= segment.last();
            outside += inside || Double.isNaN(relative[i]) ? 0 : 1;
            if (inside && !Double.isNaN(relative[i])) {
                steps.add(s.matrix.step(i));
                excess.add(Math.max(0, span[i] - span[i] / (1 + relative[i])));
                idle.add(series.idle()[i] - series.usualIdle()[i]);
                sum += relative[i];
                active += relative[i] >= perStep ? 1 : 0;
            }
        }
        if (steps.isEmpty()) {
            return false;
        }
        double mean = sum / steps.size();
        double sigma = Math.sqrt(noise.between() * noise.between() + noise.within() * noise.within() / steps.size());
        double family = Math.sqrt(2 * Math.log(Math.max(2, noise.ranks()))) + t.familySigmas();
        double least = Math.max(samePeers ? LEAST_RATIO : OTHER_WORK_RATIO, family * sigma);
        if (active < Math.min(3, relative.length) || mean < least) {
            return false;
        }
        out.emit(new LaunchFinding(
                s.attempt,
                rank,
                steps.stream().mapToLong(Long::longValue).toArray(),
                excess.stream().mapToDouble(Double::doubleValue).toArray(),
                idle.stream().mapToDouble(Double::doubleValue).toArray(),
                1 + mean,
                active,
                mean / sigma,
                outside >= 2));
        return true;
    }

    private static double orZero(double v) {
        return Double.isNaN(v) ? 0 : v;
    }

    @Override
    public void encode(State s, WireWriter to) {
        s.matrix.encode(to);
    }

    @Override
    public State decode(long key, WireReader from) {
        State s = fresh(key);
        s.matrix = StepMatrix.decode(MEASURES, STEPS, from);
        return s;
    }
}
