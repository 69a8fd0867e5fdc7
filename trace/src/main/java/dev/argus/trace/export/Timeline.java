package dev.argus.trace.export;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A timeline that is being written: processes, their tracks, and what happens on them. Tracks are declared before they are used;
 * times may come in any order. Names are exact, whatever they hold.
 */
public interface Timeline extends Closeable {
    /** Says something of the whole file. */
    void about(String key, String value) throws IOException;

    /**
     * Declares a process.
     *
     * @param name its name
     * @param order place among the processes, from 0
     * @param labels shown behind the name
     * @return its number
     */
    int process(String name, int order, List<String> labels) throws IOException;

    /**
     * Announces the intervals that follow, for a format that writes their names and tracks shorter when it has them together.
     *
     * @param uses how often each name will be used, by name id; 0 for not at all
     * @param places the tracks that will have intervals, as {@link #slices} will be told them
     */
    default void announce(int[] uses, List<TrackPlace> places) throws IOException {}

    /**
     * Writes intervals in as many lanes as they need.
     *
     * @param place the track, not yet used
     * @param slices its intervals
     * @return how many found no place
     */
    long slices(TrackPlace place, Slices slices) throws IOException;

    /** Declares a track of moments or numbers; gives its number. */
    int track(TrackPlace place) throws IOException;

    /**
     * Writes a moment.
     *
     * @param track of {@link #track}
     * @param nanos when
     * @param name what
     * @param more further words by name
     * @param frames call stack, outermost first; empty for none
     */
    void instant(int track, long nanos, String name, Map<String, String> more, List<String> frames) throws IOException;

    /** Writes a number at a time. */
    void counter(int track, long nanos, double value) throws IOException;

    /** Writes what is left; the stream below stays open. */
    @Override
    void close() throws IOException;
}
