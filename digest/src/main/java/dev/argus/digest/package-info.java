/**
 * Events of one rank and step to a step digest: collectives, groups, topology, clock offsets. The same code serves
 * the agent and {@code diagnose}.
 *
 * <p>Threads: a builder belongs to one thread; a finished digest is immutable.
 *
 * <p>Must not import {@code wire}, {@code sketch} or any higher floor; no thread, clock, I/O or unseeded randomness.
 */
@NullMarked
package dev.argus.digest;

import org.jspecify.annotations.NullMarked;
