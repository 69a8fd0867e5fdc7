package dev.argus.model;

import java.util.Locale;

/** Hosts in a sentence. */
public final class HostText {
    private static final String WORD = "host";

    private HostText() {}

    /** {@code host n17}; the name alone where it says itself that it is one, as {@code host17} does. Exact: not escaped. */
    public static String of(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith(WORD) ? name : WORD + " " + name;
    }
}
