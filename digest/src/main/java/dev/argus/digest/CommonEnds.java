package dev.argus.digest;

import dev.argus.model.CommunicatorTrail;
import dev.argus.stats.Robust;
import java.util.Arrays;
import java.util.List;

/**
 * How far apart the ends of the calls of two communicators are. Where they are one communicator all its members end together, and
 * what is left is the difference of two clocks: constant on one host, an offset and a slow drift between two.
 */
final class CommonEnds {
    /** Fewer common calls tell nothing. */
    private static final int LEAST_CALLS = 6;

    /** Of the common steps this share must have the same calls; the first and the last may be cut. */
    private static final double SAME_STEPS = 0.7;

    /** No two clocks drift apart faster, as a ratio. */
    private static final double FASTEST_DRIFT = 200e-6;

    /** The quantile of distances that stands for all: a few ends may be off. */
    private static final double QUANTILE = 0.8;

    private CommonEnds() {}

    /**
     * The distance, in nanoseconds; infinite when they have not the same calls or too few.
     *
     * @param sameClock true when both are on one host
     */
    static double distance(CommunicatorTrail a, CommunicatorTrail b, boolean sameClock) {
        double[] apart = new double[CommunicatorTrail.MOST_STEPS * CommunicatorTrail.MOST_CALLS];
        double[] at = new double[apart.length];
        int n = 0;
        int common = 0;
        int same = 0;
        List<CommunicatorTrail.Step> of = b.steps();
        int j = 0;
        for (CommunicatorTrail.Step s : a.steps()) {
            while (j < of.size() && of.get(j).step() < s.step()) {
                j++;
            }
            if (j == of.size() || of.get(j).step() != s.step()) {
                continue;
            }
            CommunicatorTrail.Step o = of.get(j);
            common++;
            if (s.calls() == o.calls() && s.operations() == o.operations()) {
                same++;
                for (int i = 0; i < s.ends().length; i++) {
                    apart[n] = s.ends()[i] - o.ends()[i];
                    at[n++] = s.ends()[i] - a.steps().getFirst().ends()[0];
                }
            }
        }
        if (n < LEAST_CALLS || same < SAME_STEPS * common) {
            return Double.POSITIVE_INFINITY;
        }
        apart = Arrays.copyOf(apart, n);
        if (!sameClock) {
            align(apart, at);
        }
        for (int i = 0; i < n; i++) {
            apart[i] = Math.abs(apart[i]);
        }
        return Robust.quantile(apart, QUANTILE);
    }

    /** Takes off an offset, and the drift between the medians of both halves. */
    private static void align(double[] apart, double[] at) {
        int half = apart.length / 2;
        double early = Robust.median(Arrays.copyOf(apart, half));
        double late = Robust.median(Arrays.copyOfRange(apart, half, apart.length));
        double between =
                Robust.median(Arrays.copyOfRange(at, half, apart.length)) - Robust.median(Arrays.copyOf(at, half));
        double drift = between > 0 ? Math.clamp((late - early) / between, -FASTEST_DRIFT, FASTEST_DRIFT) : 0;
        for (int i = 0; i < apart.length; i++) {
            apart[i] -= drift * at[i];
        }
        double offset = Robust.median(apart);
        for (int i = 0; i < apart.length; i++) {
            apart[i] -= offset;
        }
    }
}
