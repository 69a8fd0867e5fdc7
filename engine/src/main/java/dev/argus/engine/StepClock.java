package dev.argus.engine;

import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * When the newest steps of a job began and ended, by the clocks of its hosts: of each host its first rank's begin and its last rank's end, of the hosts the median. So no host whose clock is wrong, however
 * far, moves the time of a step, as long as most are right; of an even number the later of the two in the middle counts, for a clock that is ahead is bounded by the time of arrival, and one
 * that is behind by nothing.
 *
 * <p>State: two numbers a host and step of the newest steps. Cost: O(1) a record, O(hosts log hosts) a step that is asked for. Independent of the order of records.
 */
final class StepClock {
    private static final long NONE_FIRST = Long.MAX_VALUE;
    private static final long NONE_LAST = Long.MIN_VALUE;

    private final int capacity;

    /** By step: begin and end of each host, a host that was not heard with {@link #NONE_FIRST}. */
    private final TreeMap<Long, long[]> times = new TreeMap<>();

    /** @param capacity steps kept */
    StepClock(int capacity) {
        this.capacity = capacity;
    }

    /** Takes when a rank of a host, from 0, made a step, nanoseconds since the epoch by that host's clock. */
    void put(int host, long step, long startNanos, long endNanos) {
        if (times.size() >= capacity && step < times.firstKey()) {
            return;
        }
        long[] of = times.computeIfAbsent(step, k -> new long[0]);
        if (of.length <= 2 * host) {
            int before = of.length;
            of = Arrays.copyOf(of, 2 * Math.max(host + 1, before));
            for (int i = before; i < of.length; i += 2) {
                of[i] = NONE_FIRST;
                of[i + 1] = NONE_LAST;
            }
            times.put(step, of);
        }
        of[2 * host] = Math.min(of[2 * host], startNanos);
        of[2 * host + 1] = Math.max(of[2 * host + 1], endNanos);
        if (times.size() > capacity) {
            times.pollFirstEntry();
        }
    }

    /** The times of the steps kept. */
    StepTimes times(int attempt) {
        long[] steps = new long[times.size()];
        long[] starts = new long[steps.length];
        long[] ends = new long[steps.length];
        int i = 0;
        for (Map.Entry<Long, long[]> e : times.entrySet()) {
            steps[i] = e.getKey();
            starts[i] = middle(e.getValue(), 0);
            ends[i] = Math.max(starts[i], middle(e.getValue(), 1));
            i++;
        }
        return new StepTimes(attempt, steps, starts, ends);
    }

    private static long middle(long[] of, int which) {
        long[] heard = new long[of.length / 2];
        int n = 0;
        for (int h = 0; h < heard.length; h++) {
            if (of[2 * h] != NONE_FIRST) {
                heard[n++] = of[2 * h + which];
            }
        }
        Arrays.sort(heard, 0, n);
        return heard[n / 2];
    }

    void encode(WireWriter to) {
        to.writeVarint(times.size());
        times.forEach((step, of) -> {
            long begin = middle(of, 0);
            int hosts = of.length / 2;
            while (of[2 * hosts - 2] == NONE_FIRST) {
                hosts--; // room that was made ahead
            }
            to.writeSigned(step).writeSigned(begin).writeVarint(hosts);
            for (int h = 0; h < hosts; h++) {
                boolean heard = of[2 * h] != NONE_FIRST;
                to.writeByte(heard ? 1 : 0);
                if (heard) {
                    to.writeSigned(of[2 * h] - begin).writeSigned(of[2 * h + 1] - of[2 * h]);
                }
            }
        });
    }

    static StepClock decode(int capacity, WireReader from) {
        StepClock clock = new StepClock(capacity);
        int n = from.readCount(4);
        if (n > capacity) {
            throw new WireException("times of " + n + " steps, expected at most " + capacity);
        }
        for (int i = 0; i < n; i++) {
            long step = from.readSigned();
            long begin = from.readSigned();
            for (int hosts = from.readCount(1), h = 0; h < hosts; h++) {
                if (from.readByte() != 0) {
                    long start = begin + from.readSigned();
                    clock.put(h, step, start, start + from.readSigned());
                }
            }
        }
        return clock;
    }
}
