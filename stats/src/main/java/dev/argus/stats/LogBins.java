package dev.argus.stats;

/**
 * Log-spaced bins of non-negative {@code long} values, mantissa-linear: the bin of a value is the position of its leading bit
 * and the {@code bits} bits below it.
 *
 * <pre>
 * value 1 0110101 101...      bits = 7: bin = (exponent &lt;&lt; 7) + (value &gt;&gt;&gt; exponent), exponent = bits right of the mantissa
 *       | mantissa | dropped
 * </pre>
 *
 * <p>Values below {@code 2^(bits+1)} have a bin each, 0 among them. Above, a bin is at most {@code 2^-bits} of its lower end wide, so
 * that its middle is off by at most {@code 2^-(bits+1)} of a value: 0.39 % for 7 bits, 0.28 % in the mean over an octave. Bins
 * ascend with the values and leave no gap. Pure functions, a few instructions each.
 */
public final class LogBins {
    private LogBins() {}

    /** The bin of a value; negative ones lie above {@link #lastBin}. */
    public static int bin(long value, int bits) {
        int exponent = 63 - bits - Long.numberOfLeadingZeros(value | 1L << bits);
        return (exponent << bits) + (int) (value >>> exponent);
    }

    /**
     * The same as {@link #bin} in a third of the instructions, for values of {@code 2^bits} to {@code 2^53}: a double holds them exactly, and
     * its bits are exponent and mantissa side by side. Smaller values get a number below {@code 2^bits} that is not their bin.
     */
    public static int binOfDouble(double value, int bits) {
        return (int) (Double.doubleToRawLongBits(value) >>> (52 - bits)) - ((1022 + bits) << bits);
    }

    /** The smallest value of a bin. */
    public static long low(int bin, int bits) {
        int exponent = exponent(bin, bits);
        return (long) (bin - (exponent << bits)) << exponent;
    }

    /** The largest value of a bin. */
    public static long high(int bin, int bits) {
        return low(bin, bits) + (1L << exponent(bin, bits)) - 1;
    }

    /** The middle between smallest and largest; their common value where a bin has only one. */
    public static double middle(int bin, int bits) {
        return low(bin, bits) + halfWidth(bin, bits);
    }

    /** Half the distance between smallest and largest value: how far the middle can be off. */
    public static double halfWidth(int bin, int bits) {
        return ((1L << exponent(bin, bits)) - 1) / 2.0;
    }

    /** The bin of the largest {@code long}. */
    public static int lastBin(int bits) {
        return bin(Long.MAX_VALUE, bits);
    }

    private static int exponent(int bin, int bits) {
        return Math.max(0, (bin >>> bits) - 1);
    }
}
