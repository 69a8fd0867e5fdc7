package dev.argus.server.alerts;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Severity;
import dev.argus.server.job.SampleJobs;
import dev.argus.transport.Backoff;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;

/** Incidents and times of the tests of alerts. */
final class AlertsFixture {
    static final long NOW = SampleJobs.NOW_MILLIS;
    static final long NANOS = 1_000_000;

    /** Waits that are different powers of ten, so that none is taken for another. */
    static final AlertTiming TIMING = new AlertTiming(
            Duration.ofMillis(100),
            Duration.ofMillis(10_000),
            Duration.ofMillis(40_000),
            Duration.ofMillis(5_000),
            Duration.ofMillis(2_000),
            Duration.ofMillis(1_000),
            Duration.ofMillis(64_000));

    static final AlertTexts TEXTS = new AlertTexts(URI.create("https://argus.example:8443/"));

    private AlertsFixture() {}

    static Deliveries deliveries(AlertFormat format) {
        return new Deliveries(
                format, TIMING, new Backoff(TIMING.backoffFrom(), TIMING.backoffTo(), new SplittableRandom(1)));
    }

    static Incident slow(String id) {
        return SampleJobs.incident(id, IncidentKind.COMPUTE_STRAGGLER, Severity.WARNING, 3);
    }

    static Alert said(IncidentChange.Kind change, Incident incident) {
        return TEXTS.of("train", incident, change, NOW);
    }

    static Alert opened(String id) {
        return said(IncidentChange.Kind.OPENED, slow(id));
    }

    static Alert resolved(String id) {
        return said(IncidentChange.Kind.RESOLVED, slow(id).resolved((NOW - 1_000) * NANOS));
    }

    static Alert withdrawn(String id) {
        return said(IncidentChange.Kind.WITHDRAWN, slow(id));
    }
}
