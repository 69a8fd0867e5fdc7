package dev.argus.engine;

import dev.argus.engine.RankWork.Measure;
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
    static final double GAP_CENTRE = 1 / 3.0;

    /** Where half of the ranks are slow, the centre lies among the others. */
    private static final double TWO_HALVES_CENTRE = 0.25;

    /** Half of the ranks are slow together for a while from so many steps on: in one or two they may just have more to do. */
    private static final int HALF_STEPS = 3;

    /** Share of the spread assumed between healthy GPUs that is assumed at least, where the spread of the peers is measured. */
    static final double OBSERVED_SPREAD = 2 / 3.0;

    /** Stretches looked for in one rank and part. */
    private static final int MAX_STRETCHES = 3;

    private final Thresholds t;
    private final WorkJudge judge;

    /** @param family ranks of the job: any of them may be the one that chance picks */
    WorkAnalyst(Thresholds thresholds, int family) {
        this.t = thresholds;
        this.judge = new WorkJudge(thresholds, family);
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
            boolean evened = c == OwnComponent.COMPUTE && gpu && atEqualWork(x, all.centre, work);
            double[][] left = evened ? same(work) : work;
            if (c == OwnComponent.GAP) {
                WorkCase job = new WorkCase(attempt, peerSet, m, ranks, 0, c, x, all, typicalStep, gpu, work);
                everybody(job, loadsData, out);
                everSince(job, stepNanos, out);
            }
            WorkNoise noise = WarmUp.takeOut(x, settled) || evened ? new WorkNoise(x, healthy) : all;
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
                    seen(new WorkCase(attempt, peerSet, m, ranks, p.r(), c, x, noise, typicalStep, gpu, work), p, out);
                }
            }
            if (isGap(c)) {
                WorkCase any = new WorkCase(attempt, peerSet, m, ranks, 0, c, x, noise, typicalStep, gpu, work);
                noise.withoutDisturbed(COMMON_SHARE, judge.perStep(any));
            }
            for (int r = 0; r < ranks.length; r++) {
                if (settled[r] >= m.size()) {
                    continue;
                }
                stretches(new WorkCase(attempt, peerSet, m, ranks, r, c, x, noise, typicalStep, gpu, left), out);
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
            loads(attempt, m, ranks, work, workNoise.centre, out);
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

    /** Takes out of compute, in place, what the work of the ranks explains of how it wanders; false where it does not. */
    private static boolean atEqualWork(double[][] compute, double[] centre, double[][] work) {
        if (!WorkExplained.differs(work, centre.length)) {
            return false; // as in most jobs: then nothing is copied
        }
        double[][] relative = new double[compute.length][];
        for (int r = 0; r < relative.length; r++) {
            relative[r] = new double[centre.length];
            for (int s = 0; s < centre.length; s++) {
                relative[r][s] = compute[r][s] / centre[s] - 1;
            }
        }
        if (!WorkExplained.takeOut(relative, work)) {
            return false;
        }
        for (int r = 0; r < relative.length; r++) {
            for (int s = 0; s < centre.length; s++) {
                compute[r][s] = centre[s] * (1 + relative[r][s]);
            }
        }
        return true;
    }

    /** As if all had the same to do, where it is known. */
    private static double[][] same(double[][] work) {
        return Arrays.stream(work)
                .map(row -> Arrays.stream(row).map(w -> w > 0 ? 1 : w).toArray())
                .toArray(double[][]::new);
    }

    /** Which ranks are so many and so slow that the median would be one of them, by position; else null. */
    private boolean @Nullable [] slowerHalf(WorkNoise noise, IntFunction<String> hostOfRow, boolean gpu) {
        boolean[] slower = noise.slowerHalf(t.computeLastingRatio());
        if (slower == null) {
            slower = noise.slowerHalfFor(HALF_STEPS, t.computeLastingRatio());
        }
        if (slower != null) {
            return slower;
        }
        double least = t.computeObservedRatio() * noise.typical;
        return gpu
                ? HostsApart.slower(noise.lasting, hostOfRow, OBSERVED_SPREAD * t.spreadRatio() * noise.typical, least)
                : null;
    }

    /** Says of each rank in which steps it had more to do than the others. */
    private static void loads(int attempt, StepMatrix m, int[] ranks, double[][] work, double[] centre, Out out) {
        for (int r = 0; r < ranks.length; r++) {
            long[] steps = new long[m.size()];
            double[] more = new double[m.size()];
            int n = 0;
            for (int s = 0; s < m.size(); s++) {
                double ratio = work[r][s] / centre[s] - 1;
                if (ratio >= RankLoad.LEAST && !Double.isInfinite(ratio)) {
                    steps[n] = m.step(s);
                    more[n++] = ratio;
                }
            }
            if (n > 0) {
                out.emit(new RankLoad(attempt, ranks[r], Arrays.copyOf(steps, n), Arrays.copyOf(more, n)));
            }
        }
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

    private void stretches(WorkCase k, Out out) {
        WorkNoise noise = k.noise();
        double[] excess = noise.excess[k.r()].clone();
        double perStep = judge.perStep(k);
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
    private double common(WorkCase k, int s) {
        double[] common = k.noise().common;
        double own = common[s];
        if (k.c() != OwnComponent.GAP) {
            return own;
        }
        double beside = Math.max(missed(k, s - 1), missed(k, s + 1));
        return beside >= t.pauseRatio() / 2 * k.typicalStep() ? Math.max(own, beside) : own;
    }

    /** What disturbed all in a step and did not show in this rank's: it may have had it in the step beside. */
    private static double missed(WorkCase k, int s) {
        double[] common = k.noise().common;
        boolean without = s >= 0 && s < common.length && k.noise().excess[k.r()][s] < -common[s] / 2;
        return without ? common[s] : 0;
    }

    /** Pauses that all ranks make in one step, longer than any hiccup: nobody stands out, the job stands still. */
    private void everybody(WorkCase k, IntPredicate loadsData, Out out) {
        double[][] x = k.x();
        double[][] loading = x.clone();
        double[] nothing = unknown(k.m().size());
        int loaders = x.length;
        for (int r = 0; r < x.length; r++) {
            if (!loadsData.test(k.ranks()[r])) {
                loading[r] = nothing;
                loaders--;
            }
        }
        double least = t.pauseRatio() / 2 * k.typicalStep();
        for (int s = 1; s < k.m().size(); s++) {
            double[] column = column(x, s);
            double low = Robust.lowerQuantile(column, GapShifts.EVERYBODY_QUANTILE) - k.noise().typical;
            Weight weight = Weight.EVERYBODY;
            if (!(low >= least) && loaders > 0 && loaders < x.length) {
                column = column(loading, s);
                low = Robust.lowerQuantile(column, GapShifts.EVERYBODY_QUANTILE) - k.noise().typical;
                weight = Weight.LOADERS;
            }
            if (!(low >= least)) {
                continue;
            }
            double[] excess = unknown(k.m().size());
            int r = nearest(column, Robust.median(column));
            excess[s] = x[r][s] - k.noise().typical;
            WorkCase one = new WorkCase(
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
            out.emit(WorkFindings.of(one, excess, stretch, new WorkJudgement(true, least, least, true, weight)));
        }
    }

    /** What all ranks wait for in every step since one of them. */
    private void everSince(WorkCase k, double[] stepNanos, Out out) {
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
        WorkCase one = new WorkCase(
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
        out.emit(WorkFindings.of(one, excess, stretch, new WorkJudgement(true, least, least, true, Weight.EVER_SINCE)));
    }

    private void seen(WorkCase k, SeenPauses.Pause pause, Out out) {
        double[] excess = new double[k.m().size()];
        Arrays.fill(excess, Double.NaN);
        excess[pause.step()] = pause.nanos();
        Segment one = new Segment(pause.step(), pause.step(), pause.nanos());
        WorkStretch stretch = new WorkStretch(k.noise(), k.r(), excess, one, 0, false);
        out.emit(WorkFindings.of(k, excess, stretch, new WorkJudgement(true, 0, 1, true, Weight.SEEN)));
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
    private void flapping(WorkCase k, double perStep, Out out) {
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
                && k.noise().chance(judge.tries(k)).ofOwnHistory(k.r(), first, last, 0.5 * finding.meanNanos())
                        <= GapChance.MOST) {
            out.emit(finding);
        }
    }

    private @Nullable WorkFinding accept(WorkCase k, double[] excess, Segment segment, double perStep) {
        WorkStretch stretch =
                new WorkStretch(k.noise(), k.r(), excess, segment, perStep, k.c() == OwnComponent.COMPUTE);
        if (stretch.active == 0) {
            return null;
        }
        WorkJudgement j = judge.judge(k, stretch);
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
        return without != null ? without : WorkFindings.of(k, excess, stretch, j);
    }

    private static double[] unknown(int n) {
        double[] values = new double[n];
        Arrays.fill(values, Double.NaN);
        return values;
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
