package dev.argus.hostlocal;

import java.util.List;

/** Files in a sentence. */
final class Labels {
    private static final int SAID = 3;

    private Labels() {}

    /** The first few, and how many more: {@code a, b, c and 5 more}. */
    static String some(List<String> labels) {
        return labels.size() <= SAID
                ? String.join(", ", labels)
                : String.join(", ", labels.subList(0, SAID)) + " and " + (labels.size() - SAID) + " more";
    }
}
