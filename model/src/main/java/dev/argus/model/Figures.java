package dev.argus.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Numbers as people say them: as many digits as mean something, a unit, no exponent in the usual range. The one home of these formats for reports, cards, alerts and sentences; pages have the same rules in {@code look.js}.
 *
 * <p>Digits are significant ones, never decimals: a share of 1/1,024 is {@code 0.0977 %} and not {@code 0 %}. Only what is 0 is written as 0. Not finite is {@code unknown}. Cost: well below 1 us each.
 */
public final class Figures {
    private static final double HOUR_SECONDS = 3600;

    /** GPU-seconds below this many, hours from then on. */
    private static final double SECONDS_UP_TO = 360;

    private static final String UNKNOWN = "unknown";

    private Figures() {}

    /** Three significant digits: {@code 1.31}, {@code 81.4}, {@code 12,300}. */
    public static String three(double value) {
        if (!Double.isFinite(value)) {
            return UNKNOWN;
        }
        if (value == 0) {
            return "0";
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros();
        double size = Math.abs(rounded.doubleValue());
        if (size < 1e-6 || size >= 1e15) {
            return rounded.toString();
        }
        String plain = rounded.toPlainString();
        return size < 1000 ? plain : String.format(Locale.ROOT, "%,d", rounded.longValue());
    }

    /** A part of a whole, three digits: 0.12 is {@code 12.0 %}. */
    public static String percent(double ratio) {
        return percent(ratio, 3);
    }

    /** A part of a whole with so many significant digits, zeros at the end among them. */
    public static String percent(double ratio, int digits) {
        if (!Double.isFinite(ratio)) {
            return UNKNOWN;
        }
        if (ratio == 0) {
            return "0 %";
        }
        BigDecimal rounded =
                BigDecimal.valueOf(ratio).movePointRight(2).round(new MathContext(digits, RoundingMode.HALF_UP));
        int whole = rounded.precision() - rounded.scale();
        if (whole > 15 || whole < -15) {
            return rounded.stripTrailingZeros() + " %";
        }
        return rounded.setScale(Math.max(0, digits - whole), RoundingMode.HALF_UP)
                        .toPlainString() + " %";
    }

    /** A part of a whole as a sentence has it: two digits, three from 100 % on: {@code 0.098 %}, {@code 3.4 %}, {@code 22 %}. */
    public static String about(double ratio) {
        return percent(ratio, Math.abs(ratio) >= 0.995 ? 3 : 2);
    }

    /** How many times as long: two decimals from 0.1 to 10, so that factors in a column compare; else three digits. {@code 1.22x}. */
    public static String times(double ratio) {
        if (!Double.isFinite(ratio)) {
            return UNKNOWN;
        }
        double size = Math.abs(ratio);
        return (size >= 0.1 && size < 9.995 ? String.format(Locale.ROOT, "%.2f", ratio) : three(ratio)) + "x";
    }

    /** A duration: {@code 222 ms}, {@code 1.35 s}. */
    public static String duration(double nanos) {
        if (!Double.isFinite(nanos)) {
            return UNKNOWN;
        }
        double size = Math.abs(nanos);
        if (size < 1e6) {
            return three(nanos / 1e3) + " us";
        }
        return size < 1e9 ? three(nanos / 1e6) + " ms" : three(nanos / 1e9) + " s";
    }

    /** Time of many GPUs: seconds below six minutes, else hours. A rank without a GPU counts as one, as everywhere. */
    public static String gpuTime(double seconds) {
        if (!Double.isFinite(seconds)) {
            return UNKNOWN;
        }
        return Math.abs(seconds) < SECONDS_UP_TO
                ? three(seconds) + " GPU-seconds"
                : three(seconds / HOUR_SECONDS) + " GPU-hours";
    }

    /** Bytes in powers of 1000: {@code 1.24 GB}. */
    public static String bytes(double bytes) {
        if (!Double.isFinite(bytes)) {
            return UNKNOWN;
        }
        String[] units = {"B", "kB", "MB", "GB", "TB"};
        int unit = 0;
        double left = bytes;
        while (Math.abs(left) >= 999.5 && unit < units.length - 1) {
            left /= 1000;
            unit++;
        }
        return three(left) + " " + units[unit];
    }
}
