package dev.argus.hostlocal.live;

import dev.argus.model.Incident;

/**
 * Something has changed about an incident.
 *
 * @param kind what
 * @param incident as it is known now; of a withdrawn one, as it was said last
 * @param atNanos when it was noticed, by the time given with the last tick, nanoseconds since the Unix epoch
 * @param because what is known of how it came, in words; empty where the kind says all
 */
public record IncidentChange(Kind kind, Incident incident, long atNanos, String because) {
    /** A change whose kind says all. */
    public IncidentChange(Kind kind, Incident incident, long atNanos) {
        this(kind, incident, atNanos, "");
    }

    /** What has changed. */
    public enum Kind {
        /** It is new. */
        OPENED,
        /** Its kind, ranks or severity. */
        CHANGED,
        /** It is over. */
        RESOLVED,
        /** What was learnt since speaks against it. */
        WITHDRAWN,
        /** Its job, or this attempt of it, has ended. */
        ENDED
    }
}
