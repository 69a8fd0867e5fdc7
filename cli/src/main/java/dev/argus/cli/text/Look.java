package dev.argus.cli.text;

import java.util.Map;

/**
 * How a report looks.
 *
 * @param width columns, {@link #MIN_WIDTH} to {@link #MAX_WIDTH}
 * @param colour true for ANSI colours
 */
public record Look(int width, boolean colour) {
    /** Narrower columns cannot hold the card. */
    public static final int MIN_WIDTH = 60;

    /** Longer lines are hard to read. */
    public static final int MAX_WIDTH = 120;

    /** When the terminal does not say. */
    public static final int DEFAULT_WIDTH = 100;

    /** No colours, default width. */
    public static final Look PLAIN = new Look(DEFAULT_WIDTH, false);

    /** Clamps the width. */
    public Look {
        width = Math.clamp(width, MIN_WIDTH, MAX_WIDTH);
    }

    /** The look for an environment: {@code COLUMNS} is obeyed where it is a number. */
    public static Look of(Map<String, String> environment, boolean colour) {
        String columns = environment.getOrDefault("COLUMNS", "");
        boolean number = columns.matches("[0-9]{1,6}");
        return new Look(number ? Integer.parseInt(columns) : DEFAULT_WIDTH, colour);
    }

    /** Text in an ink, or just the text without colour. */
    String paint(Ink ink, String text) {
        return colour ? ink.code + text + "\u001b[0m" : text;
    }

    /** What a colour says. */
    enum Ink {
        BAD("\u001b[1;31m"),
        WARN("\u001b[1;33m"),
        GOOD("\u001b[1;32m"),
        STRONG("\u001b[1m"),
        FAINT("\u001b[2m");

        private final String code;

        Ink(String code) {
            this.code = code;
        }
    }
}
