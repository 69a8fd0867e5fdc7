package dev.argus.trace;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file's name tells, for traces that do not say it inside.
 *
 * <p>Rank, the first that matches: {@code rank} with its number ({@code rank00003}, {@code sampled_rank-0},
 * {@code rank3of8}), a folder so called, {@code worker0}, or a last number before the ending ({@code trace_3.json}) that is
 * not introduced as something else (step, iteration, epoch, pid). Host: the handler for TensorBoard writes
 * {@code host_pid.timestamp.pt.trace.json}.
 */
final class FileNames {
    private static final Pattern RANK = Pattern.compile("(?i)(?:^|[^a-z])rank[-_ =.]?(\\d{1,7})(?!\\d)");
    private static final Pattern WORKER = Pattern.compile("(?i)^worker[-_]?(\\d{1,7})(?!\\d)");
    private static final Pattern LAST_NUMBER =
            Pattern.compile("(?i)([a-z]*)[-_.](\\d{1,6})(?:\\.pt)?(?:\\.trace)?\\.json(?:\\.gz|\\.zst)?$");
    private static final Pattern LAST_DIGITS =
            Pattern.compile("(?<!\\d)(\\d{1,6})(?:\\.[a-zA-Z][a-zA-Z0-9]{0,9}){0,2}$");
    private static final Pattern NOT_A_RANK =
            Pattern.compile("(?i)steps?|iter|iters|iteration|epoch|pid|activities|v|version|run|local");
    private static final Pattern HOST =
            Pattern.compile("^(.+)_\\d+\\.\\d{10,}(?:\\.\\d+)?\\.pt\\.trace\\.json(?:\\.gz|\\.zst)?$");

    private FileNames() {}

    /** Rank told by a label such as {@code run1/rank00003.pt.trace.json.gz}, or -1. */
    static int rank(String label) {
        int slash = label.lastIndexOf('/');
        String name = label.substring(slash + 1);
        int rank = last(RANK, name);
        if (rank < 0 && slash > 0) {
            rank = last(RANK, label.substring(0, slash).replace('/', ' '));
        }
        if (rank < 0) {
            rank = last(WORKER, name);
        }
        return rank >= 0 ? rank : lastNumber(name);
    }

    private static int last(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        int rank = -1;
        while (matcher.find()) {
            rank = Integer.parseInt(matcher.group(1));
        }
        return rank;
    }

    private static int lastNumber(String name) {
        Matcher matcher = LAST_NUMBER.matcher(name);
        return matcher.find() && !NOT_A_RANK.matcher(matcher.group(1)).matches()
                ? Integer.parseInt(matcher.group(2))
                : -1;
    }

    /** The number a name ends with, its ending aside ({@code _dump_9}, {@code trace_9.pkl}), or -1. */
    static int lastDigits(String label) {
        Matcher matcher = LAST_DIGITS.matcher(label.substring(label.lastIndexOf('/') + 1));
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
    }

    /** Host told by a label, or the empty text. */
    static String host(String label) {
        Matcher matcher = HOST.matcher(label.substring(label.lastIndexOf('/') + 1));
        return matcher.matches() ? matcher.group(1) : "";
    }

    /** True if the name claims that the file is JSON. */
    static boolean claimsJson(String label) {
        return label.toLowerCase(Locale.ROOT).contains(".json");
    }
}
