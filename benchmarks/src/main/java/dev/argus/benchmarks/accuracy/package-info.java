/**
 * How right the diagnosis is: scenarios of a simulated fleet, diagnosed and held against the truth.
 *
 * <p>Entry: {@link dev.argus.benchmarks.accuracy.Matrix} says what is tried, {@link dev.argus.benchmarks.accuracy.Trial} tries
 * one of it, {@link dev.argus.benchmarks.accuracy.Scoreboard} judges, {@link dev.argus.benchmarks.accuracy.Results} adds up.
 *
 * <p>Threads: a trial runs on one thread and shares nothing with others; results do not depend on how many run at a time.
 */
@NullMarked
package dev.argus.benchmarks.accuracy;

import org.jspecify.annotations.NullMarked;
