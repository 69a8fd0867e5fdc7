package dev.argus.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A page of text under construction: headings, labelled fields, wrapped paragraphs. Text given to it must be safe. */
final class Page {
    private static final int LABEL_WIDTH = 12;

    /** The space between a number and its unit. */
    private static final Pattern BEFORE_UNIT =
            Pattern.compile("(?<=[0-9]) (?=(?:%|[num]?s|min|h|[kMGT]?B|[KMGT]iB|[MG]Hz|W"
                    + "|(?:GPU|rank)-(?:second|hour)s?|steps?|ranks?)(?![\\w%-]))");

    /** The space between a noun and the number that says which one. */
    private static final Pattern BEFORE_NUMBER = Pattern.compile("(?<=\\b(?:step|steps|rank|ranks)) (?=[0-9])");

    private final StringBuilder out = new StringBuilder();
    private final Look look;

    Page(Look look) {
        this.look = look;
    }

    void rule() {
        out.append(look.paint(Look.Ink.FAINT, "-".repeat(look.width()))).append('\n');
    }

    void blank() {
        out.append('\n');
    }

    /** Begins at the left edge, where nothing else does: what follows is indented, so that no name can forge a headline. */
    void headline(Look.Ink ink, String text) {
        String margin = "";
        for (String line : wrap(text, look.width() - 2)) {
            out.append(margin).append(look.paint(ink, line)).append('\n');
            margin = "  ";
        }
    }

    void heading(String text) {
        blank();
        headline(Look.Ink.STRONG, text);
    }

    /** A paragraph, indented. */
    void paragraph(int indent, String text) {
        hanging(" ".repeat(indent), text);
    }

    /** A label on the left and its text, wrapped beside it. */
    void field(String label, String text) {
        String padded = label + " ".repeat(Math.max(1, LABEL_WIDTH - label.length()));
        hanging("  ", look.paint(Look.Ink.FAINT, padded), 2 + padded.length(), text);
    }

    /** A first column, right-aligned, and its text, wrapped beside it. */
    void row(String cell, int cellWidth, String text) {
        String padded = " ".repeat(Math.max(0, cellWidth - cell.length())) + cell + "  ";
        hanging("  ", look.paint(Look.Ink.STRONG, padded), 2 + padded.length(), text);
    }

    /** A text with a mark before its first line. */
    void bullet(String text) {
        hanging("  - ", text);
    }

    String text() {
        return out.toString().replace(Numbers.GAP, ' ');
    }

    private void hanging(String first, String text) {
        hanging(first, "", first.length(), text);
    }

    private void hanging(String margin, String lead, int indent, String text) {
        String before = margin + lead;
        for (String line : wrap(text, look.width() - indent)) {
            out.append(before).append(line).append('\n');
            before = " ".repeat(indent);
        }
    }

    /** Breaks at spaces, but not within {@code 5 %} or {@code step 5}; a longer word stays whole, so that it can be copied. */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        int used = 0;
        for (String word : glued(text.strip()).split(" +", -1)) {
            int length = word.codePointCount(0, word.length());
            if (used > 0 && used + 1 + length > width) {
                lines.add(line.toString());
                line.setLength(0);
                used = 0;
            }
            if (used > 0) {
                line.append(' ');
                used++;
            }
            line.append(word);
            used += length;
        }
        lines.add(line.toString());
        return lines;
    }

    private static String glued(String text) {
        String gap = String.valueOf(Numbers.GAP);
        return BEFORE_NUMBER.matcher(BEFORE_UNIT.matcher(text).replaceAll(gap)).replaceAll(gap);
    }
}
