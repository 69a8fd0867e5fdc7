/**
 * Ships what a collector reports to a server. Begin with {@link dev.argus.agent.ship.ShippingSink}.
 *
 * <p>Threads: records are taken on the agent's thread; each job has one thread that sends.
 */
@NullMarked
package dev.argus.agent.ship;

import org.jspecify.annotations.NullMarked;
