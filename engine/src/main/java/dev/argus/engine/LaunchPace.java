package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Launch pace: the CPU time from one launch to the next, or where launches are not recorded that of a step's phases for each kernel launched, rank by rank. Key: attempt.
 *
 * <p>A CPU that is slow (a busy host, a slow core) shows here long before the GPU runs dry, and where it costs time at the same moment in
 * every collective that it launches late. It is compared with peers on other hosts, for a host may be slow as a whole; where a stage lives
 * on one host, with all ranks of other hosts, and then far more is demanded, for stages launch different work.
 *
 * <p>State: 4 binary32 of each of the last {@value #STEPS} steps, 1,024 bytes a rank when full.
 */
final class LaunchPace implements Transform<LaunchStep, LaunchPace.State> {
    private static final int STEPS = 64;
    private static final int MEASURES = 4;
    private static final int SPAN = 0;
    private static final int KERNELS = 1;
    private static final int IDLE = 2;

    /** 1 where the pace is told by launches, 0 where by phases. */
    private static final int BY_LAUNCHES = 3;

    /** What accuses. */
    private static final Demand SURE = new Demand(0.03, 0.05);

    /** What is observed of one rank, and of the median of the ranks of a host. */
    private static final Demand OBSERVED = new Demand(0.02, 0.03);

    private static final Demand OBSERVED_HOST = new Demand(0.01, 0.018);

    /** Spread assumed at least where it is measured, or of hosts. */
    private static final double OBSERVED_SPREAD_RATIO = 0.004;

    /** Of fewer steps nobody knows how much launches differ from one to the next: what is only observed needs more. */
    private static final int LEAST_OBSERVED = 3;

    /** Fewer ranks are no host with a median. */
    private static final int HOST_RANKS = 3;

    /** Healthy CPUs of one model differ by such a standard deviation. */
    private static final double SPREAD_RATIO = 0.01;

    /** One step counts for no more than so many times what this share of the steps of the stretch does not exceed: a stretch is slow in half of its steps. */
    private static final double MOST_FACTOR = 2;

    private static final double USUAL_SHARE = 0.6;

    /** Ratio, less 1, demanded where only ranks with other work can be compared ... */
    private static final double OTHER_WORK_RATIO = 0.6;

    /** ... and where launches tell the pace and several other stages, with work of their own each, have the same one. */
    private static final double OTHER_LAUNCHES_RATIO = 0.35;

    /** Least ratio demanded: of what accuses; of what is observed of a rank; of what is observed of a host. */
    static double leastRatio(boolean observed, boolean host) {
        return 1 + (!observed ? SURE : host ? OBSERVED_HOST : OBSERVED).leastRatio();
    }

    private final JobShape shape;
    private final Thresholds t;

    LaunchPace(JobShape shape, Thresholds thresholds) {
        this.shape = shape;
        this.t = thresholds;
    }

    /** What is kept of one attempt. */
    static final class State {
        final int attempt;
        StepMatrix matrix = new StepMatrix(MEASURES, STEPS);

        State(int attempt) {
            this.attempt = attempt;
        }
    }

    @Override
    public long key(LaunchStep r) {
        return Keys.of(r.attempt(), 0, 0);
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key));
    }

    @Override
    public void onRecord(State s, LaunchStep r, Out out) {
        if (s.matrix.isDueBefore(r.step())) {
            judge(s, out);
        }
        if (!s.matrix.put(
                r.rank(),
                r.step(),
                (float) r.spanNanos(),
                (float) r.kernels(),
                (float) r.idleNanos(),
                r.byLaunches() ? 1 : 0)) {
            out.loss("late-step");
        }
    }

    @Override
    public void onTimer(State s, long eventNanos, Out out) {
        judge(s, out);
    }

    private void judge(State s, Out out) {
        s.matrix.judged();
        Judged.emit(s.attempt, Judged.By.LAUNCHES, 0, 0, s.matrix, out);
        int[] ranks = s.matrix.rows();
        int steps = s.matrix.size();
        if (ranks.length < 2 || steps == 0) {
            return;
        }
        double[][] span = s.matrix.measure(SPAN);
        boolean byLaunches = keepOneKind(span, s.matrix.measure(BY_LAUNCHES));
        double[][] kernels = s.matrix.measure(KERNELS);
        LaunchReferences usualKernels = new LaunchReferences(shape, ranks, kernels);
        double[][] pace = new double[ranks.length][steps];
        for (int r = 0; r < ranks.length; r++) {
            // in a phase, who has fewer on record than those that do the same work may have lost some, but launched
            // them
            double[] least = !byLaunches && usualKernels.samePeers(r) ? usualKernels.of(r) : kernels[r];
            for (int i = 0; i < steps; i++) {
                pace[r][i] = span[r][i] / (kernels[r][i] < least[i] ? least[i] : kernels[r][i]);
            }
        }
        LaunchReferences references = new LaunchReferences(shape, ranks, pace);
        double[][] idle = s.matrix.measure(IDLE);
        LaunchReferences usualIdle = new LaunchReferences(shape, ranks, idle);
        double[][] relative = new double[ranks.length][];
        double[] changes = new double[ranks.length * steps];
        Arrays.fill(changes, Double.NaN);
        for (int r = 0; r < ranks.length; r++) {
            double[] own = pace[r];
            double[] reference = references.of(r);
            relative[r] = new double[steps];
            for (int i = 0; i < steps; i++) {
                relative[r][i] = own[i] / reference[i] - 1;
                if (i > 0) {
                    changes[r * steps + i] = Math.abs(relative[r][i] - relative[r][i - 1]);
                }
            }
        }
        double within = Robust.MAD_TO_SIGMA * Robust.median(changes) / Math.sqrt(2);
        double[] lasting = Arrays.stream(relative).mapToDouble(Robust::median).toArray();
        double between = ranks.length < 4 ? 0 : Robust.shorthSigma(lasting);
        Noise noise = new Noise(orZero(within), orZero(between), Math.max(SPREAD_RATIO, orZero(between)), ranks.length);
        Series[] series = new Series[ranks.length];
        boolean[] found = new boolean[ranks.length];
        for (int r = 0; r < ranks.length; r++) {
            double other = byLaunches && references.othersAgree(r) ? OTHER_LAUNCHES_RATIO : OTHER_WORK_RATIO;
            series[r] = new Series(
                    pace[r], span[r], relative[r], idle[r], usualIdle.of(r), references.samePeers(r), other, false);
            Stretch stretch = stretch(series[r], noise, SURE);
            if (stretch == null && !series[r].samePeers()) {
                series[r] = series[r].ownHistory();
                stretch = stretch(series[r], noise.ofOwnHistory(), SURE);
            }
            if (stretch != null) {
                found[r] = true;
                emit(s, ranks[r], series[r], stretch, false, out);
            }
        }
        if (steps >= LEAST_OBSERVED) {
            observe(s, ranks, series, found, noise, out);
        }
    }

    /** Phases last longer than their launches: of the two only what most steps of the ranks are told by is compared, the rest is unknown. True if that is launches. */
    private static boolean keepOneKind(double[][] span, double[][] byLaunches) {
        int more = 0;
        for (double[] kinds : byLaunches) {
            for (double kind : kinds) {
                more += kind == 1 ? 1 : kind == 0 ? -1 : 0;
            }
        }
        int kept = more >= 0 ? 1 : 0;
        for (int r = 0; r < span.length; r++) {
            for (int i = 0; i < span[r].length; i++) {
                span[r][i] = byLaunches[r][i] == kept ? span[r][i] : Double.NaN;
            }
        }
        return kept == 1;
    }

    /** What is too little to accuse: of whole hosts, whose ranks are slow together, and of ranks. */
    private void observe(State s, int[] ranks, Series[] series, boolean[] found, Noise noise, Out out) {
        Map<String, List<Integer>> hosts = new LinkedHashMap<>();
        for (int r = 0; r < ranks.length; r++) {
            hosts.computeIfAbsent(shape.hostOf(ranks[r]), h -> new ArrayList<>())
                    .add(r);
        }
        Map<String, Series> typical = new LinkedHashMap<>();
        hosts.forEach((host, rows) -> {
            boolean comparable = !host.isEmpty() && rows.size() >= HOST_RANKS && hosts.size() > 1;
            if (comparable && rows.stream().noneMatch(r -> found[r])) {
                typical.put(
                        host, Series.typical(rows.stream().map(r -> series[r]).toList()));
            }
        });
        double within = Robust.median(typical.values().stream()
                .mapToDouble(t -> changes(t.relative()))
                .toArray());
        Noise ofHosts = new Noise(orZero(within), OBSERVED_SPREAD_RATIO, hosts.size());
        typical.forEach((host, t) -> {
            Stretch stretch = stretch(t, ofHosts, OBSERVED_HOST);
            if (stretch == null) {
                return;
            }
            for (int r : hosts.getOrDefault(host, List.of())) {
                found[r] = true;
                emit(s, ranks[r], series[r], stretch, true, out);
            }
        });
        for (int r = 0; r < ranks.length; r++) {
            Stretch stretch = found[r] ? null : stretch(series[r], noise.measured(), OBSERVED);
            if (stretch != null) {
                emit(s, ranks[r], series[r], stretch, true, out);
            }
        }
    }

    /** Standard deviation from step to step. */
    private static double changes(double[] values) {
        double[] changes = new double[Math.max(0, values.length - 1)];
        for (int i = 0; i < changes.length; i++) {
            changes[i] = Math.abs(values[i + 1] - values[i]);
        }
        return Robust.MAD_TO_SIGMA * Robust.median(changes) / Math.sqrt(2);
    }

    /**
     * One rank by step.
     *
     * @param other least ratio, less 1, where it is compared with ranks with other work
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Series(
            double[] pace,
            double[] span,
            double[] relative,
            double[] idle,
            double[] usualIdle,
            boolean samePeers,
            double other,
            boolean itself) {
        /** Against the rank's own pace in a quarter of the steps, or in the first two: where it was never otherwise nothing is found. */
        Series ownHistory() {
            double usual = usual(pace);
            double[] changed = Arrays.stream(pace).map(x -> x / usual - 1).toArray();
            return new Series(pace, span, changed, idle, usualIdle, true, other, true);
        }

        private static double usual(double[] pace) {
            double quarter = Robust.quantile(pace, 0.25);
            double first = pace.length > 2 ? Math.max(pace[0], pace[1]) : Double.NaN;
            return first < quarter ? first : quarter;
        }

        /** The medians of several ranks. */
        static Series typical(List<Series> of) {
            return new Series(
                    medians(of, Series::pace),
                    medians(of, Series::span),
                    medians(of, Series::relative),
                    medians(of, Series::idle),
                    medians(of, Series::usualIdle),
                    of.stream().allMatch(Series::samePeers),
                    of.stream().mapToDouble(Series::other).max().orElse(OTHER_WORK_RATIO),
                    of.stream().anyMatch(Series::itself));
        }

        private static double[] medians(List<Series> of, Function<Series, double[]> part) {
            double[] medians = new double[part.apply(of.getFirst()).length];
            double[] column = new double[of.size()];
            for (int i = 0; i < medians.length; i++) {
                for (int r = 0; r < column.length; r++) {
                    column[r] = part.apply(of.get(r))[i];
                }
                medians[i] = Robust.median(column);
            }
            return medians;
        }
    }

    private record Noise(double within, double lasting, double between, int ranks) {
        Noise(double within, double between, int ranks) {
            this(within, between, between, ranks);
        }

        /** Of a rank against itself: ranks with other work say nothing about how far it may lie off. */
        Noise ofOwnHistory() {
            return new Noise(within, 0, SPREAD_RATIO, ranks);
        }

        /** With the spread that was measured, not the one assumed at least. */
        Noise measured() {
            return new Noise(within, lasting, Math.max(OBSERVED_SPREAD_RATIO, lasting), ranks);
        }
    }

    /**
     * What is demanded.
     *
     * @param stepRatio least ratio, less 1, of a step that belongs to a stretch
     * @param leastRatio least of the whole stretch
     */
    private record Demand(double stepRatio, double leastRatio) {}

    /** Steps in which launches are slow, by position, and by how much. */
    private record Stretch(Segment segment, double mean, int active, double sigma, boolean ownHistory) {}

    private @Nullable Stretch stretch(Series series, Noise noise, Demand demand) {
        double[] relative = series.relative();
        boolean samePeers = series.samePeers();
        double perStep = Math.max(samePeers ? demand.stepRatio() : series.other() / 2, 2 * noise.within());
        double[] over = Arrays.stream(relative).map(x -> x - perStep).toArray();
        Segment segment = Segment.best(over, -perStep);
        if (segment == null) {
            return null;
        }
        // a CPU that waits inside a phase once is not slow in all others
        double most = MOST_FACTOR
                * Robust.quantile(Arrays.copyOfRange(relative, segment.first(), segment.last() + 1), USUAL_SHARE);
        double sum = 0;
        int n = 0;
        int active = 0;
        int outside = 0;
        for (int i = 0; i < relative.length; i++) {
            boolean inside = i >= segment.first() && i <= segment.last();
            boolean seen = !Double.isNaN(relative[i]);
            outside += inside || !seen ? 0 : 1;
            if (inside && seen) {
                sum += Math.min(relative[i], most);
                n++;
                active += relative[i] >= perStep ? 1 : 0;
            }
        }
        if (n == 0) {
            return null;
        }
        double mean = sum / n;
        double sigma = Math.sqrt(noise.between() * noise.between() + noise.within() * noise.within() / n);
        double family = Math.sqrt(2 * Math.log(Math.max(2, noise.ranks()))) + t.familySigmas();
        double least = Math.max(samePeers ? demand.leastRatio() : series.other(), family * sigma);
        // a pause now and then makes launches late, not slow
        if (active < Math.min(3, relative.length) || 2 * active < n || mean < least) {
            return null;
        }
        return new Stretch(segment, mean, active, sigma, series.itself() || outside >= 2);
    }

    private static void emit(State s, int rank, Series series, Stretch stretch, boolean observed, Out out) {
        double[] relative = series.relative();
        double[] span = series.span();
        List<Long> steps = new ArrayList<>();
        List<Double> excess = new ArrayList<>();
        List<Double> idle = new ArrayList<>();
        for (int i = stretch.segment().first(); i <= stretch.segment().last(); i++) {
            if (!Double.isNaN(relative[i])) {
                steps.add(s.matrix.step(i));
                excess.add(Math.max(0, span[i] - span[i] / (1 + relative[i])));
                idle.add(series.idle()[i] - series.usualIdle()[i]);
            }
        }
        if (steps.isEmpty()) {
            return;
        }
        out.emit(new LaunchFinding(
                s.attempt,
                rank,
                steps.stream().mapToLong(Long::longValue).toArray(),
                excess.stream().mapToDouble(Double::doubleValue).toArray(),
                idle.stream().mapToDouble(Double::doubleValue).toArray(),
                1 + stretch.mean(),
                stretch.active(),
                stretch.mean() / stretch.sigma(),
                stretch.ownHistory(),
                observed,
                series.itself()));
    }

    private static double orZero(double v) {
        return Double.isNaN(v) ? 0 : v;
    }

    @Override
    public void encode(State s, WireWriter to) {
        s.matrix.encode(to);
    }

    @Override
    public State decode(long key, WireReader from) {
        State s = fresh(key);
        s.matrix = StepMatrix.decode(MEASURES, STEPS, from);
        return s;
    }
}
