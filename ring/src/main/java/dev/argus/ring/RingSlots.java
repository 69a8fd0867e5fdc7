package dev.argus.ring;

import java.lang.foreign.MemorySegment;

/**
 * The writing end: room, positions, publication and the counts of what found no room. Nothing here waits, allocates or calls the system.
 *
 * <p>Use: {@link #claim}, as many {@link #put} as were claimed, {@link #publish}.
 */
final class RingSlots {
    private static final int REASONS = LossReason.values().length;

    private final MemorySegment file;
    private final long capacity;
    private final long[] dropped = new long[REASONS];
    private final long[] untold = new long[REASONS];
    private final long[] from = new long[REASONS];
    private final long[] to = new long[REASONS];
    private int untoldReasons;
    private long published;
    private long next;
    private long taken;
    private boolean gapTold;

    RingSlots(MemorySegment file, long capacity) {
        this.file = file;
        this.capacity = capacity;
    }

    /**
     * Makes sure of room, and writes before it what was lost until now.
     *
     * @return false when there is none; nothing is counted then
     */
    boolean claim(int records) {
        int needed = records + untoldReasons;
        if (capacity - (published - taken) < needed && !refreshed(needed)) {
            return false;
        }
        if (untoldReasons > 0) {
            tell();
        }
        return true;
    }

    /** The same, but what finds no room is counted as lost. */
    boolean claimOrLose(int records, long start, long end) {
        if (claim(records)) {
            return true;
        }
        lose(LossReason.RING_FULL, start, end, 1);
        return false;
    }

    private boolean refreshed(int needed) {
        long position = RingLayout.acquire(file, RingLayout.AT_READ_POSITION);
        long held = published - position;
        taken = held < 0 || held > capacity ? published - capacity : position;
        return capacity - (published - taken) >= needed;
    }

    private void tell() {
        for (int reason = 0; reason < REASONS; reason++) {
            if (untold[reason] > 0) {
                put(RingRecords.head(RingRecords.LOSS, reason, 0, 0, 0), from[reason], to[reason], untold[reason]);
                untold[reason] = 0;
            }
        }
        untoldReasons = 0;
        gapTold = true;
    }

    /** Writes the four words of the next claimed record. */
    void put(long head, long first, long second, long third) {
        long at = RingLayout.recordAt(next++, capacity);
        file.set(RingLayout.LONG, at, head);
        file.set(RingLayout.LONG, at + 8, first);
        file.set(RingLayout.LONG, at + 16, second);
        file.set(RingLayout.LONG, at + 24, third);
    }

    /** Shows the reader everything put since the last time, at once. */
    void publish() {
        published = next;
        RingLayout.release(file, RingLayout.AT_WRITE_POSITION, next);
    }

    /** Counts what was lost; told by a LOSS record before the next record that finds room. */
    void lose(LossReason reason, long start, long end, long count) {
        int r = reason.ordinal();
        count(reason, count);
        if (untold[r] == 0) {
            untoldReasons++;
            from[r] = start;
            to[r] = end;
        } else {
            from[r] = Math.min(from[r], start);
            to[r] = Math.max(to[r], end);
        }
        untold[r] += count;
    }

    /** Counts in the header alone. */
    void count(LossReason reason, long count) {
        int r = reason.ordinal();
        dropped[r] += count;
        RingLayout.release(file, RingLayout.AT_DROPPED + 8L * r, dropped[r]);
    }

    /** True once after every gap that was told. */
    boolean gapTold() {
        boolean told = gapTold;
        gapTold = false;
        return told;
    }

    long published() {
        return published;
    }

    /** Records that the reader has not taken. */
    long waiting() {
        long held = published - RingLayout.acquire(file, RingLayout.AT_READ_POSITION);
        return held < 0 || held > capacity ? capacity : held;
    }

    long dropped(LossReason reason) {
        return dropped[reason.ordinal()];
    }
}
