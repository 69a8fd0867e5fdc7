/**
 * Kernel durations of one rank, kernel, stream and window to a summary whose error in W1 is bounded and stated,
 * and back.
 *
 * <p>Threads: an open sketch belongs to one thread; a closed summary is immutable.
 *
 * <p>Must not import {@code wire}, {@code digest} or any higher floor; no thread, clock, I/O or unseeded randomness.
 */
@NullMarked
package dev.argus.sketch;

import org.jspecify.annotations.NullMarked;
