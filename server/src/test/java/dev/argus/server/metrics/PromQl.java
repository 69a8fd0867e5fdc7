package dev.argus.server.metrics;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which names an expression of PromQL uses. Not a parser: promtool is that; it only has to find every name. */
final class PromQl {
    private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'");
    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
    private static final Pattern MATCHERS = Pattern.compile("\\{([^}]*)}");
    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern WORDS =
            Pattern.compile("(?<![0-9a-zA-Z_:.])[a-zA-Z_:][a-zA-Z0-9_:]*(?!\\s*\\()(?![a-zA-Z0-9_:])");
    private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "bool", "offset", "Inf", "NaN");

    private final Set<String> metrics = new TreeSet<>();
    private final Set<String> labels = new TreeSet<>();

    PromQl(String expression) {
        String text = STRING.matcher(expression).replaceAll(" ");
        text = RANGE.matcher(text).replaceAll(" ");
        text = take(MATCHERS, text);
        text = take(GROUPING, text);
        Matcher words = WORDS.matcher(text);
        while (words.find()) {
            if (!KEYWORDS.contains(words.group())) {
                metrics.add(words.group());
            }
        }
    }

    /** Notes the labels in what matches, and removes it. */
    private String take(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        while (found.find()) {
            Matcher names = NAME.matcher(found.group(1));
            while (names.find()) {
                labels.add(names.group());
            }
        }
        return pattern.matcher(text).replaceAll(" ");
    }

    /** Metrics and recorded series. */
    Set<String> metrics() {
        return metrics;
    }

    /** Labels that are matched or grouped by. */
    Set<String> labels() {
        return labels;
    }
}
