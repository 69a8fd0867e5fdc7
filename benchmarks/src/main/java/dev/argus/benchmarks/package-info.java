/**
 * Measures every figure of the budgets again, beside its reference. Never shipped.
 *
 * <p>Entry: {@link dev.argus.benchmarks.BenchMain}; what can be measured: {@link dev.argus.benchmarks.Benches#ALL}. A
 * figure is the median of several runs, interleaved with those of its reference in one process after a warm-up.
 *
 * <p>Threads: one benchmark runs at a time, on the main thread, unless it measures threads.
 *
 * <p>Of {@code testkit} it uses the writer of traces only.
 */
@NullMarked
package dev.argus.benchmarks;

import org.jspecify.annotations.NullMarked;
