package dev.argus.benchmarks;

import dev.argus.sketch.KernelSketch;
import java.util.SplittableRandom;

/**
 * Kernel events as 32-byte records in memory, as a ring hands them over, larger than the last cache.
 *
 * <pre>
 *  0        8           16      20       24       32
 *  | start  | duration  | name  | stream | threads |   little-endian, nanoseconds
 * </pre>
 *
 * <p>100 keys on 4 streams in random order; each key has three modes, 1 : 1.5 : 20, each log-normal with 3 % of width.
 */
final class EventRecords {
    static final int BYTES = 32;
    static final int KEYS = 100;

    private static final int WORDS = BYTES / Long.BYTES;

    private final long[] words;
    private final long count;

    EventRecords(long count, long seed) {
        this.count = count;
        this.words = new long[Math.toIntExact(count * WORDS)];
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
            int at = (int) i * WORDS;
            words[at] = start;
            words[at + 1] = nanos;
            words[at + 2] = key | ((7L + key % 4) << 32);
            words[at + 3] = i;
            start += 1000;
        }
    }

    long count() {
        return count;
    }

    long bytes() {
        return count * BYTES;
    }

    /** Adds every record, in order. */
    void into(KernelSketch sketch) {
        sketch.addAll(words, 0, words.length);
    }

    /** Takes one event. */
    interface Each {
        void event(int key, int stream, long start, long nanos);
    }

    /** Hands out records one by one, in order, from the first to before the last. */
    void each(long from, long to, Each each) {
        for (int at = (int) from * WORDS; at < (int) to * WORDS; at += WORDS) {
            each.event((int) words[at + 2], (int) (words[at + 2] >>> 32), words[at], words[at + 1]);
        }
    }

    /** Reads all bytes as longs and adds them up: what reading them costs at least. */
    long scan() {
        long[] from = words;
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        for (int at = 0; at + WORDS <= from.length; at += WORDS) {
            a += from[at];
            b += from[at + 1];
            c += from[at + 2];
            d += from[at + 3];
        }
        return a + b + c + d;
    }
}
