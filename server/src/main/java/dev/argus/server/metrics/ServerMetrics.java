package dev.argus.server.metrics;

import dev.argus.hostlocal.metrics.Metric;
import dev.argus.server.alerts.AlertStatus;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import dev.argus.storage.StoreStatus;
import dev.argus.transport.ReceiverStatus;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The page {@code /metrics}: jobs and the server itself, as Prometheus reads it. A job that is gone is not on it any more.
 *
 * <p>The series of a scrape are bounded: the server's own first, then verdict and coverage of each job, the one heard of last first, then their details; what has no room is counted in
 * {@code argus_series_left_out}. What cannot be asked is missing and counted, never 0.
 *
 * <p>Thread-safe; one page is made at a time. It has to be a listener of the fleet for the histograms of step times. Cost: some microseconds a series.
 */
public final class ServerMetrics implements FleetListener {
    /** Series of a scrape unless said otherwise: some hundreds of jobs with all their details. */
    public static final int MOST_SERIES = 50_000;

    private static final long NANOS = 1_000_000_000L;

    private final Fleet fleet;
    private final Supplier<StoreStatus> store;
    private final Supplier<ReceiverStatus> receiver;
    private final Supplier<ServerHealth> health;
    private final Supplier<AlertStatus> alerts;
    private final InstantSource clock;
    private final int mostSeries;
    private final Map<String, JobMeter> meters = new ConcurrentHashMap<>();
    private final ExpositionFormatWriter text = PrometheusTextFormatWriter.create();
    private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();

    /**
     * A page in the making.
     *
     * @param contentType media type
     * @param body its bytes
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Page(String contentType, byte[] body) {}

    /**
     * Of a server. Every supplier is asked at each scrape and may throw.
     *
     * @param clock tells how old things are
     * @param mostSeries most series of a scrape
     */
    public ServerMetrics(
            Fleet fleet,
            Supplier<StoreStatus> store,
            Supplier<ReceiverStatus> receiver,
            Supplier<ServerHealth> health,
            Supplier<AlertStatus> alerts,
            InstantSource clock,
            int mostSeries) {
        this.fleet = fleet;
        this.store = store;
        this.receiver = receiver;
        this.health = health;
        this.alerts = alerts;
        this.clock = clock;
        this.mostSeries = mostSeries;
    }

    @Override
    public void step(JobView job, Rows.Step step, List<Rows.Phase> phases) {
        if (step.medianNanos() >= 0) {
            meter(job.job()).step(step.medianNanos());
        }
    }

    @Override
    public void forgotten(JobView job) {
        meters.remove(job.job());
    }

    /**
     * The page as it is now.
     *
     * @param accept what the reader takes, as its {@code Accept} says: OpenMetrics where it is named, else the text format 0.0.4
     */
    public synchronized Page page(@Nullable String accept) {
        ExpositionFormatWriter writer = openMetrics.accepts(accept) ? openMetrics : text;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, collect(), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException("writing into memory", e);
        }
        return new Page(writer.getContentType(), out.toByteArray());
    }

    /** The page as it is now, in the text format 0.0.4. */
    public String text() {
        return new String(page(null).body(), StandardCharsets.UTF_8);
    }

    private MetricSnapshots collect() {
        Samples to = new Samples(mostSeries);
        Instant now = clock.instant();
        long nowNanos = now.getEpochSecond() * NANOS + now.getNano();
        ServerSamples own = new ServerSamples(to);
        int[] unreadable = {0};
        reading(unreadable, () -> own.frames(receiver.get()));
        reading(unreadable, () -> own.health(health.get(), nowNanos));
        reading(unreadable, () -> own.store(store.get()));
        reading(unreadable, () -> own.alerts(alerts.get()));
        reading(unreadable, () -> own.process(ProcessReading.now()));
        reading(unreadable, () -> jobs(to, nowNanos, unreadable));
        return to.snapshots(unreadable[0]);
    }

    private void jobs(Samples to, long nowNanos, int[] unreadable) {
        List<JobView> jobs = fleet.jobs();
        to.gauge(Metric.JOBS, jobs.size());
        Set<String> known = jobs.stream().map(JobView::job).collect(Collectors.toSet());
        meters.keySet().removeIf(name -> !known.contains(name));
        for (JobView job : jobs) {
            reading(unreadable, () -> new JobSamples(to, job, meter(job.job())).verdict(nowNanos));
        }
        for (JobView job : jobs) {
            reading(unreadable, () -> new JobSamples(to, job, meter(job.job())).details(newestOwn(job), nowNanos));
        }
    }

    private @Nullable HeatMapData newestOwn(JobView job) {
        return job.newestStep() < 0
                ? null
                : fleet.heatMap(job.job(), HeatValue.OWN, job.newestStep(), job.newestStep())
                        .orElse(null);
    }

    private JobMeter meter(String job) {
        return meters.computeIfAbsent(job, name -> new JobMeter());
    }

    /** What is broken elsewhere must not take the page with it. */
    private static void reading(int[] unreadable, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException broken) {
            unreadable[0]++;
        }
    }
}
