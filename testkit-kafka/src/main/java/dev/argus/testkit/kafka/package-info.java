/**
 * A real Kafka broker for tests and measurements: {@link dev.argus.testkit.kafka.KafkaBroker}. Never shipped.
 *
 * <p>The broker is a process with a class path of its own, so that none of its libraries is ever on that of a test. It comes from Maven like any other dependency; its class path is written into this room when that is built.
 *
 * <p>Threads: none.
 *
 * <p>Must not import anything but the JDK.
 */
@NullMarked
package dev.argus.testkit.kafka;

import org.jspecify.annotations.NullMarked;
