package dev.argus.server.ingest;

import java.util.function.LongSupplier;

/**
 * The time a server judges by: the wall clock, but one that never goes back and never jumps. Where the wall clock is set, this one runs up to 5 % faster or slower until both
 * agree again: an hour's jump would else be an hour in which nothing was heard of any job.
 *
 * <p>Thread-safe.
 */
public final class ServerClock {
    private static final long SLEW = 20;
    private final LongSupplier wallNanos;
    private final LongSupplier monotonicNanos;
    private long atMonotonic;
    private long at;

    /**
     * Begins with the wall clock.
     *
     * @param wallNanos nanoseconds since the Unix epoch
     * @param monotonicNanos nanoseconds of a clock that is never set
     */
    public ServerClock(LongSupplier wallNanos, LongSupplier monotonicNanos) {
        this.wallNanos = wallNanos;
        this.monotonicNanos = monotonicNanos;
        this.at = wallNanos.getAsLong();
        this.atMonotonic = monotonicNanos.getAsLong();
    }

    /** The clocks of this machine. */
    public static ServerClock system() {
        return new ServerClock(() -> System.currentTimeMillis() * 1_000_000L, System::nanoTime);
    }

    /** Now, nanoseconds since the Unix epoch; never less than before. */
    public synchronized long nanos() {
        long mono = monotonicNanos.getAsLong();
        long passed = Math.max(0, mono - atMonotonic);
        long error = wallNanos.getAsLong() - (at + passed);
        long most = passed / SLEW;
        at += passed + Math.max(-most, Math.min(most, error));
        atMonotonic = mono;
        return at;
    }

    /** By how much the wall clock is ahead of this one now; 0 while nobody sets it. */
    public synchronized long errorNanos() {
        return wallNanos.getAsLong() - nanos();
    }
}
