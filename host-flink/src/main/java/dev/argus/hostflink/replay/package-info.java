/** Recorded input for the diagnosis on Flink, from memory instead of Kafka: for tests and measurements in one process. */
@NullMarked
package dev.argus.hostflink.replay;

import org.jspecify.annotations.NullMarked;
