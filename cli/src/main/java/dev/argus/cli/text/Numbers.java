package dev.argus.cli.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers as people say them: three significant digits, a unit, no exponent in the usual range. */
final class Numbers {
    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** Earlier times are counters of some clock, not dates: 2001-09-09, nanoseconds. */
    private static final long FIRST_DATE_NANOS = 1_000_000_000_000_000_000L;

    /** Stands between a number and its unit: no line breaks there. {@link Page} prints it as a space. */
    static final char GAP = '\u00a0';

    private Numbers() {}

    /** Three significant digits: 1.31, 81.4, 12,300; {@code unknown} if not finite. */
    static String three(double value) {
        if (!Double.isFinite(value)) {
            return "unknown";
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

    /** A part of a whole: 0.12 is {@code 12 %}. */
    static String percent(double ratio) {
        return Double.isFinite(ratio) ? three(ratio * 100) + GAP + "%" : "unknown";
    }

    /** A probability in whole percent; nothing is certain, nothing impossible: 1 to 99. */
    static String probability(double probability) {
        return Math.clamp(Math.round(probability * 100), 1, 99) + String.valueOf(GAP) + "%";
    }

    /** A value with its unit: {@code 1.31x}, {@code 22 %}, {@code 31.2 ms}. */
    static String withUnit(double value, String unit) {
        if (!Double.isFinite(value)) {
            return "unknown";
        }
        return switch (unit) {
            case "x" -> three(value) + "x";
            case "", "1" -> three(value);
            default -> three(value) + GAP + unit;
        };
    }

    /** Time of many GPUs: seconds below six minutes, else hours. */
    static String gpuTime(double gpuSeconds) {
        if (!Double.isFinite(gpuSeconds)) {
            return "unknown";
        }
        return gpuSeconds < 360
                ? three(gpuSeconds) + GAP + "GPU-seconds"
                : three(gpuSeconds / 3600) + GAP + "GPU-hours";
    }

    /** A duration: {@code 222 ms}, {@code 1.35 s}. */
    static String duration(long nanos) {
        if (nanos < 1_000_000) {
            return three(nanos / 1e3) + GAP + "us";
        }
        return nanos < 1_000_000_000 ? three(nanos / 1e6) + GAP + "ms" : three(nanos / 1e9) + GAP + "s";
    }

    /** Bytes in powers of 1000: {@code 1.24 GB}. */
    static String bytes(double bytes) {
        String[] units = {"B", "kB", "MB", "GB", "TB"};
        int unit = 0;
        double left = bytes;
        while (left >= 999.5 && unit < units.length - 1) {
            left /= 1000;
            unit++;
        }
        return three(left) + GAP + units[unit];
    }

    /** True if the time can be a date. */
    static boolean isDate(long epochNanos) {
        return epochNanos >= FIRST_DATE_NANOS;
    }

    /** Date and time, UTC, whole seconds. */
    static String utc(long epochNanos) {
        return UTC.format(Instant.ofEpochSecond(Math.floorDiv(epochNanos, 1_000_000_000L)));
    }

    /** A count and its noun: {@code 1 host}, {@code 8 hosts}. */
    static String count(long count, String noun) {
        return String.format(Locale.ROOT, "%,d%c%s%s", count, GAP, noun, count == 1 ? "" : "s");
    }

    /** Steps, inclusive. */
    static String steps(long first, long last) {
        if (first < 0 || last < 0) {
            return "no steps";
        }
        return first == last ? "step " + grouped(first) : "steps " + grouped(first) + " to " + grouped(last);
    }

    /** A step number with thousands separated. */
    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
