package dev.argus.engine;

import dev.argus.model.DurationSummary;
import dev.argus.model.JobShape;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import dev.argus.wire.KernelRecordCodec;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * L3: the durations of one compute kernel, rank by rank, against the peers' centre. Key: (attempt, peer set, kernel).
 *
 * <p>What decides is the ratio of means, over a stretch of steps: it is the signed W1 distance of the quantile functions over the
 * centre's mean, for in one dimension the signed area between them is the difference of the means. Where a rank is above, the whole
 * quantile functions are compared too ({@link KernelDistance}), from the bounded summaries: a kernel whose duration modes all lie where
 * the peers have them, and only their weights differ, ran other shapes and is not slow.
 *
 * <p>State: 3 binary32 for each of the last {@value #STEPS} steps and a rank, 576 bytes when full, as many again for ranks that stood out; and the
 * summaries of at most {@value #PENDING} steps that not all ranks have delivered yet, about 200 bytes each.
 */
final class KernelShift implements Transform<KernelStep, KernelShift.State> {
    private static final int STEPS = 48;

    /** Steps whose summaries are kept until all ranks had time to deliver. */
    private static final int PENDING = 3;

    private static final int MEASURES = 3;
    private static final int MEAN = 0;
    private static final int COUNT = 1;
    private static final int WORK = 2;

    /** Of ranks that stood out in a step. */
    private static final int DISTANCES = 3;

    private static final int DISTANCE = 0;
    private static final int MOVED = 1;
    private static final int MODE = 2;

    /** Noise assumed of a kernel's mean duration on one rank and step. */
    private static final double FLOOR_NOISE_RATIO = 0.006;

    /** Kernels of a job among which chance picks: more than most have. */
    private static final int KERNELS = 64;

    /** A step belongs to a stretch from this share of the ratio demanded on. */
    private static final double STEP_SHARE = 0.6;

    /** Below this share of the excess a shift of the modes does not explain it: the mix has changed. */
    private static final double MIX_SHARE = 1.0 / 3;

    /** More threads a launch explain the time when they explain at least so much of the excess. */
    private static final double WORK_SHARE = 0.5;

    private final JobShape shape;
    private final Thresholds t;
    private final int[] expected;

    KernelShift(JobShape shape, Thresholds thresholds) {
        this.shape = shape;
        this.t = thresholds;
        this.expected = shape.peerSets().stream()
                .mapToInt(set -> set.intersect(shape.ranks()).size())
                .toArray();
    }

    /** What is kept of one kernel in one peer set. */
    static final class State {
        final int attempt;
        final int peerSet;
        final int kernel;
        StepMatrix matrix = new StepMatrix(MEASURES, STEPS);
        StepMatrix distances = new StepMatrix(DISTANCES, STEPS);
        final TreeMap<Long, StepSummaries> pending = new TreeMap<>();

        /** Of {@code pending} the step of the last record, for most records are of it. */
        private long openStep;

        private @Nullable StepSummaries open;

        /** Steps compared since all ranks had delivered, so that a record that comes again does not open them again. */
        final TreeSet<Long> compared = new TreeSet<>();

        State(int attempt, int peerSet, int kernel) {
            this.attempt = attempt;
            this.peerSet = peerSet;
            this.kernel = kernel;
        }
    }

    @Override
    public long key(KernelStep k) {
        return Keys.of(k.attempt(), shape.peerSetOf(k.rank()) + 1, k.kernel());
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key), Keys.first(key) - 1, Keys.second(key));
    }

    @Override
    public void onRecord(State s, KernelStep k, Out out) {
        long count = k.count();
        if (count == 0) {
            return;
        }
        if (s.matrix.isDueBefore(k.step())) {
            judge(s, out);
        }
        float mean = (float) k.meanNanos();
        float work = (float) k.workItems() / count;
        int row = s.matrix.place(k.rank(), k.step(), mean, (float) count, work);
        if (row < 0) {
            out.loss("late-step");
            return;
        }
        if (k.step() == s.openStep && s.open != null) {
            deliver(s, k, row, s.open);
            return;
        }
        boolean settled = (s.pending.size() == PENDING && k.step() < s.pending.firstKey())
                || s.compared.contains(k.step())
                || (s.compared.size() == STEPS && k.step() < s.compared.first());
        if (settled) {
            return;
        }
        StepSummaries members = s.pending.computeIfAbsent(k.step(), step -> new StepSummaries(room(s.peerSet)));
        s.openStep = k.step();
        s.open = members;
        deliver(s, k, row, members);
        if (s.pending.size() > PENDING) {
            Map.Entry<Long, StepSummaries> oldest = s.pending.pollFirstEntry();
            s.open = null;
            settle(s, oldest.getKey(), oldest.getValue());
        }
    }

    private void deliver(State s, KernelStep k, int row, StepSummaries members) {
        members.put(row, k.meanNanos(), k.streams());
        if (members.size() >= expected(s.peerSet)) {
            s.open = null;
            settle(s, k.step(), members);
            s.pending.remove(k.step());
            s.compared.add(k.step());
            if (s.compared.size() > STEPS) {
                s.compared.pollFirst();
            }
        }
    }

    /** Ranks that may deliver; a kernel that only some of them run is compared when newer steps push it out. */
    private int expected(int peerSet) {
        return peerSet < 0 ? Integer.MAX_VALUE : expected[peerSet];
    }

    @Override
    public void onTimer(State s, long eventNanos, Out out) {
        judge(s, out);
    }

    private int room(int peerSet) {
        return peerSet < 0 ? 0 : expected[peerSet];
    }

    /** Compares the whole distributions of the ranks that stand out in a step. */
    private void settle(State s, long step, StepSummaries summaries) {
        int n = summaries.size();
        if (n < 2) {
            return;
        }
        int[] ranks = new int[n];
        int[] rows = new int[n];
        double[] means = new double[n];
        int at = 0;
        for (int rank : s.matrix.rows()) {
            int row = s.matrix.number(rank);
            if (summaries.get(row) != null) {
                ranks[at] = rank;
                rows[at] = row;
                means[at++] = summaries.mean(row);
            }
        }
        double typical = Robust.median(means);
        double least = typical * (1 + STEP_SHARE * (t.kernelRatio() - 1));
        KernelDistance.Centre centre = null;
        for (int i = 0; i < n; i++) {
            if (means[i] > least) {
                centre = centre == null
                        ? new KernelDistance.Centre(means, member -> summaries.of(rows[member]))
                        : centre;
                KernelDistance d = centre.to(summaries.of(rows[i]));
                s.distances.put(ranks[i], step, (float) d.signedRatio(), (float) d.movedRatio(), (float) d.modeRatio());
            }
        }
    }

    private void judge(State s, Out out) {
        s.pending.forEach((step, members) -> settle(s, step, members));
        s.matrix.judged();
        Judged.emit(s.attempt, Judged.By.KERNELS, s.peerSet, s.kernel, s.matrix, out);
        int[] ranks = s.matrix.rows();
        double[][] mean = s.matrix.measure(MEAN);
        double[][] count = s.matrix.measure(COUNT);
        int steps = s.matrix.size();
        double[] centre = new double[steps];
        double[] perStep = new double[steps];
        for (int i = 0; i < steps; i++) {
            centre[i] = Robust.medianOf(WorkAnalyst.column(mean, i));
            perStep[i] = centre[i] * Robust.medianOf(WorkAnalyst.column(count, i));
        }
        double share = Robust.median(perStep);
        if (share > 0) {
            out.emit(new KernelShare(s.attempt, s.peerSet, s.kernel, share));
        }
        if (ranks.length < 2) {
            return;
        }
        double[][] relative = mean; // in its place, for the means are not needed any more
        for (double[] of : relative) {
            for (int i = 0; i < steps; i++) {
                of[i] = of[i] / centre[i] - 1;
            }
        }
        boolean explained = WorkExplained.takeOut(relative, s.matrix.measure(WORK));
        double[] changes = new double[ranks.length * Math.max(0, steps - 1)];
        int at = 0;
        for (double[] of : relative) {
            for (int i = 0; i < steps; i++) {
                if (i > 0) {
                    changes[at++] = Math.abs(of[i] - of[i - 1]);
                }
            }
        }
        double noise = Robust.MAD_TO_SIGMA * Robust.medianOf(changes) / Math.sqrt(2);
        noise = Math.max(FLOOR_NOISE_RATIO, Double.isNaN(noise) ? 0 : noise);
        Spread spread = new Spread(relative, noise, explained, s.matrix.looks());
        for (int r = 0; r < ranks.length; r++) {
            judge(s, ranks, r, relative[r], noise, spread, centre, count[r], share, out);
        }
    }

    /** What is usual among the ranks of one kernel; worked out when a rank stands out, which in most kernels none does. */
    private final class Spread {
        private final double[][] relative;
        private final double noise;
        /** True when what the work explains was taken out: the durations as they are have other modes and more threads for that reason. */
        private final boolean explained;

        private final long looks;
        private double ratio = Double.NaN;
        private double wide = Double.NaN;
        private @Nullable GapChance chance;

        /** @param looks at these kernels so far, this one among them: chance has as many tries */
        Spread(double[][] relative, double noise, boolean explained, long looks) {
            this.looks = looks;
            this.relative = relative;
            this.noise = noise;
            this.explained = explained;
        }

        /** The noise with its tail. */
        double wide() {
            if (Double.isNaN(wide)) {
                double tail = WorkNoise.wide(relative);
                wide = Math.max(noise, Double.isNaN(tail) ? 0 : tail);
            }
            return wide;
        }

        /** How likely healthy events with a tail fall so on one rank. */
        double chance(int r, Segment in, double bar) {
            GapChance c = chance;
            if (c == null) {
                c = new GapChance(relative, (long) relative.length * KERNELS * Math.max(1, looks));
                chance = c;
            }
            return c.of(r, in.first(), in.last(), bar);
        }

        /** How far they lie apart for ever, at least what healthy ones do. */
        double ratio() {
            if (Double.isNaN(ratio)) {
                double found = relative.length < 4
                        ? 0
                        : Robust.shorthSigma(Arrays.stream(relative)
                                .mapToDouble(Robust::median)
                                .toArray());
                ratio = Math.max(t.spreadRatio(), Double.isNaN(found) ? 0 : found);
            }
            return ratio;
        }
    }

    private void judge(
            State s,
            int[] ranks,
            int r,
            double[] relative,
            double noise,
            Spread spread,
            double[] centre,
            double[] count,
            double share,
            Out out) {
        double floor = t.kernelRatio() - 1;
        double least = Math.max(STEP_SHARE * floor, 1.5 * noise);
        if (!anyAbove(relative, least)) {
            return;
        }
        double[] over = new double[relative.length];
        for (int i = 0; i < over.length; i++) {
            over[i] = relative[i] - least;
        }
        Segment segment = Segment.best(over, -STEP_SHARE * floor);
        if (segment == null) {
            return;
        }
        double sum = 0;
        double most = 0;
        double impact = 0;
        int n = 0;
        for (int i = segment.first(); i <= segment.last(); i++) {
            if (!Double.isNaN(relative[i])) {
                sum += relative[i];
                most = Math.max(most, relative[i]);
                impact += relative[i] * centre[i] * count[i];
                n++;
            }
        }
        double excess = sum / Math.max(1, n);
        double rest = n > 1 ? (sum - most) / (n - 1) : excess; // a few long events in one step are no slow kernel
        if (n < Math.min(2, relative.length) || rest < floor) {
            return;
        }
        double k = Math.sqrt(2 * Math.log(ranks.length)) + t.familySigmas();
        double sigma = Math.sqrt(spread.ratio() * spread.ratio() + spread.wide() * spread.wide() / n);
        if (rest < k * sigma) {
            return;
        }
        boolean raw = !spread.explained;
        double mode = raw ? distance(s, ranks[r], MODE, segment) : Double.NaN;
        if (Math.abs(mode) < Math.min(floor, MIX_SHARE * excess)) {
            return;
        }
        if (raw && moreWork(s, r, segment) >= WORK_SHARE * excess) {
            return;
        }
        double distance = raw ? distance(s, ranks[r], DISTANCE, segment) : Double.NaN;
        double moved = raw ? distance(s, ranks[r], MOVED, segment) : Double.NaN;
        boolean usual = relative.length > 2; // of fewer steps nobody knows what is usual
        if (usual && spread.chance(r, segment, least) > GapChance.MOST) {
            return; // a few long events, such as others have
        }
        out.emit(new KernelFinding(
                s.attempt,
                s.peerSet,
                ranks[r],
                s.kernel,
                s.matrix.step(segment.first()),
                s.matrix.step(segment.last()),
                1 + excess,
                Double.isNaN(distance) ? excess : distance,
                Double.isNaN(moved) ? 1 : moved,
                impact / n,
                share,
                n,
                sigma,
                spread.explained));
    }

    private static boolean anyAbove(double[] values, double least) {
        for (double value : values) {
            if (value > least) {
                return true;
            }
        }
        return false;
    }

    /** How many more threads a launch has than a typical peer's, as a ratio less 1; 0 when unknown. */
    private static double moreWork(State s, int r, Segment segment) {
        int[] ranks = s.matrix.rows();
        double[] all = new double[ranks.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = s.matrix.mean(ranks[i], WORK, segment.first(), segment.last());
        }
        double own = all[r];
        double typical = Robust.median(all);
        return typical > 0 && own > 0 ? own / typical - 1 : 0;
    }

    /** Mean over the steps of a stretch in which the rank stood out; NaN when it did in none. */
    private static double distance(State s, int rank, int measure, Segment segment) {
        double[] row = s.distances.row(rank, measure);
        double sum = 0;
        int n = 0;
        for (int i = 0; i < row.length; i++) {
            long step = s.distances.step(i);
            boolean inside = step >= s.matrix.step(segment.first()) && step <= s.matrix.step(segment.last());
            if (inside && !Double.isNaN(row[i])) {
                sum += row[i];
                n++;
            }
        }
        return n > 0 ? sum / n : Double.NaN;
    }

    @Override
    public void encode(State s, WireWriter to) {
        s.matrix.encode(to);
        s.distances.encode(to);
        to.writeVarint(s.compared.size());
        s.compared.forEach(to::writeSigned);
        to.writeVarint(s.pending.size());
        s.pending.forEach((step, summaries) -> {
            to.writeSigned(step).writeVarint(summaries.size());
            for (int rank : s.matrix.rows()) {
                int row = s.matrix.number(rank);
                if (summaries.get(row) != null) {
                    List<DurationSummary> streams = summaries.of(row);
                    to.writeVarint(rank).writeVarint(streams.size());
                    streams.forEach(summary -> KernelRecordCodec.encode(summary, to));
                }
            }
        });
    }

    @Override
    public State decode(long key, WireReader from) {
        State s = fresh(key);
        s.matrix = StepMatrix.decode(MEASURES, STEPS, from);
        s.distances = StepMatrix.decode(DISTANCES, STEPS, from);
        for (int n = from.readCount(1); n > 0; n--) {
            s.compared.add(from.readSigned());
        }
        int steps = from.readCount(2);
        if (steps > PENDING) {
            throw new WireException("summaries of " + steps + " steps, expected at most " + PENDING);
        }
        for (int i = 0; i < steps; i++) {
            StepSummaries summaries = new StepSummaries(0);
            s.pending.put(from.readSigned(), summaries);
            for (int m = from.readCount(2); m > 0; m--) {
                int rank = from.readInt();
                int row = s.matrix.number(rank);
                if (row < 0) {
                    throw new WireException("summaries of rank " + rank + ", of which there is nothing else");
                }
                List<DurationSummary> streams = new ArrayList<>();
                for (int n = from.readCount(2); n > 0; n--) {
                    streams.add(KernelRecordCodec.decodeSummary(from));
                }
                summaries.put(row, KernelDistance.mean(streams), List.copyOf(streams));
            }
        }
        return s;
    }
}
