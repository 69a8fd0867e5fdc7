/**
 * Measures every figure of the budgets again, beside its reference. Never shipped.
 *
 * <p>Entry: {@link dev.argus.benchmarks.BenchMain}.
 *
 * <p>Threads: one benchmark runs at a time, on the main thread, unless it measures threads.
 *
 * <p>Must not import {@code testkit}.
 */
@NullMarked
package dev.argus.benchmarks;

import org.jspecify.annotations.NullMarked;
