package dev.argus.server.alerts;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is said of an incident, as texts: it survives the incident and the process.
 *
 * @param key whose
 * @param change what was said last
 * @param startsMillis when the incident began, milliseconds since the Unix epoch; not after {@code atMillis}
 * @param endsMillis when it ended, 0 while it lasts
 * @param atMillis when this was noticed
 * @param labels what makes an alert one of its own to an Alertmanager; escaped and cut
 * @param annotations what is said about it; escaped and cut
 * @param document the incident as JSON of {@code argus.verdict/1}, exact; {@code null} as text where it is too long
 */
record Alert(
        Key key,
        Kind change,
        long startsMillis,
        long endsMillis,
        long atMillis,
        Map<String, String> labels,
        Map<String, String> annotations,
        String document) {
    /**
     * An incident.
     *
     * @param job exact name of its job
     * @param id its id
     */
    record Key(String job, String id) {}

    /** Keeps the order of labels and annotations. */
    Alert {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }

    /** True while the incident lasts. */
    boolean isActive() {
        return endsMillis == 0;
    }

    /** True if there is no reason to say this to somebody who was told the other: both last, and accuse the same of the same. */
    boolean saysTheSame(Alert other) {
        return isActive() == other.isActive() && labels.equals(other.labels) && ranks().equals(other.ranks());
    }

    /** The same, begun then. */
    Alert begun(long newStartsMillis) {
        return new Alert(key, change, newStartsMillis, endsMillis, atMillis, labels, annotations, document);
    }

    /** The same, ended then, for that reason. */
    Alert ended(Kind how, long newEndsMillis, long newAtMillis, String note) {
        Map<String, String> noted = new LinkedHashMap<>(annotations);
        if (!note.isEmpty()) {
            noted.put(AlertTexts.NOTE, note);
        }
        return new Alert(
                key,
                how,
                startsMillis,
                Math.max(newEndsMillis, startsMillis + 1),
                newAtMillis,
                labels,
                noted,
                document);
    }

    private String ranks() {
        return annotations.getOrDefault(AlertTexts.RANKS, "");
    }
}
