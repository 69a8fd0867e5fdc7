/**
 * Maths on primitive arrays: robust location and scale, quantiles, change points, multiple tests. No word about
 * GPUs.
 *
 * <p>Threads: functions are pure; types that hold state belong to one thread at a time.
 *
 * <p>Must not import anything of Argus; no thread, clock, I/O or unseeded randomness.
 */
@NullMarked
package dev.argus.stats;

import org.jspecify.annotations.NullMarked;
