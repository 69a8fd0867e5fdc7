package dev.argus.server.config;

import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be set, declared once.
 *
 * @param name name in files, kebab-case; in the environment {@code ARGUS_SERVER_NAME}, as a flag {@code --name}
 * @param type what a value looks like, such as {@code PORT}
 * @param initial value when nothing is set; empty for none
 * @param text what it is, one sentence
 * @param reader text to value; throws {@link IllegalArgumentException} with what was expected
 * @param shown value as it is printed: never with a secret in it
 */
public record Setting<T extends @Nullable Object>(
        String name,
        String type,
        String initial,
        String text,
        Function<String, T> reader,
        Function<String, String> shown) {
    /** What names in the environment begin with. */
    public static final String ENVIRONMENT = "ARGUS_SERVER_";

    private static final Function<String, String> PLAIN = Function.identity();

    static <T extends @Nullable Object> Setting<T> of(
            String name, String type, String initial, String text, Function<String, T> reader) {
        return new Setting<>(name, type, initial, text, reader, PLAIN);
    }

    /** True if a value may hold a secret. */
    public boolean secret() {
        return !shown.equals(PLAIN);
    }

    /** The name in the environment. */
    public String variable() {
        return ENVIRONMENT + name.replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** The name as a flag. */
    public String flag() {
        return "--" + name;
    }
}
