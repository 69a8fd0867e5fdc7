package dev.argus.cli.text;

import dev.argus.model.Figures;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** {@link Figures} for lines of text: a number and its unit stay together; and dates, counts and steps. */
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
        return Figures.three(value);
    }

    /** A part of a whole, three digits as the sentences of the engine have them: 0.12 is {@code 12.0 %}. */
    static String percent(double ratio) {
        return percent(ratio, 3);
    }

    /** A part of a whole with so many significant digits, zeros at the end among them. */
    static String percent(double ratio, int digits) {
        return tied(Figures.percent(ratio, digits));
    }

    /** With a gap that no line is broken at. */
    private static String tied(String figure) {
        return figure.replace(' ', GAP);
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
            case "x" -> Figures.times(value);
            case "", "1" -> three(value);
            default -> three(value) + GAP + unit;
        };
    }

    /** Time of many GPUs: seconds below six minutes, else hours. A rank without a GPU counts as one, as everywhere. */
    static String gpuTime(double seconds) {
        return tied(Figures.gpuTime(seconds));
    }

    /** A duration: {@code 222 ms}, {@code 1.35 s}. */
    static String duration(long nanos) {
        return tied(Figures.duration((double) nanos));
    }

    /** Bytes in powers of 1000: {@code 1.24 GB}. */
    static String bytes(double bytes) {
        return tied(Figures.bytes(bytes));
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
