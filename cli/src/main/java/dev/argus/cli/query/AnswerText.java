package dev.argus.cli.query;

import dev.argus.model.SafeText;
import dev.argus.storage.QueryResult;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer as text: a table, JSON, CSV. What is in it is hostile: a table shows it escaped, and cut but for the last column, the others exactly. */
public final class AnswerText {
    private static final int MOST_WIDTH = 80;

    /** Of the last column, behind which nothing is to stand in line. */
    private static final int LAST_WIDTH = 4000;

    private AnswerText() {}

    /** A table: names, a line, rows; numbers at the right. */
    public static String table(QueryResult answer) {
        int n = answer.columns().size();
        List<List<String>> rows = new ArrayList<>();
        rows.add(answer.columns().stream().map(c -> SafeText.of(c, MOST_WIDTH)).toList());
        boolean[] right = new boolean[n];
        int[] width = new int[n];
        for (List<@Nullable Object> row : answer.rows()) {
            List<String> cells = new ArrayList<>(n);
            for (int i = 0; i < n; i++) {
                Object value = row.get(i);
                right[i] |= value instanceof Number;
                cells.add(value == null ? "-" : SafeText.of(value.toString(), i < n - 1 ? MOST_WIDTH : LAST_WIDTH));
            }
            rows.add(cells);
        }
        for (List<String> row : rows) {
            for (int i = 0; i < n; i++) {
                width[i] = Math.max(
                        width[i], row.get(i).codePointCount(0, row.get(i).length()));
            }
        }
        StringBuilder out = new StringBuilder();
        for (int r = 0; r < rows.size(); r++) {
            line(out, rows.get(r), width, right);
            if (r == 0) {
                line(
                        out,
                        Arrays.stream(width)
                                .mapToObj(w -> "-".repeat(Math.min(w, MOST_WIDTH)))
                                .toList(),
                        width,
                        right);
            }
        }
        int count = answer.rows().size();
        return out.append(count == 1 ? "1 row" : count + " rows")
                .append(answer.cut() ? ", and more: --limit says how many\n" : "\n")
                .toString();
    }

    private static void line(StringBuilder out, List<String> cells, int[] width, boolean[] right) {
        int from = out.length();
        for (int i = 0; i < width.length; i++) {
            String cell = cells.get(i);
            String pad = " ".repeat(width[i] - cell.codePointCount(0, cell.length()));
            out.append(i > 0 ? "  " : "")
                    .append(right[i] ? pad : "")
                    .append(cell)
                    .append(right[i] ? "" : pad);
        }
        int end = out.length();
        while (end > from && out.charAt(end - 1) == ' ') {
            end--;
        }
        out.setLength(end);
        out.append('\n');
    }

    /** One object, as servers answer; a row a line. */
    public static String json(QueryResult answer) throws IOException {
        StringBuilder out = new StringBuilder();
        JsonWriter json = new JsonWriter(out, 2).beginObject();
        texts(json, "columns", answer.columns());
        texts(json, "types", answer.types());
        json.name("rows").beginArray();
        for (List<@Nullable Object> row : answer.rows()) {
            json.beginArray();
            for (Object value : row) {
                switch (value) {
                    case null -> json.nullValue();
                    case Boolean truth -> json.value(truth.booleanValue());
                    case Long whole -> json.value(whole.longValue());
                    case Double number -> json.value(number.doubleValue());
                    default -> json.value(value.toString());
                }
            }
            json.endArray();
        }
        json.endArray().name("cut").value(answer.cut()).endObject();
        return out.append('\n').toString();
    }

    private static void texts(JsonWriter json, String name, List<String> texts) throws IOException {
        json.name(name).beginArray();
        for (String text : texts) {
            json.value(text);
        }
        json.endArray();
    }

    /** Lines with commas (RFC 4180, but with a plain line feed), names first; null is nothing. */
    public static String csv(QueryResult answer) {
        StringBuilder out = new StringBuilder();
        csv(out, answer.columns());
        answer.rows().forEach(row -> csv(out, row));
        return out.toString();
    }

    private static void csv(StringBuilder out, List<? extends @Nullable Object> values) {
        String comma = "";
        for (Object value : values) {
            String text = value == null ? "" : value.toString();
            boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
            out.append(comma).append(quoted ? '"' + text.replace("\"", "\"\"") + '"' : text);
            comma = ",";
        }
        out.append('\n');
    }
}
