package dev.argus.cli;

import dev.argus.model.SafeText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads values of options; each error is one line. */
final class Arguments {
    private Arguments() {}

    /** One of a few words. */
    static String oneOf(String option, String value, List<String> allowed) {
        if (!allowed.contains(value)) {
            throw new UsageError(
                    option + ": found '" + SafeText.of(value) + "', expected " + String.join(" or ", allowed) + ".");
        }
        return value;
    }

    /** A whole number within bounds. */
    static int integer(String option, String value, int least, int most) {
        boolean number = value.matches("[0-9]{1,9}");
        if (!number || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
            throw new UsageError(option + ": found '" + SafeText.of(value) + "', expected a whole number from " + least
                    + " to " + most + ".");
        }
        return Integer.parseInt(value);
    }

    /** A part of a whole, 0..1. */
    static double ratio(String option, String value, String example) {
        boolean number = value.matches("[0-9]{0,9}(\\.[0-9]{1,18})?([eE]-?[0-9]{1,2})?") && value.matches("[.0-9].*");
        if (!number || !(parse(value) <= 1)) {
            throw new UsageError(option + ": found '" + SafeText.of(value)
                    + "', expected a number from 0 to 1, such as " + example + ".");
        }
        return parse(value);
    }

    /** How many times longer something takes, above 1. */
    static double factor(String option, String value) {
        boolean number = value.matches("[0-9]{1,6}(\\.[0-9]{1,9})?");
        if (!number || parse(value) <= 1 || parse(value) > 1000) {
            throw new UsageError(option + ": found '" + SafeText.of(value)
                    + "', expected a number above 1 and up to 1000, such as 1.3.");
        }
        return parse(value);
    }

    /** A path; exists or not. */
    static Path path(String option, String value) {
        Path path = value.isEmpty() ? null : pathOrNull(value);
        if (path == null) {
            throw new UsageError(
                    option + ": found '" + SafeText.of(value) + "', expected the name of a file or folder.");
        }
        return path;
    }

    /** A path, or null if the text can be none. */
    static @Nullable Path pathOrNull(String value) {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static double parse(String number) {
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
