package dev.argus.trace;

/** How far a file could be read. */
public enum Status {
    /** To its end. */
    COMPLETE,
    /** Up to a place that the problems name; the events before it were delivered and count. */
    PARTIAL,
    /** It claims to be a trace and nothing in it could be used. */
    FAILED,
    /** It is no trace of a rank; not an error. Whatever its sinks were given is to be dropped. */
    IGNORED
}
