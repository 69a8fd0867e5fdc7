/**
 * What the tests share: what a test needs from the machine, where the shared data is, traces written to order.
 * Never shipped.
 *
 * <p>Threads: used by the threads of the test engine.
 *
 * <p>Must not import anything above {@code stats}, because every room above uses it in its tests.
 */
@NullMarked
package dev.argus.testkit;

import org.jspecify.annotations.NullMarked;
