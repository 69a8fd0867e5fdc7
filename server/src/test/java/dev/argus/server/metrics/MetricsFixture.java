package dev.argus.server.metrics;

import dev.argus.server.alerts.AlertStatus;
import dev.argus.server.alerts.AlertStatus.WebhookStatus;
import dev.argus.server.job.SampleJobs;
import dev.argus.server.job.ScriptedFleet;
import dev.argus.storage.StoreStatus;
import dev.argus.transport.ReceiverStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The metrics of a server that does something of everything. */
public final class MetricsFixture {
    private static final StoreStatus STORE = new StoreStatus(
            9,
            Map.of("rows", 1_000L, "objects", 2_000L),
            10_000,
            Map.of("step", 5L),
            Map.of("objects", 1L),
            "disk full");

    private final ServerMetrics metrics;
    private volatile ServerHealth health = new ServerHealth(
            4_096, 1 << 20, (SampleJobs.NOW_MILLIS - 3_000) * 1_000_000, 50_000_000, false, Map.of("ranks", 1L), 0);
    private volatile boolean storeBroken;

    /** With the usual bound. */
    public MetricsFixture(ScriptedFleet fleet) {
        this(fleet, ServerMetrics.MOST_SERIES);
    }

    /** With a bound. Listens to the fleet. */
    public MetricsFixture(ScriptedFleet fleet, int mostSeries) {
        InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(SampleJobs.NOW_MILLIS));
        AlertStatus alerts = new AlertStatus(
                1,
                2,
                List.of(
                        new WebhookStatus("alertmanager at http://am:9093", 5, 0, 0, 0, false),
                        new WebhookStatus("json at http://hook", 1, 1, 3, 2, true)));
        ReceiverStatus receiver = new ReceiverStatus(3, 100, 7, 1, 2, 4, 0, 0, 0);
        metrics = new ServerMetrics(fleet, this::store, () -> receiver, () -> health, () -> alerts, clock, mostSeries);
        fleet.listen(metrics);
    }

    private StoreStatus store() {
        if (storeBroken) {
            throw new IllegalStateException("as the test wants it");
        }
        return STORE;
    }

    void breakStore() {
        storeBroken = true;
    }

    void health(ServerHealth now) {
        health = now;
    }

    /** The metrics. */
    public ServerMetrics metrics() {
        return metrics;
    }

    /** The page as text. */
    public String page() {
        return metrics.text();
    }
}
