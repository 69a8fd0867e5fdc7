package dev.argus.cli.text;

import dev.argus.model.SafeText;

/** The one line that says how far the work is. */
public final class ProgressLine {
    private ProgressLine() {}

    /**
     * Composes the line, cut to the width.
     *
     * @param what what is being done, in words
     * @param read bytes read so far
     * @param total bytes to read, 0 when unknown
     * @param nanos time since the work began
     * @param width most columns
     */
    public static String of(String what, long read, long total, long nanos, int width) {
        double seconds = Math.max(nanos, 1) / 1e9;
        StringBuilder line = new StringBuilder(SafeText.of(what, 40));
        if (read > 0 || total > 0) {
            line.append(": ").append(Numbers.bytes((double) read));
        }
        if (total > 0) {
            long percent = Math.clamp(Math.round(100.0 * read / total), 0, 100);
            line.append(" of ")
                    .append(Numbers.bytes((double) total))
                    .append(", ")
                    .append(percent)
                    .append(" %");
        }
        if (read > 0) {
            double rate = (double) read / seconds;
            line.append(", ").append(Numbers.bytes(rate)).append("/s");
            if (total > read) {
                line.append(", ").append(time((double) (total - read) / rate)).append(" left");
            }
        }
        String text = line.toString().replace(Numbers.GAP, ' ');
        return text.length() <= width ? text : text.substring(0, Math.max(0, width));
    }

    private static String time(double seconds) {
        long whole = (long) Math.ceil(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? whole / 60 + " min " + whole % 60 + " s"
                : whole / 3600 + " h " + whole / 60 % 60 + " min";
    }
}
