/**
 * What agents are asked to do, and what they bring. Entry: {@link dev.argus.server.control.CommandDesk}.
 *
 * <p>Threads: each class says. Must not import {@code http}, {@code metrics}, {@code alerts} or {@code ingest}.
 */
@NullMarked
package dev.argus.server.control;

import org.jspecify.annotations.NullMarked;
