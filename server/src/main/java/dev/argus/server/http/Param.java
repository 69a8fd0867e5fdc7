package dev.argus.server.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a route, in its path or in its query, with what it may be.
 *
 * @param name name
 * @param kind what it is
 * @param least least number
 * @param most largest number, or most characters of a text
 * @param words the words it may be; empty for any
 * @param initial value when it is not given; null for none
 * @param text what it is, one sentence
 */
public record Param(
        String name,
        Kind kind,
        long least,
        long most,
        List<String> words,
        @Nullable String initial,
        String text) {
    /** Longest text, in characters. */
    public static final int MOST_CHARACTERS = 1024;

    /** What a parameter is. */
    public enum Kind {
        /** A whole number. */
        WHOLE,
        /** A text. */
        TEXT
    }

    /** Copies the list. */
    public Param {
        words = List.copyOf(words);
    }

    /** A whole number that is something else when it is not given. */
    public static Param whole(String name, long least, long most, long initial, String text) {
        return new Param(name, Kind.WHOLE, least, most, List.of(), Long.toString(initial), text);
    }

    /** A whole number that need not be given. */
    public static Param whole(String name, long least, long most, String text) {
        return new Param(name, Kind.WHOLE, least, most, List.of(), null, text);
    }

    /** A text that need not be given in a query, and is given in a path. */
    public static Param text(String name, String text) {
        return new Param(name, Kind.TEXT, 1, MOST_CHARACTERS, List.of(), null, text);
    }

    /** One of some words; the first when it is not given. */
    public static Param word(String name, List<String> words, String text) {
        return new Param(name, Kind.TEXT, 1, MOST_CHARACTERS, words, words.getFirst(), text);
    }

    /** One of some words that need not be given. */
    public static Param anyWord(String name, List<String> words, String text) {
        return new Param(name, Kind.TEXT, 1, MOST_CHARACTERS, words, null, text);
    }

    /** What it is checked for. */
    String checked(String value) throws Problem {
        if (kind == Kind.WHOLE) {
            boolean digits = value.matches("-?[0-9]{1,19}");
            try {
                if (digits && Long.parseLong(value) >= least && Long.parseLong(value) <= most) {
                    return value;
                }
            } catch (NumberFormatException tooLarge) {
                // as any other number outside
            }
            throw new Problem(
                    400, "parameter '" + name + "' is out of range", "a whole number from " + least + " to " + most);
        }
        if (value.isEmpty() || value.length() > most) {
            throw new Problem(400, "parameter '" + name + "' has " + value.length() + " characters", "1 to " + most);
        }
        if (!words.isEmpty() && !words.contains(value)) {
            throw new Problem(400, "parameter '" + name + "' is another word", "one of " + String.join(", ", words));
        }
        return value;
    }
}
