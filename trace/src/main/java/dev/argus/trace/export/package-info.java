/**
 * Timelines out: events of ranks as a Perfetto trace, or as whatever else implements {@link dev.argus.trace.export.Timeline}.
 *
 * <p>Threads: a timeline belongs to one thread. Memory: the events of one input file at a time.
 */
@NullMarked
package dev.argus.trace.export;

import org.jspecify.annotations.NullMarked;
