/**
 * The memory-mapped ring between a producer inside a training process and the agent: layout, writer, hostile-proof reader, discovery,
 * clock, and the way from records to events.
 *
 * <p>Threads: a writer belongs to one thread and so does a reader; nothing here starts a thread. Clocks are passed in, as nanoseconds of
 * {@code CLOCK_MONOTONIC}, which on Linux is what {@link java.lang.System#nanoTime} counts. The contract, which producers in other
 * languages follow as well, is docs/design/0008-ring.md.
 *
 * <p>Must not import {@code trace} or any higher floor.
 */
@NullMarked
package dev.argus.ring;

import org.jspecify.annotations.NullMarked;
