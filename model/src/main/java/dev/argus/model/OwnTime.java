package dev.argus.model;

/**
 * How one rank spent one step, every nanosecond counted once. Where several things ran at a time, the first of this order
 * has it: compute, copy, communication, idle.
 *
 * <p>Own time is what a rank spends on itself: compute, copies and idle gaps. Exposed communication is the rest: waits for
 * others and transfers that nothing covers. Differences on one clock: no offset between hosts can change them.
 *
 * @param computeNanos time with at least one compute kernel running (on the CPU alone: time outside collectives)
 * @param copyNanos time with copies or sets, but no compute kernel
 * @param exposedCommNanos time with communication kernels only
 * @param idleNanos time with nothing on the GPU
 * @param hostIdleNanos part of the idle time that ended with work launched only after the gap had begun: the host was late
 */
public record OwnTime(long computeNanos, long copyNanos, long exposedCommNanos, long idleNanos, long hostIdleNanos) {

    /** Compute, copies and idle gaps. */
    public long ownNanos() {
        return computeNanos + copyNanos + idleNanos;
    }
}
