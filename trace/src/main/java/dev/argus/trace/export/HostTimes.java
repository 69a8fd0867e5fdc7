package dev.argus.trace.export;

import dev.argus.digest.clocks.ClockAlignment;
import dev.argus.digest.clocks.Placement;
import dev.argus.model.HostClock.Refusal;
import dev.argus.model.TraceFacts;
import java.util.List;

/**
 * Moves the times of a rank onto the clock of its host's reference, where that is known: all by the same amount, that of the middle of
 * its record, so that durations and distances stay as they are. What its clock gains during half of the record is left; drift is some
 * microseconds a second.
 */
public final class HostTimes {
    /** Leaves all times as they are. */
    public static final HostTimes UNKNOWN = new HostTimes(List.of());

    private final List<ClockAlignment> clocks;

    /**
     * Knows the clocks of a job.
     *
     * @param clocks of its attempts
     */
    public HostTimes(List<ClockAlignment> clocks) {
        this.clocks = List.copyOf(clocks);
    }

    /** True when clocks are known of some attempt. */
    boolean known() {
        return !clocks.isEmpty();
    }

    /** Nanoseconds to add to the times of a trace; 0 where its clock cannot be placed. */
    public long shift(TraceFacts trace) {
        long middle = trace.firstEpochNanos() / 2 + trace.lastEpochNanos() / 2;
        return place(trace, middle) instanceof Placement.Placed p ? p.nanos() - middle : 0;
    }

    /** What was done to the times of a trace, in words; empty where nothing is known. */
    String words(TraceFacts trace) {
        long middle = trace.firstEpochNanos() / 2 + trace.lastEpochNanos() / 2;
        return switch (place(trace, middle)) {
            case Placement.Placed p ->
                "times by the clock of " + p.reference() + ", moved by " + (p.nanos() - middle) + " ns, error at most "
                        + p.errorNanos() + " ns in the middle";
            case Placement.Refused r
            when known() -> "times by its own clock: " + r.why().text();
            default -> "";
        };
    }

    private Placement place(TraceFacts trace, long nanos) {
        for (ClockAlignment of : clocks) {
            if (of.attempt() == trace.attempt()) {
                return of.toReference(trace.host(), nanos);
            }
        }
        return new Placement.Refused(Refusal.HOST_UNKNOWN);
    }
}
