/**
 * Jobs that others diagnose: what they found is read from Kafka and shown as the server's own. Entry: {@link dev.argus.server.remote.RemoteIngest}.
 *
 * <p>Threads: one that reads, applies and keeps; views are immutable.
 *
 * <p>Must not import {@code http}, {@code api}, {@code alerts} or {@code metrics}.
 */
@NullMarked
package dev.argus.server.remote;

import org.jspecify.annotations.NullMarked;
