/**
 * {@code argus flink}: submits the job, and starts the processes of a small cluster. It has a class path of its own, which the start script builds.
 *
 * <p>Begin with {@link dev.argus.hostflink.command.FlinkMain}.
 */
@NullMarked
package dev.argus.hostflink.command;

import org.jspecify.annotations.NullMarked;
