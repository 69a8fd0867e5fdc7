package dev.argus.trace;

import java.util.function.LongSupplier;

/**
 * From time stamps as printed to nanoseconds since the Unix epoch.
 *
 * <p>Kineto has printed microseconds since the epoch (until 2023) and since {@code baseTimeNanoseconds}, which lies at most
 * some months back. Which of the two is told by the size of the stamp, not by the presence of the key: from 10^15
 * microseconds (September 2001) on it is an epoch already and the base is not added, so that a file that has both is not
 * moved by decades. A stamp since a base reaches that size after 31 years. {@code displayTimeUnit} is for viewers and
 * never scales.
 */
final class TraceClock {
    /** Stamps from here on count from the epoch. */
    static final long EPOCH_NANOS = 1_000_000_000_000_000_000L;
    /** No base lies beyond (in the year 2128). */
    static final long MAX_BASE_NANOS = 5_000_000_000_000_000_000L;

    private final LongSupplier lookUp;
    private boolean known;
    private boolean relative;
    private long base;

    /**
     * A clock.
     *
     * @param lookUp finds the base further on in the file; asked once, and only if a stamp needs a base
     */
    TraceClock(LongSupplier lookUp) {
        this.lookUp = lookUp;
    }

    /** Tells the base; nanoseconds out of range count as none. */
    void base(long nanos) {
        if (!known && isBase(nanos)) {
            known = true;
            base = nanos;
        }
    }

    /** The base in use, or 0. */
    long base() {
        return base;
    }

    static boolean isBase(long nanos) {
        return nanos > 0 && nanos <= MAX_BASE_NANOS;
    }

    /** True if stamps were relative and no base was found: they order events, and are no time of day. */
    boolean withoutBase() {
        return relative && base == 0;
    }

    /** Nanoseconds since the epoch of a stamp in nanoseconds. */
    long epochNanos(long stamp) {
        if (stamp >= EPOCH_NANOS) {
            return stamp;
        }
        if (!known) {
            known = true;
            base = lookUp.getAsLong();
        }
        relative = true;
        return base + stamp;
    }
}
