package dev.argus.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Ranks as people and producers write them: {@code 0-7,16}; the inverse of {@link RankSet#toString()}. */
public final class RankText {
    /** No group has more members; longer lists are damage. */
    private static final int MOST = 1 << 20;

    private RankText() {}

    /** The set, or null when the text is anything else, cut, or too long. */
    public static @Nullable RankSet parse(String text) {
        int[] ranks = new int[16];
        int n = 0;
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-');
            int first = number(dash < 0 ? part : part.substring(0, dash));
            int last = dash < 0 ? first : number(part.substring(dash + 1));
            if (first < 0 || last < first || last - first >= MOST - n) {
                return null;
            }
            if (n + last - first + 1 > ranks.length) {
                ranks = Arrays.copyOf(ranks, Math.max(2 * ranks.length, n + last - first + 1));
            }
            for (int rank = first; rank <= last; rank++) {
                ranks[n++] = rank;
            }
        }
        return RankSet.of(Arrays.copyOf(ranks, n));
    }

    private static int number(String text) {
        if (text.isEmpty() || text.length() > 8) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }
}
