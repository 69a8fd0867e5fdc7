package dev.argus.server.alerts;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.hostlocal.metrics.LabelText;
import dev.argus.model.Cost;
import dev.argus.model.Figures;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.SafeText;
import dev.argus.wire.json.IncidentJson;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes alerts of incidents: labels, sentences, the link. */
final class AlertTexts {
    /** Name of every alert; rules of Prometheus about incidents have another, {@code ArgusIncidentActive}. */
    static final String ALERT_NAME = "ArgusIncident";

    static final String NOTE = "note";
    static final String RANKS = "ranks";

    /** Characters of a document that is sent along; of a longer one only labels and sentences are. */
    static final int MOST_DOCUMENT = 64 << 10;

    private static final int MOST_HOSTS = 8;
    private static final String NO_DOCUMENT = "null";
    private static final long NANOS_A_MILLI = 1_000_000;

    private final @Nullable URI base;

    /**
     * For a server.
     *
     * @param base its address as users reach it, or null for no links
     */
    AlertTexts(@Nullable URI base) {
        this.base = base;
    }

    /** An alert. */
    Alert of(String job, Incident incident, Kind change, long nowMillis) {
        boolean over = change != Kind.OPENED && change != Kind.CHANGED;
        long starts = clamp(incident.sinceEpochNanos() / NANOS_A_MILLI, nowMillis);
        Alert active = new Alert(
                new Alert.Key(job, incident.id()),
                change,
                starts,
                0,
                nowMillis,
                labels(job, incident),
                annotations(incident),
                document(incident));
        if (!over) {
            return active;
        }
        Long until = incident.untilEpochNanos();
        long ends = until == null ? nowMillis : clamp(until / NANOS_A_MILLI, nowMillis);
        return active.ended(change, ends, nowMillis, note(change));
    }

    /** Why an alert is over, where it is not because the incident is. */
    static String note(Kind change) {
        return switch (change) {
            case WITHDRAWN -> "withdrawn: what was learnt since speaks against it";
            case ENDED -> "the job, or this attempt of it, has ended";
            default -> "";
        };
    }

    /** Hosts' clocks may be wrong: nothing began or ended in the future, or before there were clocks. */
    private static long clamp(long millis, long nowMillis) {
        return millis <= 0 || millis > nowMillis ? nowMillis : millis;
    }

    private static Map<String, String> labels(String job, Incident incident) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("alertname", ALERT_NAME);
        labels.put("job", LabelText.of(job));
        labels.put("kind", incident.kind().text());
        labels.put("severity", incident.severity().text());
        labels.put("scope", incident.scope().text());
        labels.put("incident", LabelText.of(incident.id()));
        List<String> hosts = incident.hosts();
        if (!hosts.isEmpty()) {
            String shown = hosts.stream().limit(MOST_HOSTS).map(LabelText::of).collect(Collectors.joining(","));
            int more = hosts.size() - MOST_HOSTS;
            labels.put("host", more > 0 ? shown + ",+" + more : shown);
        }
        return labels;
    }

    private Map<String, String> annotations(Incident incident) {
        Map<String, String> said = new LinkedHashMap<>();
        said.put("summary", SafeText.sentence(incident.summary()));
        said.put("description", SafeText.sentence(incident.explanation()));
        said.put("advice", SafeText.sentence(incident.advice()));
        said.put("cost", cost(incident));
        said.put("confidence", String.format(Locale.ROOT, "%.2f", incident.confidence()));
        if (!incident.ranks().isEmpty()) {
            said.put(RANKS, SafeText.sentence(incident.ranks().toString()));
        }
        if (base != null) {
            said.put("link", link(base, incident.id()));
        }
        return said;
    }

    private static String cost(Incident incident) {
        Cost cost = incident.cost();
        boolean over = incident.state() == IncidentState.RESOLVED;
        String during = Double.isNaN(cost.duringRatio())
                ? Figures.percent(cost.stepRatio()) + " of the job's time"
                : Figures.percent(cost.duringRatio()) + " of the step time while it " + (over ? "lasted" : "lasts");
        return during + ", " + Figures.gpuTime(cost.gpuSeconds()) + (over ? " in all" : " so far");
    }

    private static String link(URI base, String id) {
        String path = "/api/v1/incidents/"
                + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        return base.toString().replaceAll("/+$", "") + path;
    }

    private static String document(Incident incident) {
        StringBuilder out = new StringBuilder();
        try {
            new IncidentJson(new JsonWriter(out, 0)).write(incident);
        } catch (IOException e) {
            throw new UncheckedIOException("writing into memory", e);
        }
        return out.length() <= MOST_DOCUMENT ? out.toString() : NO_DOCUMENT;
    }
}
