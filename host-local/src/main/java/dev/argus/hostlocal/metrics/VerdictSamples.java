package dev.argus.hostlocal.metrics;

import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The series about the verdict on one job that everybody makes alike: its incidents, with a series for each rank that is accused, at most {@value #MOST_SUSPECTS} of a job, the most costly incidents first; its observations; and what is
 * missing of its records.
 */
public final class VerdictSamples {
    /** Accusations of ranks that have a series. */
    public static final int MOST_SUSPECTS = 64;

    /** Reasons for missing records. */
    public static final int MOST_REASONS = 32;

    private static final double MILLIS = 1e6;
    private static final String OTHER = "other";

    private final SampleSink to;
    private final String label;

    /**
     * Of a job.
     *
     * @param to takes them
     * @param label the job as a label, {@link LabelText#of}
     */
    public VerdictSamples(SampleSink to, String label) {
        this.to = to;
        this.label = label;
    }

    /**
     * The strongest proof as a ratio.
     *
     * @param score what was measured
     * @param threshold from where on it speaks for the incident
     */
    public record Score(double score, double threshold) {}

    /**
     * Writes incidents and who is accused.
     *
     * @param incidents of the job, most costly first, those that are over among them
     * @param usualNanos usual length of a step, 0 when unknown
     * @param hostOf host of a rank where the incident does not say it; the empty text when unknown
     */
    public void incidents(List<Incident> incidents, long usualNanos, IntFunction<String> hostOf) {
        Map<List<String>, Integer> active = new LinkedHashMap<>();
        List<Incident> open = incidents.stream()
                .filter(i -> i.state() != IncidentState.RESOLVED)
                .toList();
        for (Incident i : incidents) {
            int one = i.state() == IncidentState.RESOLVED ? 0 : 1;
            active.merge(List.of(i.kind().text(), i.severity().text()), one, Integer::sum);
        }
        active.forEach((of, n) -> to.gauge(Metric.INCIDENT_ACTIVE, n, label, of.get(0), of.get(1)));
        Set<String> accused = new TreeSet<>();
        Set<Integer> scored = new TreeSet<>();
        for (Incident i : open) {
            Score score = score(i, usualNanos);
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
                String host = host(i, rank, hostOf);
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

    /** Writes how many observations there are, by kind. */
    public void observations(List<Incident> observations) {
        Map<String, Integer> observed = new HashMap<>();
        for (Incident o : observations) {
            observed.merge(o.kind().text(), 1, Integer::sum);
        }
        observed.forEach((kind, n) -> to.gauge(Metric.OBSERVATION, n, label, kind));
    }

    /** Writes how many records are missing: the most frequent reasons, and the others together. */
    @SuppressWarnings("LongDoubleConversion") // the format has doubles; counts beyond 2^53 do not occur
    public void losses(Map<String, Long> losses) {
        List<Map.Entry<String, Long>> reasons = losses.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .toList();
        long others = 0;
        int shown = 0;
        for (Map.Entry<String, Long> r : reasons) {
            if (r.getKey().equals(OTHER) || shown == MOST_REASONS) {
                others += r.getValue();
            } else {
                to.counter(Metric.DROPPED, r.getValue(), label, LabelText.of(r.getKey()));
                shown++;
            }
        }
        to.counter(Metric.DROPPED, others, label, OTHER);
    }

    /** Empty, as if the label were not there, when it is not known. */
    private static String host(Incident i, int rank, IntFunction<String> hostOf) {
        String known = hostOf.apply(rank);
        for (GpuRef gpu : i.gpus()) {
            String host = gpu.host();
            if (gpu.rank() == rank && host != null) {
                known = host;
            }
        }
        return known.isEmpty() ? "" : LabelText.of(known);
    }

    /** The first row of proof that is a ratio, or a difference of times that can be made one; null when there is none. */
    public static @Nullable Score score(Incident incident, long usualNanos) {
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
