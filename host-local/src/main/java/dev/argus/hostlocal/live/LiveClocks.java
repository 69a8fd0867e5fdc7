package dev.argus.hostlocal.live;

import dev.argus.digest.clocks.ClockMeetings;
import dev.argus.model.HostClock;
import dev.argus.model.JobShape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of the hosts of a job that goes on, held against each other by the common ends of collectives ({@link ClockMeetings}).
 *
 * <p>Clocks drift and are set, so only the newest meetings count: they are collected for {@value #SPAN_NANOS} ns, then begun again; what was known stands until the new ones tell as much. A step a second is
 * looked at, at most. Nothing that is judged depends on it: it puts hosts on one timeline and says how far that may be off.
 *
 * <p>Not written down over a restart. Footprint and cost: those of {@link ClockMeetings}. Not thread-safe.
 */
public final class LiveClocks {
    static final long SPAN_NANOS = 600_000_000_000L;
    static final long BETWEEN_STEPS_NANOS = 1_000_000_000L;
    static final long BETWEEN_ALIGNMENTS_NANOS = 30_000_000_000L;

    private @Nullable JobShape shape;
    private @Nullable ClockMeetings meetings;
    private List<HostClock> clocks = List.of();
    private long begunNanos;
    private long lookedNanos;
    private long alignedNanos;

    /** Takes a step that went on, at a time of the caller's own clock. */
    public void take(JobStep step, @Nullable JobShape now, long nowNanos) {
        if (now == null) {
            return;
        }
        if (now != shape) {
            shape = now;
            clocks = List.of();
            begin(now, nowNanos);
        } else if (nowNanos - lookedNanos < BETWEEN_STEPS_NANOS) {
            return;
        } else if (nowNanos - begunNanos >= SPAN_NANOS) {
            begin(now, nowNanos);
        }
        ClockMeetings of = meetings;
        if (of != null) {
            lookedNanos = nowNanos;
            step.ranks().forEach(s -> of.take(s.digest()));
            of.endStep();
        }
    }

    private void begin(JobShape of, long nowNanos) {
        meetings = new ClockMeetings(of);
        begunNanos = nowNanos;
        lookedNanos = nowNanos - BETWEEN_STEPS_NANOS;
        alignedNanos = nowNanos;
    }

    /**
     * What is known of them: one a host, in the order of their lowest ranks; empty before that is asked for the first time after some steps. Made again every {@value #BETWEEN_ALIGNMENTS_NANOS} ns at most.
     *
     * @param nowNanos now, by the clock of {@link #take}
     */
    public List<HostClock> clocks(long nowNanos) {
        ClockMeetings of = meetings;
        if (of != null && (clocks.isEmpty() || nowNanos - alignedNanos >= BETWEEN_ALIGNMENTS_NANOS)) {
            List<HostClock> fresh = of.align().clocks();
            if (aligned(fresh) >= aligned(clocks)) {
                clocks = fresh;
            }
            alignedNanos = nowNanos;
        }
        return clocks;
    }

    private static long aligned(List<HostClock> of) {
        return of.stream().filter(HostClock::isAligned).count();
    }
}
