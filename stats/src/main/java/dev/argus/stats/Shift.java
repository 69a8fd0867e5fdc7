package dev.argus.stats;

/**
 * How one distribution has moved against another, in the unit of their values.
 *
 * @param more area where the second quantile function lies above the first, &gt;= 0
 * @param less area where it lies below, &gt;= 0
 */
public record Shift(double more, double less) {
    /** The Wasserstein distance W1: symmetric, zero only for equal functions. */
    public double distance() {
        return more + less;
    }

    /** The second mean less the first. */
    public double signed() {
        return more - less;
    }
}
