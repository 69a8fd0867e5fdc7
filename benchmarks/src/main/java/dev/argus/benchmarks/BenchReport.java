package dev.argus.benchmarks;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The figures of one benchmark, as JSON ({@code argus.bench/1}) and as a table.
 *
 * @param bench name of the benchmark
 * @param machine where it ran
 * @param figures what it measured
 */
record BenchReport(String bench, Machine machine, List<Figure> figures) {
    private static final String SCHEMA = "argus.bench/1";
    private static final double EXACT = 0x1.0p53;

    BenchReport {
        figures = List.copyOf(figures);
    }

    /** One object on one line. */
    String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            out.writeStartObject();
            out.writeStringProperty("schema", SCHEMA);
            out.writeStringProperty("bench", bench);
            out.writeName("machine");
            out.writeStartObject();
            out.writeStringProperty("cpu", machine.cpu());
            out.writeNumberProperty("cores", machine.cores());
            out.writeStringProperty("jdk", machine.jdk());
            out.writeEndObject();
            out.writeName("figures");
            out.writeStartArray();
            figures.forEach(figure -> write(out, figure));
            out.writeEndArray();
            out.writeEndObject();
        }
        return text.toString();
    }

    private static void write(JsonGenerator out, Figure figure) {
        out.writeStartObject();
        out.writeStringProperty("name", figure.name());
        out.writeName("value");
        number(out, figure.value());
        out.writeStringProperty("unit", figure.unit());
        out.writeName("runs");
        out.writeStartArray();
        figure.runs().forEach(run -> number(out, run));
        out.writeEndArray();
        out.writeStringProperty("reference", figure.reference());
        Bar bar = figure.bar();
        if (bar == null) {
            out.writeNullProperty("bar");
            out.writeNullProperty("holds");
        } else {
            out.writeStringProperty("bar", bar.text());
            out.writeBooleanProperty("holds", bar.holds(figure.value()));
        }
        out.writeEndObject();
    }

    private static void number(JsonGenerator out, double value) {
        if (value == Math.rint(value) && Math.abs(value) < EXACT) {
            out.writeNumber((long) value);
        } else {
            out.writeNumber(value);
        }
    }

    /** A table with one line per figure and the references below. */
    String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("figure", "value", "unit", "min", "median", "max", "runs", "bar", "holds"));
        for (Figure figure : figures) {
            rows.add(row(figure));
        }
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT, "%s on %s, %d cores, JDK %s%n%n", bench, machine.cpu(), machine.cores(), machine.jdk()));
        int[] widths = new int[rows.getFirst().size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        rows.forEach(row -> text.append(line(row, widths)));
        text.append(System.lineSeparator());
        figures.forEach(figure -> text.append(String.format("%s: %s%n", figure.name(), figure.reference())));
        return text.toString();
    }

    private static List<String> row(Figure figure) {
        Bar bar = figure.bar();
        return List.of(
                figure.name(),
                Figure.plain(figure.value()),
                figure.unit(),
                Figure.plain(figure.least()),
                Figure.plain(Figure.median(figure.runs())),
                Figure.plain(figure.most()),
                Integer.toString(figure.runs().size()),
                bar == null ? "-" : bar.text(),
                bar == null ? "-" : bar.holds(figure.value()) ? "yes" : "NO");
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            boolean words = i == 0 || i == 2 || i >= 7;
            String pad = " ".repeat(widths[i] - cells.get(i).length());
            line.append(words ? cells.get(i) + pad : pad + cells.get(i)).append("  ");
        }
        return line.toString().stripTrailing() + System.lineSeparator();
    }
}
