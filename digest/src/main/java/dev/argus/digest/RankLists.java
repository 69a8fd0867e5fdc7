package dev.argus.digest;

import dev.argus.model.RankSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads printed lists of ranks such as {@code [0, 1, 2]}. */
final class RankLists {
    private static final int MAX_RANK = 1 << 24;

    private RankLists() {}

    /** The set, or null when the list was printed with "..." inside or is no list of ranks. */
    static @Nullable RankSet parse(String text) {
        int[] ranks = new int[16];
        int n = 0;
        int value = -1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
                value = (value < 0 ? 0 : value) * 10 + (c - '0');
                if (value > MAX_RANK) {
                    return null;
                }
            } else if (c == ',' || c == ']' || c == ')' || c == ' ') {
                if (value >= 0) {
                    ranks = n == ranks.length ? Arrays.copyOf(ranks, n * 2) : ranks;
                    ranks[n++] = value;
                    value = -1;
                }
            } else if (c != '[' && c != '(') {
                return null;
            }
        }
        return n == 0 ? null : RankSet.of(Arrays.copyOf(ranks, n));
    }
}
