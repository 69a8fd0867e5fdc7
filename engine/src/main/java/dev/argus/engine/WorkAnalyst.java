package dev.argus.engine;

import dev.argus.engine.RankWork.Measure;
import dev.argus.model.SpanKind;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Judges the own time of the ranks of one peer set.
 *
 * <p>For each part of own time: the peers' centre at each step is the median; a rank's excess is its difference from it. A stretch
 * of steps is the run with the largest sum of excess over a per-step threshold. It is evidence when its mean passes an effect
 * floor <em>and</em> stands out from the noise:
 * <ul>
 *   <li>compute against the lasting spread between ranks (which no averaging over time makes smaller), widened for the number
 *       of ranks looked at; or, when the rank was like its peers at other steps, against its own noise;
 *   <li>gaps, whose noise has a heavy tail, against the peers' own worst gaps; a single step needs a gap that no hiccup has.
 * </ul>
 * A step in which all peers were disturbed together (checkpoint, warm-up) proves nothing about one of them: half of the
 * common disturbance is demanded on top.
 */
final class WorkAnalyst {
    /** Share of a common disturbance that single ranks may differ by. */
    private static final double COMMON_SHARE = 0.6;

    /**
     * Gaps are held against the lower third of the peers: the ranks of a busy host may be half of all, and gaps have no healthy
     * lasting spread as compute has.
     */
    private static final double GAP_CENTRE = 1 / 3.0;

    /** Spread between processes that share CPU cores. */
    private static final double CPU_SPREAD_RATIO = 0.025;

    /** The worst stretch of a heavy-tailed job grows with the number of ranks; this many are within the factor for tails. */
    private static final int FAMILY_RANKS = 2;

    /**
     * Growth of that factor with the logarithm of the ranks. Measured on 490 healthy jobs of 8 to 256 ranks with Pareto gaps
     * (exponent 2, cut at 6 % of the step): 19 jobs with a false alarm without it, 3 with it.
     */
    private static final double FAMILY_GROWTH = 0.5;

    /** Stretches looked for in one rank and part. */
    private static final int MAX_STRETCHES = 3;

    private final Thresholds t;

    WorkAnalyst(Thresholds thresholds) {
        this.t = thresholds;
    }

    /** @param loadsData which ranks load the data for others: their gaps are held against each other */
    void judge(int attempt, int peerSet, StepMatrix m, IntPredicate loadsData, Out out) {
        int[] ranks = m.rows();
        double[] stepNanos = columnMedians(m.measure(Measure.DURATION));
        double typicalStep = Robust.median(stepNanos);
        boolean gpu =
                Robust.median(rowMedians(m.measure(Measure.COVER_KIND))) % Measure.AFTER_WORK_FLAG >= Measure.GPU_FLAG;
        double[][] work = m.measure(Measure.WORK);
        Noise compute = null;
        for (OwnComponent c : OwnComponent.values()) {
            double[][] x = m.measure(measureOf(c));
            Noise noise = new Noise(x, c == OwnComponent.GAP ? GAP_CENTRE : 0.5);
            if (c == OwnComponent.GAP) {
                noise.withoutRole(ranks, loadsData);
            }
            if (c == OwnComponent.COMPUTE) {
                compute = noise;
            }
            if (ranks.length < 2) {
                continue;
            }
            for (int r = 0; r < ranks.length; r++) {
                stretches(new Case(attempt, peerSet, m, ranks, r, c, x, noise, typicalStep, gpu, work), out);
            }
        }
        if (compute != null) {
            Noise gap = new Noise(m.measure(Measure.GAP), 0.5);
            Noise workNoise = new Noise(work, 0.5);
            out.emit(new WorkReference(
                    attempt,
                    peerSet,
                    ranks.length,
                    m.steps(),
                    compute.centre,
                    gap.centre,
                    stepNanos,
                    workNoise.centre,
                    ratio(compute.within, compute.typical),
                    ratio(workNoise.within, workNoise.typical)));
        }
    }

    private static double ratio(double a, double b) {
        return b > 0 ? a / b : 0;
    }

    private static int measureOf(OwnComponent c) {
        return switch (c) {
            case COMPUTE -> Measure.COMPUTE;
            case COPY -> Measure.COPY;
            case GAP -> Measure.GAP;
        };
    }

    /** What one judgement looks at; arrays are shared and not changed. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Case(
            int attempt,
            int peerSet,
            StepMatrix m,
            int[] ranks,
            int r,
            OwnComponent c,
            double[][] x,
            Noise noise,
            double typicalStep,
            boolean gpu,
            double[][] work) {}

    private void stretches(Case k, Out out) {
        Noise noise = k.noise();
        double[] excess = noise.excess[k.r()].clone();
        double perStep = perStepThreshold(k);
        for (int i = 0; i < MAX_STRETCHES; i++) {
            double[] over = new double[excess.length];
            for (int s = 0; s < over.length; s++) {
                over[s] = excess[s] - perStep - COMMON_SHARE * noise.common[s];
            }
            Segment segment = Segment.best(over, -perStep);
            if (segment == null) {
                return;
            }
            WorkFinding finding = accept(k, excess, segment, perStep);
            if (finding != null) {
                out.emit(finding);
            }
            Arrays.fill(excess, segment.first(), segment.last() + 1, Double.NaN);
        }
    }

    private double perStepThreshold(Case k) {
        Noise n = k.noise();
        return switch (k.c()) {
            case COMPUTE -> Math.max(t.computeStepRatio() * n.typical, (k.gpu() ? 1.0 : 2.0) * n.within);
            case COPY -> Math.max(0.005 * k.typicalStep(), Math.max(0.15 * n.typical, 2 * n.within));
            case GAP -> Math.max(0.005 * k.typicalStep(), n.tail);
        };
    }

    private @Nullable WorkFinding accept(Case k, double[] excess, Segment segment, double perStep) {
        Stretch stretch = new Stretch(k.noise(), k.r(), excess, segment, perStep, k.c() == OwnComponent.COMPUTE);
        if (stretch.active == 0) {
            return null;
        }
        Judgement j = switch (k.c()) {
            case COMPUTE -> compute(k, stretch);
            case COPY -> copy(k, stretch);
            case GAP -> gap(k, stretch);
        };
        return j.holds() ? finding(k, excess, stretch, j) : null;
    }

    /**
     * @param holds true when the stretch is evidence
     * @param thresholdNanos mean demanded
     * @param sigma noise of such a mean
     * @param ownHistory true when the rank was like its peers at other steps
     * @param weak true for a pause that accuses nobody by itself
     */
    private record Judgement(boolean holds, double thresholdNanos, double sigma, boolean ownHistory, boolean weak) {
        Judgement(boolean holds, double thresholdNanos, double sigma, boolean ownHistory) {
            this(holds, thresholdNanos, sigma, ownHistory, false);
        }
    }

    private Judgement compute(Case k, Stretch s) {
        Noise n = k.noise();
        double spread = Math.max(n.between, (k.gpu() ? t.spreadRatio() : CPU_SPREAD_RATIO) * n.typical);
        double family = Math.sqrt(2 * Math.log(Math.max(2, k.ranks().length))) + t.familySigmas();
        double sigma = Math.sqrt(spread * spread + n.within * n.within / s.active);
        double lasting = t.computeLastingRatio() * (k.ranks().length < 3 ? 2 : 1);
        double threshold = Math.max(lasting * n.typical, family * sigma);
        boolean persistent = s.active >= Math.min(3, s.seen) || s.mean >= 0.25 * k.typicalStep();
        boolean history = s.outside >= 2;
        if (history && s.mean < threshold) {
            double own = Math.sqrt(n.within * n.within * (1.0 / s.active + 1.0 / s.outside));
            double floor = (k.gpu() ? t.computeShiftRatio() : CPU_SPREAD_RATIO) * n.typical;
            double change = Math.max(floor, (family + 1) * Math.max(own, 0.25 * spread));
            return new Judgement(persistent && s.mean - s.before >= change, change, own, true);
        }
        return new Judgement(persistent && s.mean >= threshold, threshold, sigma, history);
    }

    private Judgement copy(Case k, Stretch s) {
        Noise n = k.noise();
        double sigma = Math.max(n.within, 0.02 * n.typical);
        double threshold = Math.max((t.copyRatio() - 1) * n.typical, 0.01 * k.typicalStep());
        threshold = Math.max(threshold, 4 * sigma);
        boolean persistent = s.active >= Math.min(2, s.seen) || s.mean >= t.gapSingleRatio() * k.typicalStep();
        return new Judgement(persistent && s.mean >= threshold, threshold, sigma, s.outside >= 2);
    }

    /**
     * Gaps have a heavy tail: what counts is the whole stretch, dips included, against the best stretches of the peers. What stands out from
     * the healthy third only may be one of many on a busy host, and accuses nobody by itself.
     */
    private Judgement gap(Case k, Stretch s) {
        Noise n = k.noise();
        boolean several = s.active >= 3;
        double floor = (several ? t.gapStepRatio() : t.gapSingleRatio()) * k.typicalStep();
        double[] others = new double[k.x().length - 1];
        for (int r = 0, i = 0; r < k.x().length; r++) {
            if (r != k.r()) {
                others[i++] = n.best[r];
            }
        }
        boolean changed = s.outside < 2 || ownChange(k, s) >= 0.5 * s.total / s.length;
        boolean large = s.total / s.length >= floor / 2;
        double family = 1 + FAMILY_GROWTH * Math.max(0, Math.log(k.ranks().length / (double) FAMILY_RANKS));
        double threshold = Math.max(floor, t.gapTailFactor() * n.tailOfMost);
        double sigma = Math.max(n.tailOfMost, 1e3);
        boolean single = !several && s.mean >= t.gapSingleRatio() * k.typicalStep();
        boolean alone = single
                || s.total - s.length * n.tailOfMost >= family * t.gapTailFactor() * Robust.lowerQuantile(others, 0.5);
        if (alone && large && changed && s.mean >= threshold) {
            return new Judgement(true, threshold, sigma, s.outside >= 2);
        }
        double lenient = Math.max(floor, t.gapTailFactor() * n.tail);
        boolean oneOfMany = several
                && s.mean >= lenient
                && s.total - s.length * n.tail >= t.gapTailFactor() * Robust.lowerQuantile(others, GAP_CENTRE);
        if (oneOfMany && large && changed) {
            return new Judgement(true, lenient, Math.max(n.tail, 1e3), s.outside >= 2, true);
        }
        double pause = Math.max(t.pauseRatio() * k.typicalStep(), 2 * t.gapTailFactor() * n.tail);
        return new Judgement(!several && changed && s.mean >= pause, pause, sigma, true, true);
    }

    /** How much longer the rank's own gaps are inside the stretch: peers that have fewer than before change nothing about it. */
    private static double ownChange(Case k, Stretch s) {
        double inside = 0;
        double outside = 0;
        int in = 0;
        int out = 0;
        double[] own = k.x()[k.r()];
        for (int i = 0; i < own.length; i++) {
            if (Double.isNaN(own[i])) {
                continue;
            }
            if (i >= s.first && i <= s.last) {
                inside += own[i];
                in++;
            } else {
                outside += own[i];
                out++;
            }
        }
        return in == 0 || out == 0 ? 0 : inside / in - outside / out;
    }

    /** A stretch of steps of one rank, its quiet ends cut off, and what lies outside it. */
    private static final class Stretch {
        /** A step at the end of a stretch belongs to it when it has at least this share of the mean. */
        private static final double END_SHARE = 0.35;

        final int first;
        final int last;
        final int length;
        final int active;
        final double mean;
        final double total;
        final int seen;
        final int outside;
        final double before;

        Stretch(Noise n, int r, double[] excess, Segment segment, double perStep, boolean mayRamp) {
            double[] inside = Arrays.copyOfRange(excess, segment.first(), segment.last() + 1);
            double level = mean(excess, segment.first(), segment.last(), perStep);
            int a = segment.first();
            int b = segment.last();
            double end = mayRamp && ramp(inside) ? perStep : Math.max(perStep, END_SHARE * level);
            while (a < b && !(excess[a] >= end)) {
                a++;
            }
            while (b > a && !(excess[b] >= end)) {
                b--;
            }
            first = a;
            last = b;
            double bar = Math.max(perStep, 0.2 * level);
            int count = 0;
            int kept = 0;
            double sum = 0;
            for (int s = a; s <= b; s++) {
                if (Double.isNaN(excess[s])) {
                    continue;
                }
                kept++;
                sum += excess[s];
                count += excess[s] >= bar ? 1 : 0;
            }
            active = count;
            length = Math.max(1, kept);
            total = sum;
            mean = mean(excess, a, b, bar);
            int all = 0;
            int out = 0;
            double outSum = 0;
            for (int s = 0; s < excess.length; s++) {
                if (!Double.isNaN(n.excess[r][s])) {
                    all++;
                    if (s < a || s > b) {
                        out++;
                        outSum += n.excess[r][s];
                    }
                }
            }
            seen = all;
            outside = out;
            before = out > 0 ? Math.max(0, outSum / out) : 0;
        }

        private static double mean(double[] excess, int first, int last, double bar) {
            double sum = 0;
            int n = 0;
            for (int s = first; s <= last; s++) {
                if (excess[s] >= bar) {
                    sum += excess[s];
                    n++;
                }
            }
            return n > 0 ? sum / n : 0;
        }

        Segment segment() {
            return new Segment(first, last, total);
        }
    }

    private static WorkFinding finding(Case k, double[] excess, Stretch stretch, Judgement j) {
        Noise n = k.noise();
        Segment segment = stretch.segment();
        int length = segment.length();
        long[] steps = new long[length];
        double[] kept = new double[length];
        double own = 0;
        double reference = 0;
        for (int i = 0; i < length; i++) {
            int s = segment.first() + i;
            steps[i] = k.m().step(s);
            kept[i] = Double.isNaN(excess[s]) ? 0 : excess[s];
            own += Double.isNaN(excess[s]) ? 0 : k.x()[k.r()][s];
            reference += Double.isNaN(excess[s]) ? 0 : n.centre[s];
        }
        GapFacts gap = new GapFacts(k.m(), k.r(), segment, excess);
        return new WorkFinding(
                k.attempt(),
                k.peerSet(),
                k.ranks()[k.r()],
                k.c(),
                steps,
                kept,
                n.typical,
                k.typicalStep(),
                reference > 0 ? own / reference : Double.POSITIVE_INFINITY,
                stretch.mean,
                stretch.active,
                j.thresholdNanos(),
                j.sigma() > 0 ? stretch.mean / j.sigma() : Double.POSITIVE_INFINITY,
                j.ownHistory(),
                ramp(kept),
                peerRatio(k.work(), k.r(), segment),
                peerRatio(k.m().measure(Measure.KERNELS), k.r(), segment),
                peerRatio(k.m().measure(Measure.EXCHANGE_BYTES), k.r(), segment),
                peerRatio(k.m().measure(Measure.COPY_BYTES), k.r(), segment),
                gap.hostLate,
                gap.input,
                gap.afterWork,
                gap.coverShare,
                gap.cover,
                gap.coverKind,
                new double[] {
                    peerRatio(k.m().measure(Measure.FORWARD), k.r(), segment),
                    peerRatio(k.m().measure(Measure.BACKWARD), k.r(), segment),
                    peerRatio(k.m().measure(Measure.OPTIMIZER), k.r(), segment)
                },
                k.ranks().length,
                stretch.seen,
                j.weak(),
                k.gpu());
    }

    /**
     * True when the excess grows steadily: a fitted line rises by more than 0.4 of the mean to either side, explains most of the
     * variance, and more of it than the best single step up would.
     */
    static boolean ramp(double[] excess) {
        int n = excess.length;
        if (n < 5) {
            return false;
        }
        double mx = (n - 1) / 2.0;
        double my = Arrays.stream(excess).average().orElse(0);
        double sxy = 0;
        double sxx = 0;
        double syy = 0;
        for (int i = 0; i < n; i++) {
            sxy += (i - mx) * (excess[i] - my);
            sxx += (i - mx) * (i - mx);
            syy += (excess[i] - my) * (excess[i] - my);
        }
        double slope = sxy / sxx;
        double explained = syy > 0 ? sxy * sxy / (sxx * syy) : 0;
        return slope * mx > 0.4 * my && explained > 0.6 && explained > stepExplains(excess, my, syy);
    }

    /** Share of the variance that the best split in two levels explains. */
    private static double stepExplains(double[] excess, double mean, double variance) {
        double best = 0;
        double left = 0;
        double all = mean * excess.length;
        for (int k = 1; k < excess.length; k++) {
            left += excess[k - 1];
            double a = left / k - mean;
            double b = (all - left) / (excess.length - k) - mean;
            best = Math.max(best, k * a * a + (excess.length - k) * b * b);
        }
        return variance > 0 ? best / variance : 0;
    }

    private static double peerRatio(double[][] x, int r, Segment segment) {
        double own = 0;
        double peers = 0;
        for (int s = segment.first(); s <= segment.last(); s++) {
            double[] column = column(x, s);
            if (!Double.isNaN(x[r][s])) {
                own += x[r][s];
                peers += x.length == 2 ? column[1 - r] : Robust.median(column);
            }
        }
        if (own > 0 && peers == 0) {
            return Double.POSITIVE_INFINITY;
        }
        return peers > 0 && own > 0 ? own / peers : 1;
    }

    static double[] column(double[][] x, int s) {
        double[] out = new double[x.length];
        for (int r = 0; r < x.length; r++) {
            out[r] = x[r][s];
        }
        return out;
    }

    private static double[] columnMedians(double[][] x) {
        double[] out = new double[x.length == 0 ? 0 : x[0].length];
        for (int s = 0; s < out.length; s++) {
            out[s] = Robust.median(column(x, s));
        }
        return out;
    }

    private static double[] rowMedians(double[][] x) {
        double[] out = new double[x.length];
        for (int r = 0; r < out.length; r++) {
            out[r] = Robust.median(x[r]);
        }
        return out;
    }

    /** Centre and noise of one part of own time over ranks and steps. */
    private static final class Noise {
        /** What is healthy at each step. */
        final double[] centre;
        /** Difference from it, [rank][step]. */
        final double[][] excess;
        /** How far the centre was above its typical value: a disturbance of all. */
        final double[] common;
        /** Median of the centre over steps. */
        final double typical;
        /** Standard deviation of a rank's excess from step to step. */
        final double within;
        /** Standard deviation of the ranks' lasting excess. */
        final double between;
        /** The peers' own bad steps: a healthy rank's upper quartile of excess. */
        final double tail;
        /** The same of the median rank. */
        final double tailOfMost;
        /** The largest sum of excess over any stretch, by rank. */
        final double[] best;

        /** @param healthy quantile over ranks that is taken as healthy */
        Noise(double[][] x, double healthy) {
            centre = centres(x, healthy);
            typical = orZero(Robust.median(centre));
            common = new double[centre.length];
            excess = new double[x.length][centre.length];
            for (int s = 0; s < centre.length; s++) {
                common[s] = Math.max(0, orZero(centre[s]) - typical);
                for (int r = 0; r < x.length; r++) {
                    excess[r][s] = x[r][s] - centre[s];
                }
            }
            double[] changes = new double[x.length * Math.max(1, centre.length)];
            Arrays.fill(changes, Double.NaN);
            double[] lasting = new double[x.length];
            double[] worst = new double[x.length];
            for (int r = 0; r < x.length; r++) {
                for (int s = 1; s < centre.length; s++) {
                    changes[r * centre.length + s] = Math.abs(excess[r][s] - excess[r][s - 1]);
                }
                lasting[r] = Robust.median(excess[r]);
                worst[r] = Robust.quantile(excess[r], 0.75);
            }
            within = orZero(Robust.MAD_TO_SIGMA * Robust.median(changes) / Math.sqrt(2));
            between = x.length < 3 ? 0 : orZero(Robust.shorthSigma(lasting));
            tailOfMost = Math.max(0, orZero(x.length < 4 ? Robust.lowerQuantile(worst, 0.5) : Robust.median(worst)));
            tail = Math.max(0, orZero(healthy < 0.5 ? Robust.lowerQuantile(worst, healthy) : Robust.median(worst)));
            best = new double[x.length];
            for (int r = 0; r < x.length; r++) {
                double[] over = new double[centre.length];
                for (int s = 0; s < over.length; s++) {
                    over[s] = excess[r][s] - tail - common[s];
                }
                Segment segment = Segment.best(over, 0);
                best[r] = segment == null ? 0 : segment.score();
            }
        }

        /** The healthy quantile over ranks; of two ranks the faster, for their median would share the blame. */
        private static double[] centres(double[][] x, double healthy) {
            double[] out = new double[x.length == 0 ? 0 : x[0].length];
            for (int s = 0; s < out.length; s++) {
                out[s] = healthy < 0.5 ? Robust.lowerQuantile(column(x, s), healthy) : Robust.median(column(x, s));
            }
            for (int s = 0; x.length == 2 && s < out.length; s++) {
                out[s] = Double.isNaN(out[s]) ? out[s] : Math.min(orMax(x[0][s]), orMax(x[1][s]));
            }
            return out;
        }

        private static double orMax(double v) {
            return Double.isNaN(v) ? Double.MAX_VALUE : v;
        }

        /**
         * Takes from the excess of ranks that load data for others what all of them have: the least lasting excess among the others
         * of that role.
         */
        void withoutRole(int[] ranks, IntPredicate role) {
            double[] lasting = new double[ranks.length];
            for (int r = 0; r < ranks.length; r++) {
                lasting[r] = orZero(Robust.median(excess[r]));
            }
            for (int r = 0; r < ranks.length; r++) {
                double least = Double.POSITIVE_INFINITY;
                for (int o = 0; o < ranks.length; o++) {
                    if (o != r && role.test(ranks[r]) && role.test(ranks[o])) {
                        least = Math.min(least, lasting[o]);
                    }
                }
                if (least > 0 && least < Double.POSITIVE_INFINITY) {
                    for (int s = 0; s < centre.length; s++) {
                        excess[r][s] -= least;
                    }
                }
            }
        }

        private static double orZero(double v) {
            return Double.isNaN(v) ? 0 : v;
        }
    }

    /** What is known of the gaps of a stretch. */
    private static final class GapFacts {
        final double hostLate;
        final double input;
        final int cover;
        final double coverShare;
        final double afterWork;
        final SpanKind coverKind;

        GapFacts(StepMatrix m, int r, Segment segment, double[] excess) {
            double[] gaps = m.measure(Measure.GAP)[r];
            double[] host = m.measure(Measure.HOST_GAP)[r];
            double[] top = m.measure(Measure.TOP_GAP)[r];
            double[] covers = m.measure(Measure.COVER)[r];
            double[] kinds = m.measure(Measure.COVER_KIND)[r];
            double[] inputs = m.measure(Measure.INPUT_GAP)[r];
            double all = 0;
            double late = 0;
            double before = 0;
            double over = 0;
            double longest = 0;
            double behind = 0;
            Map<Integer, Double> byCover = new HashMap<>();
            Map<Integer, Integer> kindOf = new HashMap<>();
            for (int s = segment.first(); s <= segment.last(); s++) {
                if (Double.isNaN(excess[s]) || excess[s] <= 0) {
                    continue;
                }
                all += gaps[s];
                late += host[s];
                before += Math.min(inputs[s], excess[s]);
                over += excess[s];
                byCover.merge((int) covers[s], top[s], Double::sum);
                kindOf.put((int) covers[s], (int) kinds[s] % Measure.GPU_FLAG);
                longest += top[s];
                behind += kinds[s] >= Measure.AFTER_WORK_FLAG ? top[s] : 0;
            }
            hostLate = all > 0 ? late / all : 0;
            input = over > 0 ? before / over : 0;
            int best = -1;
            double most = 0;
            for (Map.Entry<Integer, Double> e : byCover.entrySet()) {
                if (e.getValue() > most || (e.getValue() == most && e.getKey() < best)) {
                    most = e.getValue();
                    best = e.getKey();
                }
            }
            cover = best;
            coverShare = all > 0 ? Math.min(1, most / all) : 0;
            afterWork = longest > 0 ? behind / longest : 0;
            coverKind = SpanKind.values()[kindOf.getOrDefault(best, SpanKind.RUNTIME.ordinal())];
        }
    }
}
