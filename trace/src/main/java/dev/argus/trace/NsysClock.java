package dev.argus.trace;

import java.sql.SQLException;
import java.util.List;

/**
 * From the times of an export to the epoch. Newer versions count from the system clock's zero and state what it showed at the start of the
 * session, older ones count from the start. Without a stated start times are relative.
 */
final class NsysClock {
    private final long offset;
    private final boolean known;

    private NsysClock(long offset, boolean known) {
        this.offset = offset;
        this.known = known;
    }

    static NsysClock of(NsysRows rows) throws SQLException {
        long[] start = {NsysRows.NONE, NsysRows.NONE};
        rows.each("TARGET_INFO_SESSION_START_TIME", List.of("utcEpochNs", "systemClockNs"), (v, row) -> {
            start[0] = v[0];
            start[1] = v[1];
        });
        boolean known = start[0] > 0;
        long zero = start[1] > 0 ? start[1] : 0;
        return new NsysClock(known ? start[0] - zero : 0, known);
    }

    /** False if times count from an unknown moment. */
    boolean known() {
        return known;
    }

    /** Nanoseconds since the epoch, or since an unknown moment; negative for what cannot be. */
    long epochNanos(long time) {
        long sum = offset + time;
        return time < 0 || ((offset ^ sum) & (time ^ sum)) < 0 ? -1 : sum;
    }
}
