package dev.argus.cli.html;

import dev.argus.model.HtmlText;
import java.io.IOException;

/** Keeps strings from outside strings, whatever they hold. */
final class Markup {
    private Markup() {}

    /** Text for between tags or inside a quoted attribute. */
    static String text(String text) {
        return HtmlText.of(text);
    }

    /**
     * A sink for JSON that shall stand in a script block: what could end the block or begin a comment in it becomes an escape, which JSON reads
     * back as the same character. Outside strings JSON has none of these characters.
     */
    static Appendable jsonInScript(Appendable to) {
        return new Appendable() {
            @Override
            public Appendable append(CharSequence text) throws IOException {
                return append(text, 0, text.length());
            }

            @Override
            public Appendable append(CharSequence text, int start, int end) throws IOException {
                int plain = start;
                for (int i = start; i < end; i++) {
                    char c = text.charAt(i);
                    if (c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
                        to.append(text, plain, i);
                        append(c);
                        plain = i + 1;
                    }
                }
                to.append(text, plain, end);
                return this;
            }

            @Override
            public Appendable append(char c) throws IOException {
                switch (c) {
                    case '<' -> to.append("\\u003c");
                    case '>' -> to.append("\\u003e");
                    case '&' -> to.append("\\u0026");
                    case '\u2028' -> to.append("\\u2028");
                    case '\u2029' -> to.append("\\u2029");
                    default -> to.append(c);
                }
                return this;
            }
        };
    }
}
