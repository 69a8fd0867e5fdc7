package dev.argus.simulator;

/**
 * Randomness without a state: every number is a hash of where it belongs, so that taking one fault out of a scenario
 * changes nothing but that fault.
 */
final class Noise {
    private static final double UNIT = 0x1.0p-53;
    private static final double HALF_WORD = 0x1.0p-16;

    private Noise() {}

    /** 64 mixed bits of a key. */
    static long bits(long seed, long a, long b, long c) {
        return mix(mix(mix(mix(seed + 0x9E3779B97F4A7C15L) + a) + b) + c);
    }

    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A number in [0, 1). */
    static double unit(long bits) {
        return (bits >>> 11) * UNIT;
    }

    /** About standard normal, within 3.5: the sum of four uniform quarters of the word. */
    static double normal(long bits) {
        double sum = (bits & 0xffff) + ((bits >>> 16) & 0xffff) + ((bits >>> 32) & 0xffff) + (bits >>> 48);
        return (sum * HALF_WORD - 2) * 1.7320508;
    }
}
