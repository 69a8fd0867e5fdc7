package dev.argus.cli.text;

import java.util.ArrayList;
import java.util.List;

/** A page of text under construction: headings, labelled fields, wrapped paragraphs. Text given to it must be safe. */
final class Page {
    private static final int LABEL_WIDTH = 12;

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

    /** Breaks at spaces; a word longer than the width stays whole, so that it can be copied. */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        int used = 0;
        for (String word : text.strip().split(" +", -1)) {
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
}
