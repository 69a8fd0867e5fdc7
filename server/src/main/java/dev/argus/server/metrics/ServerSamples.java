package dev.argus.server.metrics;

import dev.argus.hostlocal.metrics.LabelText;
import dev.argus.hostlocal.metrics.Metric;
import dev.argus.server.alerts.AlertStatus;
import dev.argus.server.alerts.AlertStatus.WebhookStatus;
import dev.argus.storage.StoreStatus;
import dev.argus.transport.ReceiverStatus;
import java.util.List;

/** The series about the server itself. */
@SuppressWarnings("LongDoubleConversion") // the format has doubles; counts beyond 2^53 do not occur
final class ServerSamples {
    private static final double NANOS = 1e9;

    private final Samples to;

    ServerSamples(Samples to) {
        this.to = to;
    }

    void frames(ReceiverStatus r) {
        to.counter(Metric.FRAMES, r.frames(), "taken");
        to.counter(Metric.FRAMES, r.duplicates(), "duplicate");
        to.counter(Metric.FRAMES, r.missing(), "missing");
        to.counter(Metric.FRAMES, r.refused(), "refused");
        to.counter(Metric.FRAMES, r.overloaded(), "overloaded");
        to.counter(Metric.RECORDS_SKIPPED, r.unknownRecords(), "unknown-kind");
        to.counter(Metric.RECORDS_SKIPPED, r.damagedRecords(), "damaged");
        to.gauge(Metric.SESSIONS, r.sessions());
        to.counter(Metric.SESSIONS_FORGOTTEN, r.forgotten());
    }

    void health(ServerHealth h, long nowNanos) {
        boolean kept = h.checkpointAtNanos() > 0;
        to.gauge(Metric.QUEUE, h.queueBytes());
        to.gauge(Metric.QUEUE_LIMIT, h.queueLimitBytes());
        double age = Math.max(0, nowNanos - h.checkpointAtNanos()) / NANOS;
        to.gauge(Metric.CHECKPOINT_AGE, kept ? age : Double.NaN);
        to.gauge(Metric.CHECKPOINT_DURATION, kept ? h.checkpointNanos() / NANOS : Double.NaN);
        to.gauge(Metric.HELD, h.held() ? 1 : 0);
        h.dropped().forEach((what, n) -> to.counter(Metric.MADE_ROOM, n, LabelText.of(what)));
        to.gauge(Metric.CHECKPOINT_WITHOUT, h.jobsNotKept());
    }

    void store(StoreStatus s) {
        to.counter(Metric.STORE_BATCHES, s.committed());
        s.bytes().forEach((tier, n) -> to.gauge(Metric.STORE_BYTES, n, LabelText.of(tier)));
        to.gauge(Metric.STORE_BUDGET, s.budgetBytes());
        s.rows().forEach((table, n) -> to.gauge(Metric.STORE_ROWS, n, LabelText.of(table)));
        s.removed().forEach((tier, n) -> to.counter(Metric.STORE_REMOVED, n, LabelText.of(tier)));
        to.gauge(Metric.STORE_PROBLEM, s.problem().isEmpty() ? 0 : 1);
    }

    void alerts(AlertStatus a) {
        to.counter(Metric.ALERTS_DROPPED, a.dropped());
        List<WebhookStatus> all = a.webhooks();
        for (int i = 0; i < all.size(); i++) {
            WebhookStatus w = all.get(i);
            String number = Integer.toString(i);
            to.counter(Metric.WEBHOOK_ALERTS, w.delivered(), number, "delivered");
            to.counter(Metric.WEBHOOK_ALERTS, w.refused(), number, "refused");
            to.counter(Metric.WEBHOOK_FAILURES, w.failures(), number);
            to.gauge(Metric.WEBHOOK_WAITING, w.waiting(), number);
            to.gauge(Metric.WEBHOOK_FAILING, w.failing() ? 1 : 0, number);
        }
    }

    void process(ProcessReading p) {
        to.gauge(Metric.MEMORY, p.residentBytes());
        to.gauge(Metric.HEAP, p.heapBytes(), "heap");
        to.gauge(Metric.HEAP_MAX, p.heapMostBytes(), "heap");
        if (!Double.isNaN(p.cpuSeconds())) {
            to.counter(Metric.CPU, p.cpuSeconds());
        }
        to.gauge(Metric.STARTED, p.startedSeconds());
    }
}
