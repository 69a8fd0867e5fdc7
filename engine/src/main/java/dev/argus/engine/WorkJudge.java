package dev.argus.engine;

import dev.argus.engine.RankWork.Measure;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import java.util.Arrays;

/**
 * Judges whether a stretch of a rank's own time is evidence: what accuses, what is only observed, what counts only with others.
 *
 * <p>Pure: the same case and stretch give the same judgement.
 */
final class WorkJudge {
    /** Spread between processes that share CPU cores. */
    private static final double CPU_SPREAD_RATIO = 0.025;

    /**
     * On a host without CPUs for all, work takes longer in ways the system does not count: caches are cold, cores are shared by threads, and a machine that is virtual may itself wait. A
     * rank without GPU that had to wait for a CPU must exceed its peers by this share of its waits over {@value #CROWDED_STEPS} steps, and of more by less, for that
     * wanders. Measured on healthy jobs of four ranks that waited three to four times as long as they worked: the worst excess of a rank over any 3 steps in a row was
     * 0.16 of its waits, over 5 steps 0.11, over 10 steps 0.05, over 20 steps 0.04.
     */
    private static final double CROWDED_SHARE = 0.25;

    /**
     * The same of a rank that waits for a CPU no more than its peers do: what all have in common tells nobody apart. Two of four ranks on two CPUs of a virtual machine once worked 1.34 and 1.41 times as long
     * as the others for 6 steps, at least 0.18 of their waits; the system counted nothing that says why, so this is set with room above that, not measured.
     */
    private static final double CROWDED_ALIKE_SHARE = 1;

    /** A rank fights more for CPUs than its peers when it waits so many times as long for the same work. */
    private static final double FIGHTS_MORE = 1.5;

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

    /** Of one step nobody knows what is lasting and what is its noise. */
    private static final double ONE_STEP_FACTOR = 1.5;

    /** What is only observed must exceed what the worst of all ranks reaches by chance by so many standard deviations. */
    private static final double OBSERVED_SIGMAS = 1;

    /**
     * The same of who is slower for good. Of what 1,220 simulated jobs showed between 2 and 3.5, 39 of 40 were the slowest of healthy GPUs; of what lay beyond, none.
     */
    private static final double LASTING_SIGMAS = 3.5;

    /** Share of what copies must exceed their peers' by to accuse. */
    private static final double OBSERVED_COPY_SHARE = 0.4;

    /** Fewer peers do not show how far healthy ones lie apart. */
    private static final int OBSERVED_RANKS = 4;

    /**
     * A pause that comes once or twice accuses nobody when it is no longer than this, however short the steps are: page reclaim, a late batch, or a daemon take as much from healthy
     * processes now and then, and nobody can act on it. It is longer than a time slice of a scheduler.
     */
    private static final double HICCUP_NANOS = 10e6;

    private final Thresholds t;
    private final int family;

    /** @param family ranks of the job: any of them may be the one that chance picks */
    WorkJudge(Thresholds thresholds, int family) {
        this.t = thresholds;
        this.family = family;
    }

    /** The judgement about a stretch. */
    WorkJudgement judge(WorkCase k, WorkStretch s) {
        return switch (k.c()) {
            case COMPUTE -> compute(k, s);
            case COPY -> copy(k, s);
            case GAP, CPU_WAIT -> gap(k, s);
        };
    }

    /** Excess from which on a step belongs to a stretch, nanoseconds. */
    double perStep(WorkCase k) {
        WorkNoise n = k.noise();
        return switch (k.c()) {
            case COMPUTE -> Math.max(t.computeStepRatio() * n.typical, (k.gpu() ? 1.0 : 2.0) * n.within);
            case COPY -> Math.max(0.005 * k.typicalStep(), Math.max(0.15 * n.typical, 2 * n.within));
            case GAP, CPU_WAIT -> Math.max(0.005 * k.typicalStep(), n.tail);
        };
    }

    /** Accused is who stands out beyond the tail of the noise, and without the largest step; what only stands out from the noise of most steps is observed. */
    private WorkJudgement compute(WorkCase k, WorkStretch s) {
        WorkNoise n = k.noise();
        double family = Math.sqrt(2 * Math.log(Math.max(2, k.ranks().length))) + t.familySigmas();
        // long steps alone are biased by their choice: with the quiet ones between, it must still be no noise
        boolean throughout = s.length < 2 || s.whole >= family * n.withinWide / Math.sqrt(s.length);
        WorkJudgement sure = compute(k, s, family, n.withinWide, s.rest, throughout, Weight.ACCUSES);
        if (sure.holds()) {
            return sure;
        }
        WorkJudgement likely = compute(k, s, family, n.within, s.mean, true, Weight.OBSERVED);
        return likely.holds() ? likely : slowest(k, s);
    }

    private WorkJudgement compute(
            WorkCase k, WorkStretch s, double family, double within, double mean, boolean throughout, Weight weight) {
        WorkNoise n = k.noise();
        double spread = Math.max(n.between, (k.gpu() ? t.spreadRatio() : CPU_SPREAD_RATIO) * n.typical);
        double sigma = Math.sqrt(spread * spread + within * within / s.active);
        double lasting = t.computeLastingRatio() * (k.ranks().length < 3 ? 2 : s.seen < 2 ? ONE_STEP_FACTOR : 1);
        double threshold = Math.max(Math.max(lasting * n.typical, family * sigma), crowded(k, s));
        boolean persistent = throughout && (s.active >= Math.min(3, s.seen) || s.mean >= 0.25 * k.typicalStep());
        boolean history = s.outside >= 2;
        if (history && mean < threshold) {
            double wanders = within * Math.sqrt(1.0 / s.active + 1.0 / s.outside);
            double floor = (k.gpu() ? t.computeShiftRatio() : CPU_SPREAD_RATIO) * n.typical;
            double change = Math.max(Math.max(floor, crowded(k, s)), (family + 1) * Math.max(wanders, 0.25 * spread));
            // of two ranks it is the one that changed
            boolean itself = k.ranks().length > 2 || ownChange(k, s) >= 0.5 * (s.mean - s.before);
            return new WorkJudgement(itself && persistent && mean - s.before >= change, change, wanders, true, weight);
        }
        // what all ranks of a host have, too little to accuse them, is no fault of one of them
        double shared = n.shared(k.r());
        double own = shared < t.computeLastingRatio() * n.typical ? mean - shared : mean;
        return new WorkJudgement(persistent && own >= threshold, threshold, sigma, history, weight);
    }

    /**
     * Who is slower for as long as was seen, beyond the spread of these very peers: nobody would be accused of it, and all others wait for it.
     */
    private WorkJudgement slowest(WorkCase k, WorkStretch s) {
        WorkNoise n = k.noise();
        double family = Math.sqrt(2 * Math.log(Math.max(2, k.ranks().length))) + LASTING_SIGMAS;
        double spread = Math.max(n.between, WorkAnalyst.OBSERVED_SPREAD * t.spreadRatio() * n.typical);
        double sigma = Math.sqrt(spread * spread + n.withinWide * n.withinWide / s.active);
        double least = t.computeObservedRatio() * n.typical;
        boolean ofSlowHost = n.slower(k.r());
        double threshold = ofSlowHost ? least : Math.max(least, family * sigma);
        boolean known = k.gpu() && k.ranks().length >= OBSERVED_RANKS && s.active >= 3 && 2 * s.active > s.seen;
        boolean costs = s.rest >= t.incidentFloorRatio() * k.typicalStep();
        boolean above = s.rest >= (ofSlowHost ? least / 2 : threshold); // its host stands out already
        return new WorkJudgement(known && costs && above, threshold, sigma, s.outside >= 2, Weight.LASTING);
    }

    /** What a rank must exceed its peers by where CPUs are short. */
    private static double crowded(WorkCase k, WorkStretch s) {
        double waited = cpuWait(k, k.r(), s.segment());
        if (waited == 0) {
            return 0;
        }
        int steps = Math.clamp(s.active, CROWDED_STEPS, MOST_CROWDED_STEPS);
        double share = fightsMore(k, s) ? CROWDED_SHARE : CROWDED_ALIKE_SHARE;
        return share * Math.sqrt(CROWDED_STEPS / (double) steps) * waited;
    }

    /** True if the lack of CPUs is the reason why a rank works longer: it waits at least as long as it works more, and longer for the same work than its peers. */
    static boolean contended(WorkCase k, WorkStretch s) {
        boolean cpu = k.c() == OwnComponent.COMPUTE && !k.gpu();
        double waited = cpu ? cpuWait(k, k.r(), s.segment()) : 0;
        return waited > 0 && waited >= s.mean && fightsMore(k, s);
    }

    private static boolean fightsMore(WorkCase k, WorkStretch s) {
        double[] others = new double[k.ranks().length];
        for (int r = 0; r < others.length; r++) {
            others[r] = r == k.r() ? Double.NaN : waitForWork(k, r, s.segment());
        }
        double usual = Robust.medianOf(others);
        return Double.isNaN(usual) || waitForWork(k, k.r(), s.segment()) >= FIGHTS_MORE * usual;
    }

    /** How long a rank waits for a CPU for each nanosecond that it works. */
    private static double waitForWork(WorkCase k, int r, Segment in) {
        double worked = Arrays.stream(k.x()[r], in.first(), in.last() + 1)
                .filter(v -> !Double.isNaN(v))
                .average()
                .orElse(0);
        return worked > 0 ? cpuWait(k, r, in) / worked : Double.NaN;
    }

    /** Mean wait of a rank for a CPU, nanoseconds a step. */
    static double cpuWait(WorkCase k, int r, Segment in) {
        double mean = k.m().mean(k.ranks()[r], Measure.CPU_WAIT, in.first(), in.last());
        return Double.isNaN(mean) ? 0 : mean;
    }

    private WorkJudgement copy(WorkCase k, WorkStretch s) {
        WorkNoise n = k.noise();
        double sigma = Math.max(n.within, 0.02 * n.typical);
        double threshold = Math.max((t.copyRatio() - 1) * n.typical, 0.01 * k.typicalStep());
        threshold = Math.max(threshold, 4 * sigma);
        boolean persistent = s.active >= Math.min(2, s.seen) || s.mean >= t.gapSingleRatio() * k.typicalStep();
        if (persistent && s.mean >= threshold) {
            return new WorkJudgement(true, threshold, sigma, s.outside >= 2);
        }
        // too little to accuse, for the way to the host differs from GPU to GPU of one host; if the job feels it, it is
        // worth a word
        double family = Math.sqrt(2 * Math.log(Math.max(2, k.ranks().length))) + OBSERVED_SIGMAS;
        double spread = Math.hypot(n.between, sigma / Math.sqrt(s.active));
        double felt = Math.max(
                t.incidentFloorRatio() * k.typicalStep(), OBSERVED_COPY_SHARE * (t.copyRatio() - 1) * n.typical);
        double observed = Math.max(felt, family * spread);
        boolean lasting = s.active >= 3 && k.ranks().length >= OBSERVED_RANKS;
        return new WorkJudgement(lasting && s.rest >= observed, observed, spread, s.outside >= 2, Weight.OBSERVED);
    }

    /**
     * Gaps have a heavy tail: what counts is the whole stretch, dips included, against the best stretches of the peers. What stands out from
     * the healthy third only may be one of many on a busy host, and accuses nobody by itself.
     */
    private WorkJudgement gap(WorkCase k, WorkStretch s) {
        WorkNoise n = k.noise();
        boolean several = s.active >= 3;
        double floor = (several ? t.gapStepRatio() : t.gapSingleRatio() / 2) * k.typicalStep();
        boolean changed = s.outside < 2 || ownChange(k, s) >= 0.5 * s.total / s.length;
        boolean large = s.total / s.length >= floor / 2;
        double family = 1 + FAMILY_GROWTH * Math.max(0, Math.log(k.ranks().length / (double) FAMILY_RANKS));
        double threshold = Math.max(floor, t.gapTailFactor() * n.tailOfMost);
        double sigma = Math.max(n.tailOfMost, 1e3);
        boolean starts = !several && atStart(k, s);
        boolean single = !several
                && !starts
                && s.mean >= HICCUP_NANOS
                && (s.mean >= t.gapSingleRatio() * k.typicalStep()
                        || (s.mean >= t.gapSingleRatio() / 2 * k.typicalStep() && chance(k, s) <= GapChance.SINGLE));
        boolean alone = single
                || (!starts
                        && s.total - s.length * n.tailOfMost
                                >= family * t.gapTailFactor() * n.bestOfOthers(k.r(), 0.5));
        if (alone && large && changed && s.mean >= threshold && (single || chance(k, s) <= GapChance.MOST)) {
            return new WorkJudgement(true, threshold, sigma, s.outside >= 2);
        }
        double lenient = Math.max(floor, t.gapTailFactor() * n.tail);
        boolean oneOfMany = several
                && s.mean >= lenient
                && s.total - s.length * n.tail >= t.gapTailFactor() * n.bestOfOthers(k.r(), WorkAnalyst.GAP_CENTRE);
        if (oneOfMany && large && changed) {
            return new WorkJudgement(true, lenient, Math.max(n.tail, 1e3), s.outside >= 2, Weight.HINT);
        }
        return changed ? pause(k, s) : new WorkJudgement(false, threshold, sigma, false);
    }

    /** The first step of a recording is long on every CPU: profilers start in it. */
    private static boolean atStart(WorkCase k, WorkStretch s) {
        return s.first == 0 && k.m().size() > 2;
    }

    /**
     * Among how many chance picks: the ranks of the job, at each of the looks so far. The chances allowed thus fall as 1, 1/2, 1/3 ... of what one look allows, and
     * add up to 8 of it over 1,440 windows.
     */
    long tries(WorkCase k) {
        return family * Math.max(1, k.m().looks());
    }

    private double chance(WorkCase k, WorkStretch s) {
        return k.noise().chance(tries(k)).of(k.r(), s.first, s.last, s.bar);
    }

    /** What is too small or too short to act on: pauses, and stretches of small ones. */
    private WorkJudgement pause(WorkCase k, WorkStretch s) {
        if (s.active < 3 && atStart(k, s)) {
            return new WorkJudgement(false, 0, 0, false);
        }
        WorkNoise n = k.noise();
        double sigma = Math.max(n.tailOfMost, 1e3);
        if (s.active < 3) {
            double pause = Math.max(t.pauseRatio() * 0.4 * k.typicalStep(), 2 * t.gapTailFactor() * n.tailOfMost);
            if (s.mean >= pause && chance(k, s) <= GapChance.OBSERVED) {
                return new WorkJudgement(true, pause, sigma, true, Weight.OBSERVED);
            }
            double habit = Math.max(t.pauseRatio() * k.typicalStep(), 2 * t.gapTailFactor() * n.tail);
            return new WorkJudgement(s.mean >= habit, habit, sigma, true, Weight.HINT);
        }
        double small = Math.max(t.incidentFloorRatio() * k.typicalStep(), 2 * n.tailOfMost);
        boolean holds = s.mean >= small && s.total / s.length >= small / 2 && chance(k, s) <= GapChance.MOST;
        return new WorkJudgement(holds, small, sigma, s.outside >= 2, Weight.OBSERVED);
    }

    /** How much longer the rank's own gaps are inside the stretch: peers that have fewer than before change nothing about it. */
    private static double ownChange(WorkCase k, WorkStretch s) {
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
}
