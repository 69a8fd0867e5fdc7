package dev.argus.hostlocal.live;

import dev.argus.model.Incident;

/**
 * Something has changed about an incident.
 *
 * @param kind what
 * @param incident as it is known now; of a withdrawn one, as it was said last
 * @param atNanos when it was noticed, by the time given with the last tick, nanoseconds since the Unix epoch
 */
public record IncidentChange(Kind kind, Incident incident, long atNanos) {
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
