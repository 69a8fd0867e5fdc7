/**
 * A simulated fleet: synchronous training with everything that goes wrong in it, and the truth about it.
 *
 * <p>Begin with {@link dev.argus.simulator.Scenario} and {@link dev.argus.simulator.Simulation}; {@code Machine} is the
 * physics. Written from the physics of training jobs, not from recorded cases.
 *
 * <p>Threads: nothing is shared between scenarios; a job may be read by several threads.
 *
 * <p>Must not import {@code engine}, {@code trace} or any higher floor.
 */
@NullMarked
package dev.argus.simulator;

import org.jspecify.annotations.NullMarked;
