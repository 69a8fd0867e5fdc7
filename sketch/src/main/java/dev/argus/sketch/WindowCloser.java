package dev.argus.sketch;

import dev.argus.model.DurationSummary;
import dev.argus.model.DurationSummary.Form;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.StreamKernel;
import dev.argus.stats.BinnedSample;
import dev.argus.stats.DensityModes;
import dev.argus.stats.KnotFit;
import dev.argus.stats.Knots;
import dev.argus.stats.LogBins;
import dev.argus.stats.PositionGrid;
import dev.argus.stats.QuantileFunction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Closes windows: turns an open sketch into summaries with a proven bound.
 *
 * <p>Guarantee, per kernel and stream, for the rebuilt quantile function R ({@link Rebuilt}) and that of the events E:
 *
 * <pre>
 * W1(E, R) = integral |E(p) - R(p)| dp &lt;= bound x mean,   the same for each mode;   mean(R) = sum / count exactly
 * </pre>
 *
 * <p>The bound is at most the requested share, 1 % by default, rounded up to the step in which it is stated (0.05 %, in a stream 0.2 %), and
 * travels with the summary. It is proven from the bins alone, so the real error is smaller: 0.28 % of the time on public traces where 1 %
 * is asked for.
 *
 * <p>A stream of similar windows: what the window before said of a kernel is tried first, as it is (but for minimum and maximum), then with its
 * places and new values; only where neither keeps the bound a new fit is made. So the bytes of a steady stream stay few
 * while the bound stays the same.
 *
 * <p>Cost: see {@code bench events}; about 35 us a kernel. Belongs to one thread.
 */
public final class WindowCloser {
    /** Default of the largest W1, as a share of the mean. */
    public static final double DEFAULT_SHARE = 0.01;

    private static final double LEAST_SHARE = 0.005;

    /** An event is an extreme from this multiple of its kernel's median on. */
    private static final double EXTREME_RATIO = 2;

    /** In a stream a fit is made tighter than asked for, so that it keeps the bound in the windows to come. */
    private static final double LASTING = 0.55;

    /** A value of the window before that is off by so many bins is at first left alone: a zero costs less than a number. */
    private static final int STILL = 5;

    private static final int COARSE_UNITS = 4;

    private final double share;
    private final boolean eventsExact;
    private final BinnedSample sample = new BinnedSample();
    private final KernelSketch.Bins toSample = sample::add;
    private final DensityModes modes = new DensityModes();
    private final KnotFit fit = new KnotFit();
    private Map<Long, DurationSummary> before = new HashMap<>();

    /**
     * With a share and a way to keep few events.
     *
     * @param share largest W1 as a share of the mean, 0.005..0.5
     * @param eventsExact whether kernels of at most {@value DurationSummary#FEW} events keep them to the nanosecond, or, for a steady stream,
     *     within a bin
     */
    public WindowCloser(double share, boolean eventsExact) {
        if (!(share >= LEAST_SHARE && share <= 0.5)) {
            throw new IllegalArgumentException("share " + share + " of the mean, expected 0.005 to 0.5");
        }
        this.share = share;
        this.eventsExact = eventsExact;
    }

    /** With 1 % and exact events: for windows that stand alone. */
    public WindowCloser() {
        this(DEFAULT_SHARE, true);
    }

    /** Summarises what the sketch holds; the sketch stays as it is. */
    public KernelWindow close(KernelSketch sketch, int attempt, int rank, long window) {
        List<StreamKernel> kernels = new ArrayList<>();
        Map<Long, DurationSummary> now = new HashMap<>();
        Extremes extremes = new Extremes();
        for (int k = 0; k < sketch.keys().size(); k++) {
            OpenKey key = sketch.keys().get(k);
            if (key.tops() > 0) {
                DurationSummary summary;
                if (key.isFew()) { // then its bins, which are many, need not be read
                    summary = few(key.events(), before.get(key.key));
                    extremes.offerFew(key);
                } else {
                    sample.clear();
                    sketch.read(k, toSample);
                    summary = many(sketch.sum(k), before.get(key.key));
                    extremes.offer(key, sample.median());
                }
                now.put(key.key, summary);
                kernels.add(new StreamKernel(key.name, key.stream, sketch.work(k), summary));
            }
        }
        before = now;
        return new KernelWindow(attempt, rank, window, kernels, extremes.chosen(), sketch.lost());
    }

    private DurationSummary few(long[] events, @Nullable DurationSummary previous) {
        return eventsExact ? DurationSummary.ofEvents(events) : steps(events, previous);
    }

    private DurationSummary many(long sum, @Nullable DurationSummary previous) {
        int[] firstBins = modes.firstBins(sample);
        DurationSummary carried = previous == null || eventsExact ? null : carried(sum, firstBins, previous);
        if (carried != null) {
            return carried;
        }
        Knots knots = fit.fit(sample, firstBins, (double) sum, eventsExact ? share : LASTING * share);
        return DurationSummary.ofKnots(
                sample.count(),
                sum,
                knots.positionBits(),
                knots.places(),
                knots.bins(),
                knots.modeFirst(),
                units(knots.errorRatio()));
    }

    /** Each event by its bin; where the window before had as many, by the bin it had there, if the bound allows. */
    private DurationSummary steps(long[] events, @Nullable DurationSummary previous) {
        int[] own = new int[events.length];
        double[] exact = new double[events.length];
        long sum = 0;
        for (int i = 0; i < own.length; i++) {
            own[i] = LogBins.bin(events[i], BinnedSample.BITS);
            exact[i] = events[i];
            sum += events[i];
        }
        QuantileFunction truth = QuantileFunction.steps(exact);
        if (previous != null && previous.form() == Form.STEPS && previous.count() == events.length) {
            for (int still = STILL; still > 0; still--) {
                int[] settled = Knots.settled(previous.bins(), own, still);
                double error = error(truth, sum, settled);
                if (error <= share) {
                    return DurationSummary.ofSteps(sum, settled, units(error));
                }
            }
        }
        return DurationSummary.ofSteps(sum, own, units(error(truth, sum, own)));
    }

    private static double error(QuantileFunction truth, long sum, int[] bins) {
        double mean = (double) sum / bins.length;
        return mean > 0 ? truth.shiftTo(Knots.steps(sum, bins)).distance() / mean : 0;
    }

    /** Upwards; in a stream in coarser steps, for a bound that changes with every window costs bytes and tells nobody anything. */
    private int units(double ratio) {
        int step = eventsExact ? 1 : COARSE_UNITS;
        return step * (int) Math.min(1 << 16, Math.ceil(ratio / DurationSummary.BOUND_UNIT / step - 1e-9));
    }

    /** The window before, moved here; null where it cannot keep the bound. */
    private @Nullable DurationSummary carried(long sum, int[] found, DurationSummary previous) {
        if (previous.form() != Form.KNOTS) {
            return null;
        }
        PositionGrid grid = new PositionGrid(sample.count(), previous.positionBits());
        int[] places = grid.carry(new PositionGrid(previous.count(), previous.positionBits()), previous.places());
        int[] modeFirst = previous.modeFirst();
        int[] firstBins = found.length == modeFirst.length ? found : borders(grid, places, modeFirst);
        int[] bins = Knots.within(previous.bins(), sample.firstBin(), sample.lastBin());
        double error = fit.errorRatio(sample, firstBins, (double) sum, grid, places, bins, modeFirst, share);
        if (!(error <= share) && error < Double.POSITIVE_INFINITY) {
            int[] fresh = fit.valuesAt(sample, firstBins, grid, places, modeFirst);
            for (int still = STILL; still >= 0 && !(error <= share); still--) {
                bins = Knots.settled(previous.bins(), fresh, still);
                error = fit.errorRatio(sample, firstBins, (double) sum, grid, places, bins, modeFirst, share);
            }
        }
        return error <= share
                ? DurationSummary.ofKnots(
                        sample.count(), sum, previous.positionBits(), places, bins, modeFirst, units(error))
                : null;
    }

    /** The first bins of modes that begin at given places; not ascending where two would begin in one bin. */
    private int[] borders(PositionGrid grid, int[] places, int[] modeFirst) {
        int[] result = new int[modeFirst.length];
        for (int m = 1; m < result.length; m++) {
            result[m] = sample.at((double) grid.position(places[modeFirst[m]]));
        }
        return result;
    }

    /** The longest event of all, and those most above what is usual for their kernel. */
    private static final class Extremes {
        private record Candidate(ExtremeEvent event, double excess) {}

        private static final Comparator<Candidate> LONGEST = Comparator.comparingLong(
                        (Candidate c) -> c.event().durationNanos())
                .reversed()
                .thenComparingLong(c -> c.event().startNanos())
                .thenComparingInt(c -> c.event().stream())
                .thenComparingInt(c -> c.event().name());

        private final List<Candidate> candidates = new ArrayList<>();
        private @Nullable Candidate longest;

        /** Of a key of few events none is above what is usual, but one may be the longest of all. */
        void offerFew(OpenKey key) {
            if (longest == null || key.topNanos(0) >= longest.event().durationNanos()) {
                longest(candidate(key, 0, 0));
            }
        }

        private static Candidate candidate(OpenKey key, int i, double usual) {
            return new Candidate(
                    new ExtremeEvent(key.name, key.stream, key.topStart(i), key.topNanos(i)), key.topNanos(i) - usual);
        }

        private void longest(Candidate candidate) {
            if (longest == null || LONGEST.compare(candidate, longest) < 0) {
                longest = candidate;
            }
        }

        void offer(OpenKey key, double usual) {
            for (int i = 0; i < key.tops(); i++) {
                Candidate candidate = candidate(key, i, usual);
                longest(candidate);
                if (key.topNanos(i) >= EXTREME_RATIO * usual) {
                    candidates.add(candidate);
                }
            }
        }

        List<ExtremeEvent> chosen() {
            if (longest != null) {
                candidates.remove(longest);
            }
            candidates.sort(
                    Comparator.comparingDouble(Candidate::excess).reversed().thenComparing(LONGEST));
            List<Candidate> kept =
                    new ArrayList<>(candidates.subList(0, Math.min(candidates.size(), KernelWindow.MOST_EXTREMES - 1)));
            if (longest != null) {
                kept.add(longest);
            }
            return kept.stream().sorted(LONGEST).map(Candidate::event).toList();
        }
    }
}
