package dev.argus.transport;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Waits after failures: doubled each time up to a bound, and drawn between half of it and all of it, so that many who failed together
 * do not come back together.
 *
 * <p>Belongs to one thread.
 */
public final class Backoff {
    private final long fromMillis;
    private final long toMillis;
    private final RandomGenerator random;
    private int failures;

    /**
     * After no failure yet.
     *
     * @param from first wait, before it is drawn
     * @param upTo longest wait
     */
    public Backoff(Duration from, Duration upTo, RandomGenerator random) {
        this.fromMillis = Math.max(1, from.toMillis());
        this.toMillis = Math.max(fromMillis, upTo.toMillis());
        this.random = random;
    }

    /** It worked: the next failure is the first. */
    public void reset() {
        failures = 0;
    }

    /** Failures in a row. */
    public int failures() {
        return failures;
    }

    /** It failed: milliseconds to wait. */
    public long next() {
        long full = failures >= 40 ? toMillis : Math.min(toMillis, fromMillis << Math.min(failures, 30));
        failures++;
        return full / 2 + random.nextLong(full - full / 2 + 1);
    }

    /** A wait that somebody else has chosen: at least so many milliseconds, at most half as many more. */
    public long drawn(long millis) {
        return millis + random.nextLong(millis / 2 + 1);
    }
}
