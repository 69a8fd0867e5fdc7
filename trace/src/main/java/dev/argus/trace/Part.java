package dev.argus.trace;

import dev.argus.model.TraceHeader;

/**
 * What one sink was filled from: a whole file, or one worker of a timeline that merges several.
 *
 * @param part number given to {@link SinkFactory#open}
 * @param header what the file says about the rank; complete only after the read, for metadata may follow the events
 * @param label the file's label, with the worker behind a {@code #} where the file holds several
 */
public record Part(int part, TraceHeader header, String label) {}
