/**
 * Kernel durations of one rank, kernel, stream and window to a summary whose error in W1 is bounded and stated,
 * and back.
 *
 * <p>Entry: {@link dev.argus.sketch.KernelSketch} while a window is open, {@link dev.argus.sketch.WindowCloser} at its end,
 * {@link dev.argus.sketch.Rebuilt} for what a summary stands for. Figures: {@code docs/compression.md}.
 *
 * <p>Threads: an open sketch belongs to one thread; a closed summary is immutable.
 *
 * <p>Must not import {@code wire}, {@code digest} or any higher floor; no thread, clock, I/O or unseeded randomness.
 */
@NullMarked
package dev.argus.sketch;

import org.jspecify.annotations.NullMarked;
