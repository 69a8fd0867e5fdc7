package dev.argus.cli.html;

import dev.argus.cli.text.VerdictWords;
import dev.argus.hostlocal.report.PageLook;
import dev.argus.hostlocal.report.ReportData;
import dev.argus.model.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report as one HTML file. It opens from a disk, loads nothing, and its policy forbids that it could: only the script and the style that lie in
 * it, by their hashes, are admitted.
 *
 * <p>Size: about 50 KB, and 16 bytes a rank and step up to 128 steps (24 beyond, where a cell holds several), at most 256 rows by 128 columns and 4
 * attempts. Measured, with times that nothing compresses: 64 ranks by 128 steps 190 KB, by 1,000 steps 260 KB; an attempt of any size at most 0.85 MB. What
 * is folded keeps its largest value, and the page says that it is folded.
 */
public final class HtmlReport {
    /** How every such file begins. */
    public static final String START = "<!DOCTYPE html>\n<!-- argus.report -->\n";

    /** Parts of the script in the order in which they run. */
    private static final List<String> SCRIPTS =
            List.of("base", "card", "steps", "heat", "waits", "kernels", "hang", "page");

    private HtmlReport() {}

    /**
     * Writes the whole document.
     *
     * @param out where to; buffered if it should be fast
     * @param verdict the answer
     * @param failure why nothing could be analysed, or null when something was
     * @param explain lines about rules and thresholds, or null when nobody asked for them
     * @param report what was measured, or null where there is nothing
     */
    public static void write(
            Appendable out,
            Verdict verdict,
            @Nullable String failure,
            @Nullable List<String> explain,
            @Nullable ReportData report)
            throws IOException {
        String script = script();
        String style = PageLook.style() + resource("report.css");
        VerdictWords words = new VerdictWords(verdict, failure);
        String headline = Markup.text(words.headline());
        out.append(START).append("<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        out.append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '")
                .append(hash(script))
                .append("'; style-src '")
                .append(hash(style))
                .append("'; base-uri 'none'; form-action 'none'\">\n");
        out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        out.append("<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"argus\">\n");
        out.append("<title>").append(headline).append(" - Argus</title>\n");
        out.append("<style>").append(style).append("</style>\n</head>\n<body>\n<main id=\"page\"></main>\n");
        out.append("<noscript><h1>").append(headline).append("</h1><p>");
        out.append(Markup.text(words.sentence()));
        out.append("</p><p>This page needs JavaScript to show more; it loads nothing.</p></noscript>\n");
        out.append("<script type=\"application/json\" id=\"data\">");
        PageJson.write(Markup.jsonInScript(out), verdict, failure, explain, report);
        out.append("</script>\n<script>").append(script).append("</script>\n</body>\n</html>\n");
    }

    /** As the policy wants it: of exactly what stands between the tags. */
    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** All parts in one scope, of which nothing is seen outside. */
    private static String script() throws IOException {
        StringBuilder all = new StringBuilder("'use strict';\n(() => {\n").append(PageLook.script());
        for (String part : SCRIPTS) {
            all.append(resource(part + ".js"));
        }
        return all.append("})();\n").toString();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing beside " + HtmlReport.class.getName() + "; build again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
