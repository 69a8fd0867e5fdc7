package dev.argus.cli.text;

import dev.argus.model.SafeText;

/** The lines of a demonstration that are not about an incident. */
public final class DemoText {
    private DemoText() {}

    /** What is shown, or what came out. */
    public static String headline(String text, Look look) {
        return headline(Look.Ink.STRONG, text, look);
    }

    /** As it should be. */
    public static String good(String text, Look look) {
        return headline(Look.Ink.GOOD, text, look);
    }

    /** Not as it should be. */
    public static String bad(String text, Look look) {
        return headline(Look.Ink.BAD, text, look);
    }

    private static String headline(Look.Ink ink, String text, Look look) {
        Page page = new Page(look);
        page.headline(ink, SafeText.sentence(text));
        return page.text();
    }

    /** A word and what belongs to it. */
    public static String line(String label, String text, Look look) {
        Page page = new Page(look);
        page.field(label, SafeText.sentence(text));
        return page.text();
    }
}
