package dev.argus.server.metrics;

import dev.argus.hostlocal.metrics.Metric;
import dev.argus.hostlocal.metrics.SampleSink;
import dev.argus.stats.Robust;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The series of one scrape, at most a stated number; what goes beyond, or repeats labels, is left out and counted by metric.
 *
 * <p>Belongs to one thread.
 */
final class Samples implements SampleSink {
    private static final double MEDIAN = 0.5;

    private final int most;
    private final Map<Metric, Map<Labels, DataPointSnapshot>> points = new EnumMap<>(Metric.class);
    private final Map<Metric, Long> leftOut = new EnumMap<>(Metric.class);
    private int series;

    /**
     * Without any series.
     *
     * @param most series it takes
     */
    Samples(int most) {
        this.most = most;
    }

    @Override
    public void gauge(Metric metric, double value, String... labels) {
        Labels named = named(metric, labels);
        add(metric, named, 1, new GaugeDataPointSnapshot(value, named, null));
    }

    @Override
    public void counter(Metric metric, double value, String... labels) {
        Labels named = named(metric, labels);
        add(metric, named, 1, new CounterDataPointSnapshot(Math.max(0, value), named, null, 0));
    }

    @Override
    public void spread(Metric metric, double median, double max, long count, String... labels) {
        Labels named = named(metric, labels);
        Quantiles both = Quantiles.of(new Quantile(MEDIAN, median), new Quantile(1, max));
        add(metric, named, 3, new SummaryDataPointSnapshot(Math.max(0, count), Double.NaN, both, named, null, 0));
    }

    /** Adds a histogram: counts by bin, whose upper edges are given and end with infinity. */
    void histogram(Metric metric, double[] edges, long[] counts, double sum, String... labels) {
        Labels named = named(metric, labels);
        ClassicHistogramBuckets bins = ClassicHistogramBuckets.of(edges, counts);
        add(metric, named, edges.length + 2, new HistogramDataPointSnapshot(bins, sum, named, null, 0));
    }

    @Override
    public void leaveOut(Metric metric, long count) {
        if (count > 0) {
            leftOut.merge(metric, count, Long::sum);
        }
    }

    /** Series taken. */
    int series() {
        return series;
    }

    /** All of it, with what was left out, and how many parts could not be asked; these have room beyond the bound. */
    MetricSnapshots snapshots(int unreadable) {
        Map<Labels, DataPointSnapshot> missing = new LinkedHashMap<>();
        leftOut.forEach((metric, count) -> {
            Labels named = named(Metric.LEFT_OUT, metric.text());
            missing.put(named, new GaugeDataPointSnapshot(count, named, null));
        });
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        points.forEach((metric, of) -> all.metricSnapshot(snapshot(metric, of.values())));
        all.metricSnapshot(snapshot(Metric.LEFT_OUT, missing.values()));
        List<GaugeDataPointSnapshot> parts = List.of(new GaugeDataPointSnapshot(unreadable, Labels.EMPTY, null));
        all.metricSnapshot(snapshot(Metric.UNREADABLE, parts));
        return all.build();
    }

    private void add(Metric metric, Labels labels, int count, DataPointSnapshot point) {
        Map<Labels, DataPointSnapshot> of = points.computeIfAbsent(metric, m -> new LinkedHashMap<>());
        if (series + count > most || of.putIfAbsent(labels, point) != null) {
            leaveOut(metric, count);
        } else {
            series += count;
        }
    }

    private static Labels named(Metric metric, String... values) {
        return Labels.of(metric.labels().toArray(String[]::new), values);
    }

    private static MetricSnapshot snapshot(Metric metric, Collection<? extends DataPointSnapshot> of) {
        return switch (metric.type()) {
            case GAUGE -> new GaugeSnapshot(about(metric, ""), cast(of, GaugeDataPointSnapshot.class));
            case COUNTER -> new CounterSnapshot(about(metric, "_total"), cast(of, CounterDataPointSnapshot.class));
            case HISTOGRAM -> new HistogramSnapshot(about(metric, ""), cast(of, HistogramDataPointSnapshot.class));
            case SUMMARY -> new SummarySnapshot(about(metric, ""), cast(of, SummaryDataPointSnapshot.class));
        };
    }

    private static <T> Collection<T> cast(Collection<?> of, Class<T> type) {
        return of.stream().map(type::cast).toList();
    }

    /** The library's names of counters have no suffix; its formats add it. */
    private static MetricMetadata about(Metric metric, String suffix) {
        String name = metric.text().substring(0, metric.text().length() - suffix.length());
        return new MetricMetadata(name, metric.help());
    }

    /** Adds median and maximum of what is known of values: NaN is unknown, and both when nothing is known. */
    void spread(Metric metric, double[] values, String... labels) {
        double[] known = DoubleStream.of(values).filter(v -> !Double.isNaN(v)).toArray();
        double most = DoubleStream.of(known).max().orElse(Double.NaN);
        spread(metric, known.length == 0 ? Double.NaN : Robust.median(known), most, known.length, labels);
    }
}
