package dev.argus.cli.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
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

    /** A part of a whole, three digits as the sentences of the engine have them: 0.12 is {@code 12.0 %}. */
    static String percent(double ratio) {
        return percent(ratio, 3);
    }

    /** A part of a whole with so many significant digits, zeros at the end among them. */
    static String percent(double ratio, int digits) {
        if (!Double.isFinite(ratio)) {
            return "unknown";
        }
        if (ratio == 0) {
            return "0" + GAP + "%";
        }
        BigDecimal rounded = BigDecimal.valueOf(100 * ratio).round(new MathContext(digits, RoundingMode.HALF_UP));
        int whole = rounded.precision() - rounded.scale();
        return rounded.setScale(Math.max(0, digits - whole), RoundingMode.HALF_UP)
                        .toPlainString() + GAP + "%";
    }

    /** A probability in whole percent; nothing is certain, nothing impossible: 1 to 99. */
    static String probability(double probability) {
        return Math.clamp(Math.round(probability * 100), 1, 99) + String.valueOf(GAP) + "%";
    }

    /** A value with its unit: {@code 1.30x}, {@code 22 %}, {@code 31.2 ms}. */
    static String withUnit(double value, String unit) {
        if (!Double.isFinite(value)) {
            return "unknown";
        }
        return switch (unit) {
            case "x" -> factor(value) + "x";
            case "", "1" -> three(value);
            default -> three(value) + GAP + unit;
        };
    }

    /** Two decimals below ten, so that factors in a column compare; more only where two would show too little. */
    private static String factor(double value) {
        double size = Math.abs(value);
        return size >= 0.1 && size < 9.995 ? String.format(Locale.ROOT, "%.2f", value) : three(value);
    }

    /**
     * Time of many GPUs: seconds below six minutes, else hours. A rank without a GPU counts as one, as everywhere.
     */
    static String gpuTime(double seconds) {
        if (!Double.isFinite(seconds)) {
            return "unknown";
        }
        return seconds < 360 ? three(seconds) + GAP + "GPU-seconds" : three(seconds / 3600) + GAP + "GPU-hours";
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
