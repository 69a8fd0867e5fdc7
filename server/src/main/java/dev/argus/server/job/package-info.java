/**
 * The jobs a server watches, as everybody else in it sees them. Entry: {@link dev.argus.server.job.Fleet}.
 *
 * <p>Threads: views are immutable; a fleet is thread-safe.
 *
 * <p>Must not import the other packages of the server but {@code config}.
 */
@NullMarked
package dev.argus.server.job;

import org.jspecify.annotations.NullMarked;
