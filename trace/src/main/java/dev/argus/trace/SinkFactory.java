package dev.argus.trace;

import dev.argus.digest.TraceEventSink;

/** Gives the sink for one part of a file, when the first event of that part arrives. */
@FunctionalInterface
public interface SinkFactory {
    /**
     * Opens the sink of one part; called at most once a part.
     *
     * @param part 0 for the first; a Kineto file has one part, a timeline that merges workers has one a worker
     */
    TraceEventSink open(int part);
}
