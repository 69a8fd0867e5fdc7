package dev.argus.engine;

import dev.argus.engine.RankWork.Measure;
import dev.argus.model.SpanKind;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;

/** Writes down what was found in a stretch of a rank's own time, and how the rank's work compares there: what may explain it. */
final class WorkFindings {
    private WorkFindings() {}

    /** The finding of a judgement that holds. */
    static WorkFinding of(WorkCase k, double[] excess, WorkStretch stretch, WorkJudgement j) {
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
        boolean contended = WorkJudge.contended(k, stretch);
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
                moreThere(k, k.work(), segment),
                moreThere(k, k.m().measure(Measure.KERNELS), segment),
                moreThere(k, k.m().measure(Measure.EXCHANGE_BYTES), segment),
                peerRatio(k, k.m().measure(Measure.COPY_BYTES), segment),
                gap.hostLate,
                gap.input,
                scattered(k, segment, excess),
                gap.afterWork,
                contended ? WorkJudge.cpuWait(k, k.r(), segment) / stretch.mean : gap.coverShare,
                contended ? -1 : gap.cover,
                contended ? SpanKind.SCHEDULER : gap.coverKind,
                new double[] {
                    phaseRatio(k, Measure.FORWARD, segment),
                    phaseRatio(k, Measure.BACKWARD, segment),
                    phaseRatio(k, Measure.OPTIMIZER, segment),
                    seen(k, k.m().measure(Measure.LOADING), segment)
                            ? peerRatio(k, k.m().measure(Measure.LOADING), segment)
                            : Double.NaN
                },
                k.ranks().length,
                stretch.seen,
                j.weight(),
                k.gpu());
    }

    /** Share of the excess that is not in gaps long enough to be kept one by one; NaN where launches are not known. */
    private static double scattered(WorkCase k, Segment segment, double[] excess) {
        if (k.c() != OwnComponent.GAP) {
            return Double.NaN;
        }
        double[][] kept = k.m().measure(Measure.LONG_GAPS);
        double[] flags = k.m().row(k.ranks()[k.r()], Measure.COVER_KIND);
        double all = 0;
        double longOnes = 0;
        for (int s = segment.first(); s <= segment.last(); s++) {
            if (excess[s] > 0) {
                double own = ((int) flags[s] & Measure.LAUNCH_FLAG) != 0 ? kept[k.r()][s] : Double.NaN;
                double[] others = WorkAnalyst.column(kept, s);
                others[k.r()] = Double.NaN;
                double usual = Robust.medianOf(others);
                all += excess[s];
                longOnes += own - (usual > 0 ? usual : 0);
            }
        }
        return all > 0 ? 1 - longOnes / all : Double.NaN;
    }

    /** True when the rank and another one have the measure in all steps of a stretch: alone there is nothing to hold it against. */
    private static boolean seen(WorkCase k, double[][] x, Segment segment) {
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

    /**
     * What the rank has more to do in a stretch than its peers, and than it has more of in other steps: what it always has is no reason for what happens in some.
     */
    private static double moreThere(WorkCase k, double[][] x, Segment segment) {
        double inside = peerRatio(k, x, segment);
        double own = 0;
        double peers = 0;
        int others = 0;
        for (int s = 0; s < k.m().size(); s++) {
            double usual = s >= segment.first() && s <= segment.last() ? Double.NaN : usual(k, x, s);
            if (usual > 0 && x[k.r()][s] > 0) {
                own += x[k.r()][s];
                peers += usual;
                others++;
            }
        }
        return others < 2 || inside <= 1 ? inside : inside / Math.max(1, own / peers);
    }

    /** The peers' typical value at a step; where half of the ranks are slow, that of the others. */
    private static double usual(WorkCase k, double[][] x, int s) {
        double[] column = WorkAnalyst.column(x, s);
        double quantile = k.noise().healthy > 0 && k.c() == OwnComponent.COMPUTE ? k.noise().healthy : 0.5;
        return x.length == 2
                ? column[1 - k.r()]
                : quantile < 0.5 ? Robust.lowerQuantile(column, quantile) : Robust.median(column);
    }

    /** The same of the compute in a phase; NaN where nobody computes in it: then it tells nothing. */
    private static double phaseRatio(WorkCase k, int measure, Segment segment) {
        double[][] x = k.m().measure(measure);
        for (int s = segment.first(); s <= segment.last(); s++) {
            if (usual(k, x, s) > 0 || x[k.r()][s] > 0) {
                return peerRatio(k, x, segment);
            }
        }
        return Double.NaN;
    }

    /** Own over the peers' typical; where half of the ranks are slow, over that of the others. */
    private static double peerRatio(WorkCase k, double[][] x, Segment segment) {
        double own = 0;
        double peers = 0;
        int r = k.r();
        for (int s = segment.first(); s <= segment.last(); s++) {
            if (!Double.isNaN(x[r][s])) {
                own += x[r][s];
                peers += usual(k, x, s);
            }
        }
        if (own > 0 && peers == 0) {
            return Double.POSITIVE_INFINITY;
        }
        return peers > 0 && own > 0 ? own / peers : 1;
    }
}
