package dev.argus.hostflink;

import dev.argus.hostlocal.live.LiveOptions;
import java.io.Serializable;

/**
 * How jobs are watched on Flink. What decides what is said is here and in {@link LiveOptions}, so that the same input gives the same.
 *
 * @param latenessNanos how long a step waits for ranks that have not reported it
 * @param settleNanos how long the first conclusion waits for ranks that have not appeared
 * @param conclusionNanos least time between two conclusions
 * @param hangNanos least time without any progress that is a hang
 * @param tickNanos how often a job is asked what it has to say
 * @param metricsNanos how often its metrics are told
 * @param expiryNanos how long after its last frame a job is forgotten
 * @param mostJobs jobs that one task watches; frames of more are counted and left aside
 * @param steps whether each whole step is told
 */
public record HostOptions(
        long latenessNanos,
        long settleNanos,
        long conclusionNanos,
        long hangNanos,
        long tickNanos,
        long metricsNanos,
        long expiryNanos,
        int mostJobs,
        boolean steps)
        implements Serializable {
    private static final long SECOND = 1_000_000_000L;

    /** As {@link LiveOptions#DEFAULT}; four ticks a second, metrics every ten seconds, jobs forgotten after a day. */
    public static final HostOptions DEFAULT = of(LiveOptions.DEFAULT);

    /** Refuses times that are not positive. */
    public HostOptions {
        if (tickNanos <= 0 || metricsNanos < tickNanos || expiryNanos <= 0 || mostJobs <= 0) {
            throw new IllegalArgumentException("ticks of " + tickNanos + " ns, metrics every " + metricsNanos
                    + " ns, expiry after " + expiryNanos + " ns, " + mostJobs
                    + " jobs: expected all above 0, and metrics no oftener than ticks");
        }
    }

    private static HostOptions of(LiveOptions live) {
        return new HostOptions(
                live.latenessNanos(),
                live.settleNanos(),
                live.conclusionNanos(),
                live.hangNanos(),
                SECOND / 4,
                10 * SECOND,
                86_400 * SECOND,
                4096,
                true);
    }

    /** The same with another time until a job is forgotten, nanoseconds. */
    public HostOptions expiring(long nanos) {
        return new HostOptions(
                latenessNanos,
                settleNanos,
                conclusionNanos,
                hangNanos,
                tickNanos,
                metricsNanos,
                nanos,
                mostJobs,
                steps);
    }

    /** The same with another time from metrics to metrics, nanoseconds. */
    public HostOptions telling(long nanos) {
        return new HostOptions(
                latenessNanos, settleNanos, conclusionNanos, hangNanos, tickNanos, nanos, expiryNanos, mostJobs, steps);
    }

    /** The part that the diagnosis knows. */
    LiveOptions live() {
        return new LiveOptions(null, latenessNanos, settleNanos, conclusionNanos, hangNanos);
    }
}
