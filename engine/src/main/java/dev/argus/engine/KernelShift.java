package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.model.KernelClass;
import dev.argus.model.KernelSummary;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Arrays;

/**
 * L3: the durations of one kernel, rank by rank, against the peers' centre. Key: (attempt, peer set, kernel).
 *
 * <p>In one dimension W1 is the L1 distance of quantile functions, so a rank is compared with the group's centre (the median of the
 * peers' quantile functions, point by point) in O(n), and the sign is kept: slower and faster do not cancel into a distance
 * without direction. The share of the quantile function that moved the same way tells a slower kernel (all modes) from a changed
 * mix of shapes (some).
 *
 * <p>State: mean, count and {@value KernelSummary#KNOTS} quantiles of each of the last {@value #STEPS} steps, 3,456 bytes a
 * rank.
 */
final class KernelShift implements Transform<KernelSummary, KernelShift.State> {
    private static final int STEPS = 48;
    private static final int MEASURES = 2;
    private static final int MEAN = 0;
    private static final int COUNT = 1;

    /** Noise assumed of a kernel's mean duration on one rank and step. */
    private static final double FLOOR_NOISE_RATIO = 0.006;

    /** A step belongs to a stretch from this share of the ratio demanded on. */
    private static final double STEP_SHARE = 0.6;

    private static final KernelClass[] CLASSES = KernelClass.values();

    private final JobShape shape;
    private final Thresholds t;

    KernelShift(JobShape shape, Thresholds thresholds) {
        this.shape = shape;
        this.t = thresholds;
    }

    /** What is kept of one kernel in one peer set. */
    static final class State {
        final int attempt;
        final int peerSet;
        final int kernel;
        KernelClass kernelClass = KernelClass.COMPUTE;
        StepMatrix matrix = new StepMatrix(MEASURES, STEPS);
        StepMatrix knots = new StepMatrix(KernelSummary.KNOTS, STEPS);

        State(int attempt, int peerSet, int kernel) {
            this.attempt = attempt;
            this.peerSet = peerSet;
            this.kernel = kernel;
        }
    }

    @Override
    public long key(KernelSummary k) {
        return Keys.of(k.attempt(), shape.peerSetOf(k.rank()) + 1, k.name());
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key), Keys.first(key) - 1, Keys.second(key));
    }

    @Override
    public void onRecord(State s, KernelSummary k, Out out) {
        s.kernelClass = k.kernelClass();
        if (k.count() == 0) {
            return;
        }
        float[] knots = new float[KernelSummary.KNOTS];
        for (int i = 0; i < knots.length; i++) {
            knots[i] = (float) k.quantilesNanos()[i];
        }
        if (s.matrix.isDueBefore(k.step())) {
            judge(s, out);
        }
        boolean kept = s.matrix.put(k.rank(), k.step(), (float) ((double) k.sumNanos() / k.count()), (float) k.count());
        if (!kept || !s.knots.put(k.rank(), k.step(), knots)) {
            out.loss("late-step");
        }
    }

    @Override
    public void onTimer(State s, long eventNanos, Out out) {
        judge(s, out);
    }

    private void judge(State s, Out out) {
        s.matrix.judged();
        int[] ranks = s.matrix.rows();
        double[][] mean = s.matrix.measure(MEAN);
        double[][] count = s.matrix.measure(COUNT);
        int steps = s.matrix.size();
        double[] centre = new double[steps];
        double[] perStep = new double[steps];
        for (int i = 0; i < steps; i++) {
            centre[i] = Robust.median(WorkAnalyst.column(mean, i));
            perStep[i] = centre[i] * Robust.median(WorkAnalyst.column(count, i));
        }
        double share = Robust.median(perStep);
        if (s.kernelClass == KernelClass.COMPUTE && share > 0) {
            out.emit(new KernelShare(s.attempt, s.peerSet, s.kernel, share));
        }
        if (ranks.length < 2 || s.kernelClass != KernelClass.COMPUTE) {
            return;
        }
        double[][] relative = new double[ranks.length][steps];
        double[] changes = new double[ranks.length * steps];
        Arrays.fill(changes, Double.NaN);
        for (int r = 0; r < ranks.length; r++) {
            for (int i = 0; i < steps; i++) {
                relative[r][i] = mean[r][i] / centre[i] - 1;
                if (i > 0) {
                    changes[r * steps + i] = Math.abs(relative[r][i] - relative[r][i - 1]);
                }
            }
        }
        double noise = Robust.MAD_TO_SIGMA * Robust.median(changes) / Math.sqrt(2);
        noise = Math.max(FLOOR_NOISE_RATIO, Double.isNaN(noise) ? 0 : noise);
        for (int r = 0; r < ranks.length; r++) {
            judge(s, ranks, r, relative[r], noise, centre, count[r], share, out);
        }
    }

    private void judge(
            State s,
            int[] ranks,
            int r,
            double[] relative,
            double noise,
            double[] centre,
            double[] count,
            double share,
            Out out) {
        double floor = t.kernelRatio() - 1;
        double[] over = new double[relative.length];
        for (int i = 0; i < over.length; i++) {
            over[i] = relative[i] - Math.max(STEP_SHARE * floor, 1.5 * noise);
        }
        Segment segment = Segment.best(over, -STEP_SHARE * floor);
        if (segment == null) {
            return;
        }
        double sum = 0;
        double impact = 0;
        int n = 0;
        for (int i = segment.first(); i <= segment.last(); i++) {
            if (!Double.isNaN(relative[i])) {
                sum += relative[i];
                impact += relative[i] * centre[i] * count[i];
                n++;
            }
        }
        double excess = sum / Math.max(1, n);
        double k = Math.sqrt(2 * Math.log(ranks.length)) + t.familySigmas();
        if (n < Math.min(2, relative.length) || excess < Math.max(floor, k * noise / Math.sqrt(n))) {
            return;
        }
        double[] distance = distance(s, r, segment);
        out.emit(new KernelFinding(
                s.attempt,
                s.peerSet,
                ranks[r],
                s.kernel,
                s.kernelClass,
                s.matrix.step(segment.first()),
                s.matrix.step(segment.last()),
                1 + excess,
                distance[0],
                distance[1],
                impact / n,
                share));
    }

    /** Signed W1 over the centre's mean, and the share of knots that moved the way the whole did. */
    private static double[] distance(State s, int r, Segment segment) {
        double signed = 0;
        double base = 0;
        double up = 0;
        for (int k = 0; k < KernelSummary.KNOTS; k++) {
            double[][] q = s.knots.measure(k);
            double own = 0;
            double centre = 0;
            for (int i = segment.first(); i <= segment.last(); i++) {
                if (!Double.isNaN(q[r][i])) {
                    own += q[r][i];
                    centre += Robust.median(WorkAnalyst.column(q, i));
                }
            }
            signed += own - centre;
            base += centre;
            up += own > centre ? 1 : 0;
        }
        double moved = signed >= 0 ? up : KernelSummary.KNOTS - up;
        return new double[] {base > 0 ? signed / base : 0, moved / KernelSummary.KNOTS};
    }

    @Override
    public void encode(State s, WireWriter to) {
        to.writeByte(s.kernelClass.ordinal());
        s.matrix.encode(to);
        s.knots.encode(to);
    }

    @Override
    public State decode(long key, WireReader from) {
        State s = fresh(key);
        int c = from.readByte();
        if (c >= CLASSES.length) {
            throw new WireException("kernel class " + c + ", expected below " + CLASSES.length);
        }
        s.kernelClass = CLASSES[c];
        s.matrix = StepMatrix.decode(MEASURES, STEPS, from);
        s.knots = StepMatrix.decode(KernelSummary.KNOTS, STEPS, from);
        return s;
    }
}
