package dev.argus.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * Kernel events as 32-byte records in memory, as a ring hands them over, larger than the last cache.
 *
 * <pre>
 *  0        8           16      20       24             32
 *  | start  | duration  | name  | stream | correlation  |   little-endian, nanoseconds
 * </pre>
 *
 * <p>100 keys on 4 streams in random order; each key has three modes, 1 : 1.5 : 20, each log-normal with 3 % of width.
 */
final class EventRecords implements AutoCloseable {
    static final int BYTES = 32;
    static final int KEYS = 100;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final long count;

    EventRecords(long count, long seed) {
        this.count = count;
        this.memory = arena.allocate(count * BYTES, Long.BYTES);
        SplittableRandom random = new SplittableRandom(seed);
        long[] base = new long[KEYS];
        for (int k = 0; k < KEYS; k++) {
            base[k] = Math.round(2000 * Math.pow(500, random.nextDouble()));
        }
        long start = 1_700_000_000_000_000_000L;
        for (long i = 0; i < count; i++) {
            int key = random.nextInt(KEYS);
            double mode = switch (random.nextInt(10)) {
                case 0 -> 20;
                case 1, 2, 3 -> 1.5;
                default -> 1;
            };
            long nanos = Math.round(base[key] * mode * Math.exp(0.03 * random.nextGaussian()));
            long at = i * BYTES;
            memory.set(LONG, at, start);
            memory.set(LONG, at + 8, nanos);
            memory.set(INT, at + 16, key);
            memory.set(INT, at + 20, 7 + key % 4);
            memory.set(LONG, at + 24, i);
            start += 1000;
        }
    }

    long count() {
        return count;
    }

    long bytes() {
        return count * BYTES;
    }

    /** Takes one record. */
    @FunctionalInterface
    interface Sink {
        void event(int name, int stream, long startNanos, long durationNanos);
    }

    /** Gives every record, in order. */
    void forEach(Sink sink) {
        MemorySegment from = memory;
        for (long at = 0, end = from.byteSize(); at < end; at += BYTES) {
            sink.event(from.get(INT, at + 16), from.get(INT, at + 20), from.get(LONG, at), from.get(LONG, at + 8));
        }
    }

    /** Reads all bytes as longs and adds them up: what reading them costs at least. */
    long scan() {
        MemorySegment from = memory;
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        for (long at = 0, end = from.byteSize(); at < end; at += BYTES) {
            a += from.get(LONG, at);
            b += from.get(LONG, at + 8);
            c += from.get(LONG, at + 16);
            d += from.get(LONG, at + 24);
        }
        return a + b + c + d;
    }

    @Override
    public void close() {
        arena.close();
    }
}
