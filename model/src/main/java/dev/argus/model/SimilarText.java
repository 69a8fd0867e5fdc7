package dev.argus.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the name somebody probably meant. */
public final class SimilarText {
    private static final int MOST_EDITS = 2;
    private static final int LONGEST = 40;

    private SimilarText() {}

    /** The nearest name within two edits (a swap of neighbours is one), or null. */
    public static @Nullable String to(String typed, List<String> names) {
        if (typed.length() > LONGEST) {
            return null;
        }
        @Nullable String best = null;
        int least = MOST_EDITS + 1;
        for (String name : names) {
            int edits = edits(typed, name);
            if (edits < least && edits < name.length() / 2) {
                least = edits;
                best = name;
            }
        }
        return best;
    }

    /** Optimal string alignment distance; O(length of a x length of b). */
    private static int edits(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                int least = Math.min(replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                cost[i][j] = swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
            }
        }
        return cost[a.length()][b.length()];
    }
}
