package dev.argus.engine;

import dev.argus.engine.RankWork.Measure;
import dev.argus.model.SpanKind;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Judges the own time of the ranks of one peer set.
 *
 * <p>For each part of own time: the peers' centre at each step is the median; a rank's excess is its difference from it. A stretch
 * of steps is the run with the largest sum of excess over a per-step threshold. It is evidence when its mean passes an effect
 * floor <em>and</em> stands out from the noise, of compute also without its largest step:
 * <ul>
 *   <li>compute against the lasting spread between ranks (which no averaging over time makes smaller), widened for the number
 *       of ranks looked at; or, when the rank was like its peers at other steps, against its own noise;
 *   <li>gaps, whose noise has a heavy tail, against the peers' own worst gaps; a single step needs a gap that no hiccup has.
 * </ul>
 * A step in which all peers were disturbed together (checkpoint, warm-up) proves nothing about one of them: most of the
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

    /**
     * On a host without CPUs for all, work takes longer in ways the system does not count: caches are cold, cores are shared by threads. A rank
     * without GPU that had to wait for a CPU must exceed its peers by this share of its waits over {@value #CROWDED_STEPS} steps, and of more by less, for that
     * wanders. Measured on healthy jobs of four ranks that waited three to four times as long as they worked: the worst excess of a rank over any 3 steps in a row was
     * 0.16 of its waits, over 5 steps 0.11, over 10 steps 0.05, over 20 steps 0.04.
     */
    private static final double CROWDED_SHARE = 0.25;

    private static final int CROWDED_STEPS = 3;

    /** Longer stretches were not measured: what one of so many steps must exceed, longer ones must, too. */
    private static final int MOST_CROWDED_STEPS = 20;

    /** The worst stretch of a heavy-tailed job grows with the number of ranks; this many are within the factor for tails. */
    private static final int FAMILY_RANKS = 2;

    /**
     * Growth of that factor with the logarithm of the ranks. Measured on 490 healthy jobs of 8 to 256 ranks with Pareto gaps
     * (exponent 2, cut at 6 % of the step): 19 jobs with a false alarm without it, 3 with it.
     */
    private static final double FAMILY_GROWTH = 0.5;

    /** Where half of the ranks are slow, the centre lies among the others. */
    private static final double TWO_HALVES_CENTRE = 0.25;

    /** Of one step nobody knows what is lasting and what is its noise. */
    private static final double ONE_STEP_FACTOR = 1.5;

    /** What is only observed must exceed what the worst of all ranks reaches by chance by so many standard deviations. */
    private static final double OBSERVED_SIGMAS = 1;

    /**
     * The same of who is slower for good. Of what 1,220 simulated jobs showed between 2 and 3.5, 39 of 40 were the slowest of healthy GPUs; of what lay beyond, none.
     */
    private static final double LASTING_SIGMAS = 3.5;

    /** Share of the spread assumed between healthy GPUs that is assumed at least, where the spread of the peers is measured. */
    private static final double OBSERVED_SPREAD = 2 / 3.0;

    /** Share of what copies must exceed their peers' by to accuse. */
    private static final double OBSERVED_COPY_SHARE = 0.4;

    /** Fewer peers do not show how far healthy ones lie apart. */
    private static final int OBSERVED_RANKS = 4;

    /** Stretches looked for in one rank and part. */
    private static final int MAX_STRETCHES = 3;

    private final Thresholds t;
    private final int family;

    /** @param family ranks of the job: any of them may be the one that chance picks */
    WorkAnalyst(Thresholds thresholds, int family) {
        this.t = thresholds;
        this.family = family;
    }

    /**
     * @param warmUp what is known of how ranks warm up, of a job that goes on; null for a recording
     * @param loadsData which ranks load the data for others: their gaps and copies are held against each other
     * @param hostOf where a rank runs; empty when unknown
     * @param replicaOf which data a rank works on: what all ranks of one replica have may be the data; below 0 when unknown
     */
    void judge(
            int attempt,
            int peerSet,
            StepMatrix m,
            @Nullable WarmUp warmUp,
            IntPredicate loadsData,
            IntUnaryOperator replicaOf,
            IntFunction<String> hostOf,
            Out out) {
        int[] ranks = m.rows();
        double[] stepNanos = columnMedians(m.measure(Measure.DURATION));
        double typicalStep = Robust.median(stepNanos);
        boolean gpu = mostHaveGpus(m.measure(Measure.COVER_KIND));
        double[][] work = m.measure(Measure.WORK);
        int[] settled = warmUp == null ? new int[ranks.length] : warmUp.settled(m, typicalStep);
        WorkNoise compute = null;
        for (OwnComponent c : OwnComponent.values()) {
            if (c == OwnComponent.CPU_WAIT && gpu) {
                continue;
            }
            double[][] x = m.measure(measureOf(c));
            if (c == OwnComponent.GAP) {
                withoutEvents(x, m.measure(Measure.COVER_KIND));
            }
            double healthy = isGap(c) ? GAP_CENTRE : 0.5;
            WorkNoise all = new WorkNoise(x, healthy);
            if (c == OwnComponent.GAP) {
                Case job = new Case(attempt, peerSet, m, ranks, 0, c, x, all, typicalStep, gpu, work);
                everybody(job, out);
                everSince(job, stepNanos, out);
            }
            WorkNoise noise = WarmUp.takeOut(x, settled) ? new WorkNoise(x, healthy) : all;
            if (c != OwnComponent.COMPUTE) {
                noise.withoutRole(ranks, loadsData);
            }
            if (c == OwnComponent.COMPUTE) {
                compute = all;
                boolean[] slower = slowerHalf(noise, r -> hostOf.apply(ranks[r]), gpu);
                if (slower != null && severalReplicas(ranks, slower, replicaOf)) {
                    noise = new WorkNoise(x, TWO_HALVES_CENTRE, slower); // the slower half is no reference
                }
            }
            if (ranks.length < 2) {
                continue;
            }
            if (c == OwnComponent.GAP) {
                for (SeenPauses.Pause p : SeenPauses.of(x, stepNanos)) {
                    seen(new Case(attempt, peerSet, m, ranks, p.r(), c, x, noise, typicalStep, gpu, work), p, out);
                }
            }
            for (int r = 0; r < ranks.length; r++) {
                if (settled[r] >= m.size()) {
                    continue;
                }
                stretches(new Case(attempt, peerSet, m, ranks, r, c, x, noise, typicalStep, gpu, work), out);
            }
        }
        if (compute != null) {
            WorkNoise gap = new WorkNoise(m.measure(Measure.GAP), 0.5);
            WorkNoise workNoise = new WorkNoise(work, 0.5);
            double[][] quiet = m.measure(Measure.COMPUTE);
            withoutEvents(quiet, m.measure(Measure.COVER_KIND));
            PeerShift shift = PeerShifts.find(attempt, peerSet, m, quiet, work, compute.within, t);
            if (shift != null) {
                out.emit(shift);
            }
            OwnPauses pauses = new OwnPauses(m, ranks, typicalStep, t.pauseRatio() / 2 * typicalStep, hostOf);
            out.emit(new WorkReference(
                    attempt,
                    peerSet,
                    ranks.length,
                    m.steps(),
                    compute.centre,
                    gap.centre,
                    stepNanos,
                    workNoise.centre,
                    pauses.ranks,
                    pauses.hosts,
                    ratio(compute.within, compute.typical),
                    ratio(workNoise.within, workNoise.typical)));
        }
    }

    /** Which ranks are so many and so slow that the median would be one of them, by position; else null. */
    private boolean @Nullable [] slowerHalf(WorkNoise noise, IntFunction<String> hostOfRow, boolean gpu) {
        double split = noise.twoHalves(t.computeLastingRatio());
        if (!Double.isNaN(split)) {
            boolean[] slower = new boolean[noise.lasting.length];
            for (int r = 0; r < slower.length; r++) {
                slower[r] = noise.lasting[r] >= split;
            }
            return slower;
        }
        double least = t.computeObservedRatio() * noise.typical;
        return gpu
                ? HostsApart.slower(noise.lasting, hostOfRow, OBSERVED_SPREAD * t.spreadRatio() * noise.typical, least)
                : null;
    }

    /** True if both halves work on several pieces of data, so that longer data of one cannot be what is slow. */
    private static boolean severalReplicas(int[] ranks, boolean[] slower, IntUnaryOperator replicaOf) {
        Set<Integer> slow = new HashSet<>();
        Set<Integer> others = new HashSet<>();
        for (int r = 0; r < ranks.length; r++) {
            int replica = replicaOf.applyAsInt(ranks[r]);
            if (replica >= 0) {
                (slower[r] ? slow : others).add(replica);
            }
        }
        slow.removeAll(others);
        return slow.size() >= 2;
    }

    private static boolean mostHaveGpus(double[][] flags) {
        int with = 0;
        int all = 0;
        for (double[] row : flags) {
            for (double flag : row) {
                all += Double.isNaN(flag) ? 0 : 1;
                with += ((int) flag & Measure.GPU_FLAG) != 0 ? 1 : 0;
            }
        }
        return 2 * with > all;
    }

    /** Steps in which most ranks wrote a checkpoint or evaluated take as long as that did: nothing to compare. */
    private static void withoutEvents(double[][] x, double[][] flags) {
        for (int s = 0; x.length > 0 && s < x[0].length; s++) {
            int with = 0;
            for (double[] row : flags) {
                with += ((int) row[s] & Measure.EVENT_FLAG) != 0 ? 1 : 0;
            }
            for (int r = 0; 2 * with > x.length && r < x.length; r++) {
                x[r][s] = Double.NaN;
            }
        }
    }

    private static double ratio(double a, double b) {
        return b > 0 ? a / b : 0;
    }

    /** Parts whose noise has a heavy tail. */
    private static boolean isGap(OwnComponent c) {
        return c == OwnComponent.GAP || c == OwnComponent.CPU_WAIT;
    }

    private static int measureOf(OwnComponent c) {
        return switch (c) {
            case COMPUTE -> Measure.COMPUTE;
            case COPY -> Measure.COPY;
            case GAP -> Measure.GAP;
            case CPU_WAIT -> Measure.CPU_WAIT;
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
            WorkNoise noise,
            double typicalStep,
            boolean gpu,
            double[][] work) {}

    private void stretches(Case k, Out out) {
        WorkNoise noise = k.noise();
        double[] excess = noise.excess[k.r()].clone();
        double perStep = perStepThreshold(k);
        double[] over = new double[excess.length];
        boolean found = false;
        for (int i = 0; i < MAX_STRETCHES; i++) {
            for (int s = 0; s < over.length; s++) {
                over[s] = excess[s] - perStep - COMMON_SHARE * common(k, s);
            }
            Segment segment = Segment.best(over, -perStep);
            if (segment == null) {
                break;
            }
            WorkFinding finding = accept(k, excess, segment, perStep);
            if (finding != null) {
                out.emit(finding);
                found = true;
            }
            Arrays.fill(excess, segment.first(), segment.last() + 1, Double.NaN);
        }
        if (!found) {
            flapping(k, perStep, out);
        }
    }

    /** What disturbed all in a step. A pause of all on the border of two steps lies in the one for most, and for some in the other. */
    private double common(Case k, int s) {
        double[] common = k.noise().common;
        double own = common[s];
        if (k.c() != OwnComponent.GAP) {
            return own;
        }
        double beside = Math.max(missed(k, s - 1), missed(k, s + 1));
        return beside >= t.pauseRatio() / 2 * k.typicalStep() ? Math.max(own, beside) : own;
    }

    /** What disturbed all in a step and did not show in this rank's: it may have had it in the step beside. */
    private static double missed(Case k, int s) {
        double[] common = k.noise().common;
        boolean without = s >= 0 && s < common.length && k.noise().excess[k.r()][s] < -common[s] / 2;
        return without ? common[s] : 0;
    }

    /** Pauses that all ranks make in one step, longer than any hiccup: nobody stands out, the job stands still. */
    private void everybody(Case k, Out out) {
        double[][] x = k.x();
        double least = t.pauseRatio() / 2 * k.typicalStep();
        for (int s = 1; s < k.m().size(); s++) {
            double[] column = column(x, s);
            double low = Robust.lowerQuantile(column, GapShifts.EVERYBODY_QUANTILE) - k.noise().typical;
            if (!(low >= least)) {
                continue;
            }
            double[] excess = new double[k.m().size()];
            Arrays.fill(excess, Double.NaN);
            int r = nearest(column, Robust.median(column));
            excess[s] = x[r][s] - k.noise().typical;
            Case one = new Case(
                    k.attempt(),
                    k.peerSet(),
                    k.m(),
                    k.ranks(),
                    r,
                    k.c(),
                    x,
                    k.noise(),
                    k.typicalStep(),
                    k.gpu(),
                    k.work());
            WorkStretch stretch = new WorkStretch(k.noise(), r, excess, new Segment(s, s, low), 0, false);
            out.emit(finding(one, excess, stretch, new Judgement(true, least, least, true, Weight.EVERYBODY)));
        }
    }

    /** What all ranks wait for in every step since one of them. */
    private void everSince(Case k, double[] stepNanos, Out out) {
        double least = t.pauseRatio() * k.typicalStep();
        GapShifts.Shift shift = k.gpu() ? GapShifts.find(k.x(), stepNanos, k.work(), least) : null;
        if (shift == null) {
            return;
        }
        int last = k.m().size() - 1;
        double[] typical = columnMedians(k.x());
        int r = nearest(WorkAnalyst.column(k.x(), last), typical[last]);
        double[] excess = new double[typical.length];
        for (int s = 0; s < excess.length; s++) {
            excess[s] = s < shift.first() ? Double.NaN : k.x()[r][s] - shift.before();
        }
        Case one = new Case(
                k.attempt(),
                k.peerSet(),
                k.m(),
                k.ranks(),
                r,
                k.c(),
                k.x(),
                k.noise(),
                k.typicalStep(),
                true,
                k.work());
        WorkStretch stretch = new WorkStretch(k.noise(), r, excess, new Segment(shift.first(), last, 0), 0, false);
        out.emit(finding(one, excess, stretch, new Judgement(true, least, least, true, Weight.EVER_SINCE)));
    }

    private void seen(Case k, SeenPauses.Pause pause, Out out) {
        double[] excess = new double[k.m().size()];
        Arrays.fill(excess, Double.NaN);
        excess[pause.step()] = pause.nanos();
        Segment one = new Segment(pause.step(), pause.step(), pause.nanos());
        WorkStretch stretch = new WorkStretch(k.noise(), k.r(), excess, one, 0, false);
        out.emit(finding(k, excess, stretch, new Judgement(true, 0, 1, true, Weight.SEEN)));
    }

    private static int nearest(double[] values, double to) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            boolean nearer = !(Math.abs(values[i] - to) >= Math.abs(values[best] - to));
            best = nearer && !Double.isNaN(values[i]) ? i : best;
        }
        return best;
    }

    /**
     * A fault that comes and goes is no stretch: the steps in which the rank is above its own usual are looked at together, from the first to
     * the last.
     */
    private void flapping(Case k, double perStep, Out out) {
        double usual = Math.max(0, Robust.median(k.noise().excess[k.r()]));
        double[] excess = Arrays.stream(k.noise().excess[k.r()])
                .map(e -> Double.isNaN(usual) ? e : e - usual)
                .toArray();
        int first = -1;
        int last = -1;
        for (int s = 0; s < excess.length; s++) {
            if (excess[s] - COMMON_SHARE * k.noise().common[s] > perStep) {
                first = first < 0 ? s : first;
                last = s;
            }
        }
        if (last - first < 2) {
            return;
        }
        WorkFinding finding = accept(k, excess, new Segment(first, last, 0), perStep);
        if (finding != null
                && finding.active() >= 3
                && k.noise().chance(tries(k)).ofOwnHistory(k.r(), first, last, 0.5 * finding.meanNanos())
                        <= GapChance.MOST) {
            out.emit(finding);
        }
    }

    private double perStepThreshold(Case k) {
        WorkNoise n = k.noise();
        return switch (k.c()) {
            case COMPUTE -> Math.max(t.computeStepRatio() * n.typical, (k.gpu() ? 1.0 : 2.0) * n.within);
            case COPY -> Math.max(0.005 * k.typicalStep(), Math.max(0.15 * n.typical, 2 * n.within));
            case GAP, CPU_WAIT -> Math.max(0.005 * k.typicalStep(), n.tail);
        };
    }

    private @Nullable WorkFinding accept(Case k, double[] excess, Segment segment, double perStep) {
        WorkStretch stretch =
                new WorkStretch(k.noise(), k.r(), excess, segment, perStep, k.c() == OwnComponent.COMPUTE);
        if (stretch.active == 0) {
            return null;
        }
        Judgement j = switch (k.c()) {
            case COMPUTE -> compute(k, stretch);
            case COPY -> copy(k, stretch);
            case GAP, CPU_WAIT -> gap(k, stretch);
        };
        if (!j.holds()) {
            return null;
        }
        Segment seen = stretch.segment();
        Segment own = switch (k.c()) {
            case COMPUTE -> new MomentaryWork(k.work(), k.r(), k.noise().centre).trim(excess, seen);
            case GAP, CPU_WAIT -> stretch.dense(excess);
            case COPY -> seen;
        };
        boolean shorter = own.last() - own.first() < seen.last() - seen.first();
        WorkFinding without = shorter ? accept(k, excess, own, perStep) : null;
        return without != null ? without : finding(k, excess, stretch, j);
    }

    /**
     * @param holds true when the stretch is evidence
     * @param thresholdNanos mean demanded
     * @param sigma noise of such a mean
     * @param ownHistory true when the rank was like its peers at other steps
     * @param weight what it is good for
     */
    private record Judgement(boolean holds, double thresholdNanos, double sigma, boolean ownHistory, Weight weight) {
        Judgement(boolean holds, double thresholdNanos, double sigma, boolean ownHistory) {
            this(holds, thresholdNanos, sigma, ownHistory, Weight.ACCUSES);
        }
    }

    /** Accused is who stands out beyond the tail of the noise, and without the largest step; what only stands out from the noise of most steps is observed. */
    private Judgement compute(Case k, WorkStretch s) {
        WorkNoise n = k.noise();
        double family = Math.sqrt(2 * Math.log(Math.max(2, k.ranks().length))) + t.familySigmas();
        // long steps alone are biased by their choice: with the quiet ones between, it must still be no noise
        boolean throughout = s.length < 2 || s.whole >= family * n.withinWide / Math.sqrt(s.length);
        Judgement sure = compute(k, s, family, n.withinWide, s.rest, throughout, Weight.ACCUSES);
        if (sure.holds()) {
            return sure;
        }
        Judgement likely = compute(k, s, family, n.within, s.mean, true, Weight.OBSERVED);
        return likely.holds() ? likely : slowest(k, s);
    }

    /**
     * Who is slower for as long as was seen, beyond the spread of these very peers: nobody would be accused of it, and all others wait for it.
     */
    private Judgement slowest(Case k, WorkStretch s) {
        WorkNoise n = k.noise();
        double family = Math.sqrt(2 * Math.log(Math.max(2, k.ranks().length))) + LASTING_SIGMAS;
        double spread = Math.max(n.between, OBSERVED_SPREAD * t.spreadRatio() * n.typical);
        double sigma = Math.sqrt(spread * spread + n.withinWide * n.withinWide / s.active);
        double least = t.computeObservedRatio() * n.typical;
        boolean ofSlowHost = n.slower(k.r());
        double threshold = ofSlowHost ? least : Math.max(least, family * sigma);
        boolean known = k.gpu() && k.ranks().length >= OBSERVED_RANKS && s.active >= 3 && 2 * s.active > s.seen;
        boolean costs = s.rest >= t.incidentFloorRatio() * k.typicalStep();
        boolean above = s.rest >= (ofSlowHost ? least / 2 : threshold); // its host stands out already
        return new Judgement(known && costs && above, threshold, sigma, s.outside >= 2, Weight.LASTING);
    }

    private Judgement compute(
            Case k, WorkStretch s, double family, double within, double mean, boolean throughout, Weight weight) {
        WorkNoise n = k.noise();
        double spread = Math.max(n.between, (k.gpu() ? t.spreadRatio() : CPU_SPREAD_RATIO) * n.typical);
        double sigma = Math.sqrt(spread * spread + within * within / s.active);
        double lasting = t.computeLastingRatio() * (k.ranks().length < 3 ? 2 : s.seen < 2 ? ONE_STEP_FACTOR : 1);
        double threshold = Math.max(Math.max(lasting * n.typical, family * sigma), crowded(k, s));
        boolean persistent = throughout && (s.active >= Math.min(3, s.seen) || s.mean >= 0.25 * k.typicalStep());
        boolean history = s.outside >= 2;
        if (history && mean < threshold) {
            double own = within * Math.sqrt(1.0 / s.active + 1.0 / s.outside);
            double floor = (k.gpu() ? t.computeShiftRatio() : CPU_SPREAD_RATIO) * n.typical;
            double change = Math.max(Math.max(floor, crowded(k, s)), (family + 1) * Math.max(own, 0.25 * spread));
            // of two ranks it is the one that changed
            boolean itself = k.ranks().length > 2 || ownChange(k, s) >= 0.5 * (s.mean - s.before);
            return new Judgement(itself && persistent && mean - s.before >= change, change, own, true, weight);
        }
        return new Judgement(persistent && mean >= threshold, threshold, sigma, history, weight);
    }

    /** What a rank must exceed its peers by where CPUs are short. */
    private static double crowded(Case k, WorkStretch s) {
        int steps = Math.clamp(s.active, CROWDED_STEPS, MOST_CROWDED_STEPS);
        return CROWDED_SHARE * Math.sqrt(CROWDED_STEPS / (double) steps) * cpuWait(k, s);
    }

    /** Mean wait of the rank for a CPU in a stretch, nanoseconds a step. */
    private static double cpuWait(Case k, WorkStretch s) {
        Segment in = s.segment();
        double mean = k.m().mean(k.ranks()[k.r()], Measure.CPU_WAIT, in.first(), in.last());
        return Double.isNaN(mean) ? 0 : mean;
    }

    private Judgement copy(Case k, WorkStretch s) {
        WorkNoise n = k.noise();
        double sigma = Math.max(n.within, 0.02 * n.typical);
        double threshold = Math.max((t.copyRatio() - 1) * n.typical, 0.01 * k.typicalStep());
        threshold = Math.max(threshold, 4 * sigma);
        boolean persistent = s.active >= Math.min(2, s.seen) || s.mean >= t.gapSingleRatio() * k.typicalStep();
        if (persistent && s.mean >= threshold) {
            return new Judgement(true, threshold, sigma, s.outside >= 2);
        }
        // too little to accuse, for the way to the host differs from GPU to GPU of one host; if the job feels it, it is
        // worth a word
        double family = Math.sqrt(2 * Math.log(Math.max(2, k.ranks().length))) + OBSERVED_SIGMAS;
        double spread = Math.hypot(n.between, sigma / Math.sqrt(s.active));
        double felt = Math.max(
                t.incidentFloorRatio() * k.typicalStep(), OBSERVED_COPY_SHARE * (t.copyRatio() - 1) * n.typical);
        double observed = Math.max(felt, family * spread);
        boolean lasting = s.active >= 3 && k.ranks().length >= OBSERVED_RANKS;
        return new Judgement(lasting && s.rest >= observed, observed, spread, s.outside >= 2, Weight.OBSERVED);
    }

    /**
     * Gaps have a heavy tail: what counts is the whole stretch, dips included, against the best stretches of the peers. What stands out from
     * the healthy third only may be one of many on a busy host, and accuses nobody by itself.
     */
    private Judgement gap(Case k, WorkStretch s) {
        WorkNoise n = k.noise();
        boolean several = s.active >= 3;
        double floor = (several ? t.gapStepRatio() : t.gapSingleRatio() / 2) * k.typicalStep();
        boolean changed = s.outside < 2 || ownChange(k, s) >= 0.5 * s.total / s.length;
        boolean large = s.total / s.length >= floor / 2;
        double family = 1 + FAMILY_GROWTH * Math.max(0, Math.log(k.ranks().length / (double) FAMILY_RANKS));
        double threshold = Math.max(floor, t.gapTailFactor() * n.tailOfMost);
        double sigma = Math.max(n.tailOfMost, 1e3);
        boolean single = !several
                && !atStart(k, s)
                && (s.mean >= t.gapSingleRatio() * k.typicalStep()
                        || (s.mean >= t.gapSingleRatio() / 2 * k.typicalStep() && chance(k, s) <= GapChance.SINGLE));
        boolean alone =
                single || s.total - s.length * n.tailOfMost >= family * t.gapTailFactor() * n.bestOfOthers(k.r(), 0.5);
        if (alone && large && changed && s.mean >= threshold && (single || chance(k, s) <= GapChance.MOST)) {
            return new Judgement(true, threshold, sigma, s.outside >= 2);
        }
        double lenient = Math.max(floor, t.gapTailFactor() * n.tail);
        boolean oneOfMany = several
                && s.mean >= lenient
                && s.total - s.length * n.tail >= t.gapTailFactor() * n.bestOfOthers(k.r(), GAP_CENTRE);
        if (oneOfMany && large && changed) {
            return new Judgement(true, lenient, Math.max(n.tail, 1e3), s.outside >= 2, Weight.HINT);
        }
        return changed ? pause(k, s) : new Judgement(false, threshold, sigma, false);
    }

    /** The first step of a recording is long on every CPU: profilers start in it. */
    private static boolean atStart(Case k, WorkStretch s) {
        return s.first == 0 && k.m().size() > 2;
    }

    /**
     * Among how many chance picks: the ranks of the job, at each of the looks so far. The chances allowed thus fall as 1, 1/2, 1/3 ... of what one look allows, and
     * add up to 8 of it over 1,440 windows.
     */
    private long tries(Case k) {
        return family * Math.max(1, k.m().looks());
    }

    private double chance(Case k, WorkStretch s) {
        return k.noise().chance(tries(k)).of(k.r(), s.first, s.last, s.bar);
    }

    /** What is too small or too short to act on: pauses, and stretches of small ones. */
    private Judgement pause(Case k, WorkStretch s) {
        if (s.active < 3 && atStart(k, s)) {
            return new Judgement(false, 0, 0, false);
        }
        WorkNoise n = k.noise();
        double sigma = Math.max(n.tailOfMost, 1e3);
        if (s.active < 3) {
            double pause = Math.max(t.pauseRatio() * 0.4 * k.typicalStep(), 2 * t.gapTailFactor() * n.tailOfMost);
            if (s.mean >= pause && chance(k, s) <= GapChance.OBSERVED) {
                return new Judgement(true, pause, sigma, true, Weight.OBSERVED);
            }
            double habit = Math.max(t.pauseRatio() * k.typicalStep(), 2 * t.gapTailFactor() * n.tail);
            return new Judgement(s.mean >= habit, habit, sigma, true, Weight.HINT);
        }
        double small = Math.max(t.incidentFloorRatio() * k.typicalStep(), 2 * n.tailOfMost);
        boolean holds = s.mean >= small && s.total / s.length >= small / 2 && chance(k, s) <= GapChance.MOST;
        return new Judgement(holds, small, sigma, s.outside >= 2, Weight.OBSERVED);
    }

    /** How much longer the rank's own gaps are inside the stretch: peers that have fewer than before change nothing about it. */
    private static double ownChange(Case k, WorkStretch s) {
        double[] own = k.x()[k.r()];
        double inside = Arrays.stream(own, s.first, s.last + 1)
                .filter(v -> !Double.isNaN(v))
                .average()
                .orElse(0);
        double[] outside = own.clone();
        Arrays.fill(outside, s.first, s.last + 1, Double.NaN);
        double before = Robust.median(outside);
        return Double.isNaN(before) ? 0 : inside - before;
    }

    private static WorkFinding finding(Case k, double[] excess, WorkStretch stretch, Judgement j) {
        WorkNoise n = k.noise();
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
        GapFacts gap = new GapFacts(k.m(), k.ranks()[k.r()], segment, excess);
        double waited = k.c() == OwnComponent.COMPUTE && !k.gpu() ? cpuWait(k, stretch) : 0;
        boolean contended = waited > 0 && waited >= stretch.mean;
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
                WorkStretch.ramp(kept),
                peerRatio(k, k.work(), segment),
                peerRatio(k, k.m().measure(Measure.KERNELS), segment),
                peerRatio(k, k.m().measure(Measure.EXCHANGE_BYTES), segment),
                peerRatio(k, k.m().measure(Measure.COPY_BYTES), segment),
                gap.hostLate,
                gap.input,
                gap.afterWork,
                contended ? waited / stretch.mean : gap.coverShare,
                contended ? -1 : gap.cover,
                contended ? SpanKind.SCHEDULER : gap.coverKind,
                new double[] {
                    peerRatio(k, k.m().measure(Measure.FORWARD), segment),
                    peerRatio(k, k.m().measure(Measure.BACKWARD), segment),
                    peerRatio(k, k.m().measure(Measure.OPTIMIZER), segment),
                    seen(k, k.m().measure(Measure.LOADING), segment)
                            ? peerRatio(k, k.m().measure(Measure.LOADING), segment)
                            : Double.NaN
                },
                k.ranks().length,
                stretch.seen,
                j.weight(),
                k.gpu());
    }

    /** True when the rank and another one have the measure in all steps of a stretch: alone there is nothing to hold it against. */
    private static boolean seen(Case k, double[][] x, Segment segment) {
        if (!complete(x[k.r()], segment)) {
            return false;
        }
        for (int r = 0; r < x.length; r++) {
            if (r != k.r() && complete(x[r], segment)) {
                return true;
            }
        }
        return false;
    }

    private static boolean complete(double[] row, Segment segment) {
        for (int s = segment.first(); s <= segment.last(); s++) {
            if (Double.isNaN(row[s])) {
                return false;
            }
        }
        return true;
    }

    /** Own over the peers' typical; where half of the ranks are slow, over that of the others. */
    private static double peerRatio(Case k, double[][] x, Segment segment) {
        double own = 0;
        double peers = 0;
        double quantile = k.noise().healthy > 0 && k.c() == OwnComponent.COMPUTE ? k.noise().healthy : 0.5;
        int r = k.r();
        for (int s = segment.first(); s <= segment.last(); s++) {
            double[] column = column(x, s);
            if (!Double.isNaN(x[r][s])) {
                own += x[r][s];
                peers += x.length == 2
                        ? column[1 - r]
                        : quantile < 0.5 ? Robust.lowerQuantile(column, quantile) : Robust.median(column);
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
            out[s] = Robust.medianOf(column(x, s));
        }
        return out;
    }
}
