package dev.argus.model;

/** Keeps strings from outside strings in HTML, whatever they hold. */
public final class HtmlText {
    private HtmlText() {}

    /** Text for between tags or inside a quoted attribute. */
    public static String of(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }
}
