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
 * <p>The bound is at most the requested share, 1 % by default, and travels with the summary. It is proven from the bins alone, so
 * the real error is smaller: about 0.45 % on public traces where 1 % is asked for.
 *
 * <p>A stream of similar windows: what the window before said of a kernel is tried first, as it is (but for minimum and maximum), then with its
 * places and new values; only where neither keeps the bound a new fit is made. So the bytes of a steady stream stay few
 * while the bound stays the same.
 *
 * <p>Cost: see {@code bench events}; about 20 us a kernel. Belongs to one thread.
 */
public final class WindowCloser {
    /** Default of the largest W1, as a share of the mean. */
    public static final double DEFAULT_SHARE = 0.01;

    private static final double LEAST_SHARE = 0.005;

    /** An event is an extreme from this multiple of its kernel's median on. */
    private static final double EXTREME_RATIO = 2;

    private final double share;
    private final boolean eventsExact;
    private final BinnedSample sample = new BinnedSample();
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
        for (OpenKey key : sketch.keys()) {
            if (key.count() > 0) {
                long id = (long) key.name << 32 | key.stream & 0xFFFFFFFFL;
                key.read(sample);
                DurationSummary summary = summary(key, before.get(id));
                now.put(id, summary);
                kernels.add(new StreamKernel(key.name, key.stream, key.work(), summary));
                extremes.offer(key, sample);
            }
        }
        before = now;
        return new KernelWindow(attempt, rank, window, kernels, extremes.chosen(), sketch.lost());
    }

    private DurationSummary summary(OpenKey key, @Nullable DurationSummary previous) {
        if (key.count() <= DurationSummary.FEW) {
            return eventsExact ? DurationSummary.ofEvents(key.events()) : steps(key);
        }
        int[] firstBins = modes.firstBins(sample);
        DurationSummary carried = previous == null || eventsExact ? null : carried(key, firstBins, previous);
        if (carried != null) {
            return carried;
        }
        Knots knots = fit.fit(sample, firstBins, key.sum(), share);
        return DurationSummary.ofKnots(
                key.count(),
                key.sum(),
                knots.positionBits(),
                knots.places(),
                knots.bins(),
                knots.modeFirst(),
                units(knots.errorRatio()));
    }

    private static DurationSummary steps(OpenKey key) {
        long[] events = key.events();
        int[] bins = new int[events.length];
        double[] exact = new double[events.length];
        for (int i = 0; i < bins.length; i++) {
            bins[i] = LogBins.bin(events[i], BinnedSample.BITS);
            exact[i] = events[i];
        }
        double error =
                Rebuilt.steps(exact).shiftTo(Knots.steps(key.sum(), bins)).distance();
        double mean = (double) key.sum() / events.length;
        return DurationSummary.ofSteps(key.sum(), bins, units(mean > 0 ? error / mean : 0));
    }

    private static int units(double ratio) {
        return (int) Math.min(1 << 20, Math.ceil(ratio / DurationSummary.BOUND_UNIT - 1e-9));
    }

    private @Nullable DurationSummary carried(OpenKey key, int[] firstBins, DurationSummary previous) {
        if (previous.form() != Form.KNOTS || previous.modeFirst().length != firstBins.length) {
            return null;
        }
        PositionGrid grid = new PositionGrid(key.count(), previous.positionBits());
        int[] places = grid.carry(new PositionGrid(previous.count(), previous.positionBits()), previous.places());
        int[] bins = Knots.within(previous.bins(), sample.firstBin(), sample.lastBin());
        double error = fit.errorRatio(sample, firstBins, key.sum(), grid, places, bins, previous.modeFirst());
        if (!(error <= share)) {
            bins = fit.valuesAt(sample, firstBins, grid, places, previous.modeFirst());
            error = fit.errorRatio(sample, firstBins, key.sum(), grid, places, bins, previous.modeFirst());
        }
        return error <= share
                ? DurationSummary.ofKnots(
                        key.count(),
                        key.sum(),
                        previous.positionBits(),
                        places,
                        bins,
                        previous.modeFirst(),
                        units(error))
                : null;
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

        void offer(OpenKey key, BinnedSample sample) {
            double usual = sample.median();
            for (int i = 0; i < key.tops(); i++) {
                ExtremeEvent event = new ExtremeEvent(key.name, key.stream, key.topStart(i), key.topNanos(i));
                Candidate candidate = new Candidate(event, key.topNanos(i) - usual);
                if (longest == null || LONGEST.compare(candidate, longest) < 0) {
                    longest = candidate;
                }
                if (key.count() > DurationSummary.FEW && key.topNanos(i) >= EXTREME_RATIO * usual) {
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
