package dev.argus.trace;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line of an iteration.
 *
 * @param iteration the framework's number
 * @param elapsedNanos the time it prints for an iteration, nanoseconds
 * @param wallNanos when it was printed, nanoseconds since the epoch by a clock without a zone; 0 when not said
 * @param rank the rank that printed it, -1 when not said
 * @param world world size, -1 when not said
 */
record IterationLine(long iteration, long elapsedNanos, long wallNanos, int rank, int world) {
    private static final String ELAPSED = "elapsed time per iteration (ms):";
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]{0,16}[A-Za-z]");
    private static final Pattern ITERATION = Pattern.compile("\\biteration\\s+(\\d{1,12})\\s*/\\s*\\d{1,12}\\s*\\|");
    private static final Pattern WALL =
            Pattern.compile("\\[(\\d{4})-(\\d\\d)-(\\d\\d)[ T](\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,9}))?\\]\\s*$");
    private static final Pattern RANK = Pattern.compile("\\[rank-?(\\d{1,7})(?:/(\\d{1,7}))?\\]");
    private static final long MAX_NANOS = 24L * 3600 * 1_000_000_000;

    /** Null if a line tells no iteration. */
    static @Nullable IterationLine parse(String line) {
        int elapsed = line.indexOf(ELAPSED);
        if (elapsed < 0) {
            return null;
        }
        String plain = COLOUR.matcher(line).replaceAll("");
        elapsed = plain.indexOf(ELAPSED);
        Matcher iteration = ITERATION.matcher(plain);
        if (elapsed < 0 || !iteration.find()) {
            return null;
        }
        long nanos = millis(plain.substring(elapsed + ELAPSED.length()).strip());
        if (nanos <= 0) {
            return null;
        }
        String head = plain.substring(0, iteration.start());
        Matcher rank = RANK.matcher(head);
        boolean ranked = rank.find();
        int world = ranked && rank.group(2) != null ? Integer.parseInt(rank.group(2)) : -1;
        return new IterationLine(
                Long.parseLong(iteration.group(1)),
                nanos,
                wall(head),
                ranked ? Integer.parseInt(rank.group(1)) : -1,
                world);
    }

    private static long millis(String text) {
        int end = 0;
        while (end < text.length() && "0123456789.eE+-".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        try {
            double nanos = Double.parseDouble(text.substring(0, end)) * 1e6;
            return nanos > 0 && nanos <= MAX_NANOS ? Math.round(nanos) : -1;
        } catch (NumberFormatException none) {
            return -1;
        }
    }

    private static long wall(String head) {
        Matcher m = WALL.matcher(head);
        if (!m.find()) {
            return 0;
        }
        try {
            String fraction = m.group(7) == null ? "" : m.group(7);
            int nanos = Integer.parseInt((fraction + "000000000").substring(0, 9));
            LocalDateTime time = LocalDateTime.of(
                    number(m, 1), number(m, 2), number(m, 3), number(m, 4), number(m, 5), number(m, 6), nanos);
            return Math.max(
                    0, Math.addExact(Math.multiplyExact(time.toEpochSecond(ZoneOffset.UTC), 1_000_000_000L), nanos));
        } catch (DateTimeException | ArithmeticException impossible) {
            return 0;
        }
    }

    private static int number(Matcher m, int group) {
        return Integer.parseInt(m.group(group));
    }
}
