package dev.argus.trace.export;

/**
 * Where a track is shown.
 *
 * @param process what {@link Timeline#process} gave, or -1 for a track of no process
 * @param group name of the group of tracks within the process, empty for none
 * @param name name; unique within its group
 * @param order place among its siblings, from 0
 * @param kind what it holds
 */
public record TrackPlace(int process, String group, String name, int order, Kind kind) {
    /** What a track holds. */
    public enum Kind {
        /** Intervals of something that is no thread. */
        LANES,
        /** Intervals of a thread. */
        THREAD,
        /** Moments. */
        INSTANTS,
        /** A number over time, in nanoseconds. */
        NANOS,
        /** A number over time. */
        VALUES
    }
}
