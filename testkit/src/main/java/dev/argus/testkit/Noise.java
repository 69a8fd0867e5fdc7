package dev.argus.testkit;

/**
 * Randomness without state: the same seed and coordinates give the same value on every thread and in every order.
 *
 * <p>Finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
 */
final class Noise {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Noise() {}

    static long bits(long seed, long a, long b, long c) {
        return mix(mix(mix(seed + GOLDEN) ^ a * GOLDEN) + b * 0xD1B54A32D192ED03L ^ c * 0x8CB92BA72F3D8DD7L);
    }

    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** In 0 (inclusive) to 1 (exclusive). */
    static double unit(long seed, long a, long b, long c) {
        return (bits(seed, a, b, c) >>> 11) * 0x1.0p-53;
    }

    /** Mean 0, standard deviation 1, bell-shaped within -3.5 to 3.5: a sum of four uniform values, exact arithmetic. */
    static double bell(long seed, long a, long b, long c) {
        long bits = bits(seed, a, b, c);
        double sum = (bits & 0xFFFF) + (bits >>> 16 & 0xFFFF) + (bits >>> 32 & 0xFFFF) + (bits >>> 48);
        return (sum / 65535.0 - 2.0) * 1.7320508075688772;
    }
}
