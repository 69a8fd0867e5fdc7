package dev.argus.server.metrics;

import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.server.job.JobView;
import dev.argus.server.job.LabelText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The incidents of one job as series, with a series for each rank that is accused: at most {@value #MOST_SUSPECTS} of a job, the most costly incidents first. */
final class SuspectSamples {
    /** Accusations of ranks that have a series. */
    static final int MOST_SUSPECTS = 64;

    private static final double MILLIS = 1e6;

    private final Samples to;
    private final JobView job;
    private final String label;

    SuspectSamples(Samples to, JobView job, String label) {
        this.to = to;
        this.job = job;
        this.label = label;
    }

    /**
     * The strongest proof as a ratio.
     *
     * @param score what was measured
     * @param threshold from where on it speaks for the incident
     */
    record Score(double score, double threshold) {}

    /** Writes them. */
    void write() {
        Map<List<String>, Integer> active = new LinkedHashMap<>();
        List<Incident> open = job.incidents().stream()
                .filter(i -> i.state() != IncidentState.RESOLVED)
                .toList();
        for (Incident i : job.incidents()) {
            int one = i.state() == IncidentState.RESOLVED ? 0 : 1;
            active.merge(List.of(i.kind().text(), i.severity().text()), one, Integer::sum);
        }
        active.forEach((of, n) -> to.gauge(Metric.INCIDENT_ACTIVE, n, label, of.get(0), of.get(1)));
        Set<String> accused = new TreeSet<>();
        Set<Integer> scored = new TreeSet<>();
        for (Incident i : open) {
            Score score = score(i, job.usualNanos());
            for (int at = 0; at < i.ranks().size(); at++) {
                int rank = i.ranks().get(at);
                if (!accused.add(rank + " " + i.kind().text())) {
                    continue; // a less costly incident of the same kind
                }
                if (accused.size() > MOST_SUSPECTS) {
                    to.leaveOut(Metric.INCIDENT_CONFIDENCE, 1);
                    continue;
                }
                String number = Integer.toString(rank);
                String host = host(i, rank);
                to.gauge(
                        Metric.INCIDENT_CONFIDENCE,
                        i.confidence(),
                        label,
                        number,
                        host,
                        i.kind().text());
                if (score != null && scored.add(rank)) {
                    to.gauge(Metric.SCORE, score.score(), label, number, host);
                    to.gauge(Metric.THRESHOLD, score.threshold(), label, number, host);
                }
            }
        }
    }

    /** Empty, as if the label were not there, when it is not known. */
    private String host(Incident i, int rank) {
        String known = job.shape() == null ? "" : job.shape().hostOf(rank);
        for (GpuRef gpu : i.gpus()) {
            String host = gpu.host();
            if (gpu.rank() == rank && host != null) {
                known = host;
            }
        }
        return known.isEmpty() ? "" : LabelText.of(known);
    }

    /** The first row of proof that is a ratio, or a difference of times that can be made one; null when there is none. */
    static @Nullable Score score(Incident incident, long usualNanos) {
        for (Evidence row : incident.evidence()) {
            if (!Double.isFinite(row.threshold()) || !Double.isFinite(row.value())) {
                continue;
            }
            if (row.unit().equals("x")) {
                return new Score(row.value(), row.threshold());
            }
            if (row.unit().equals("ms") && usualNanos > 0) {
                double step = usualNanos / MILLIS;
                return new Score(1 + row.value() / step, 1 + row.threshold() / step);
            }
        }
        return null;
    }
}
