package dev.argus.trace.export;

import dev.argus.wire.ProtoBuffer;

/**
 * The two clocks of a Perfetto trace's one sequence, both counting on from the packet before on the same clock: one in nanoseconds, and
 * one in microseconds for what was recorded in whole ones, which takes a byte less a time. Both are exact.
 */
final class PerfettoClocks {
    /** Clock of nanoseconds. */
    static final int NANOS = 64;

    /** Clock of whole microseconds. */
    static final int MICROS = 65;

    private static final int SNAPSHOT = 6;
    private static final int TIMESTAMP = 8;
    private static final int CLOCK_OF_PACKET = 58;
    private static final int[] ANCHORS = {6, 1};
    private static final long MICRO = 1_000;

    private final ProtoBuffer to;
    private final long base;
    private long nanos;
    private long micros;
    private int usual = NANOS;

    /** @param baseNanos some time near the first event, nanoseconds since the Unix epoch */
    PerfettoClocks(ProtoBuffer to, long baseNanos) {
        this.to = to;
        this.base = Math.max(MICRO, baseNanos - Math.floorMod(baseNanos, MICRO));
        this.nanos = base;
        this.micros = base;
    }

    /** Writes what both clocks show at the base, on the clock of the trace and on the wall. */
    void snapshot() {
        int snapshot = to.open(SNAPSHOT);
        clock(NANOS, base, 1);
        clock(MICROS, base / MICRO, MICRO);
        for (int id : ANCHORS) {
            clock(id, base, 0);
        }
        to.close(snapshot);
    }

    private void clock(int id, long shows, long unit) {
        int clock = to.open(1);
        to.number(1, id);
        to.number(2, shows);
        if (unit > 0) {
            to.number(3, 1);
        }
        if (unit > 1) {
            to.number(4, unit);
        }
        to.close(clock);
    }

    /** Nanoseconds are the usual clock, until a lane suits another. */
    void usual() {
        usual = NANOS;
    }

    /** The clock that suits the times of a lane; from here on the usual one. */
    int choose(Slices all, int[] lane) {
        usual = MICROS;
        for (int i : lane) {
            if (all.start(i) % MICRO != 0 || all.duration(i) % MICRO != 0) {
                usual = NANOS;
                break;
            }
        }
        return usual;
    }

    /** Writes the time of the open packet, and its clock where that is not the usual one. */
    void at(long time) {
        if (usual == MICROS && time % MICRO == 0) {
            to.number(TIMESTAMP, (time - micros) / MICRO);
            micros = time;
            return;
        }
        if (usual != NANOS) {
            to.number(CLOCK_OF_PACKET, NANOS);
        }
        to.number(TIMESTAMP, time - nanos);
        nanos = time;
    }
}
