package dev.argus.benchmarks.accuracy;

import dev.argus.model.Level;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results as tables. */
public final class AccuracyTable {
    private static final List<String> HEAD =
            List.of("scenario", "n", "exact", "kind", "steps", "false alarms", "price", "L1", "L2", "L3");

    private AccuracyTable() {}

    /** One row per kind and severity, with columns of equal width. */
    public static String text(Results results) {
        List<List<String>> rows = rows(results);
        int[] widths = new int[HEAD.size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                text.append(String.format(
                        Locale.ROOT, i == 0 ? "%-" + widths[i] + "s" : "  %" + widths[i] + "s", row.get(i)));
            }
            text.append(System.lineSeparator());
        }
        return text.toString();
    }

    static List<List<String>> rows(Results results) {
        Map<String, List<Outcome>> byLabel = new LinkedHashMap<>();
        for (Outcome o : results.outcomes()) {
            byLabel.computeIfAbsent(o.cell().label(), l -> new ArrayList<>()).add(o);
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        byLabel.forEach((label, outcomes) -> rows.add(row(label, new Results(outcomes))));
        return rows;
    }

    private static List<String> row(String label, Results r) {
        boolean faulty = !r.faults().isEmpty();
        int n = faulty ? r.faults().size() : r.jobs();
        return List.of(
                label,
                String.valueOf(n),
                faulty ? Results.percent(r.exact()) : "",
                faulty ? Results.percent(r.kind()) : "",
                faulty ? Results.percent(r.steps()) : "",
                String.valueOf(r.falseAlarms()),
                faulty ? Results.times(Robust.sortedQuantile(r.prices(), 0.5)) : "",
                faulty ? steps(r.medianDelay(Level.L1)) : "",
                faulty ? steps(r.medianDelay(Level.L2)) : "",
                faulty ? steps(r.medianDelay(Level.L3)) : "");
    }

    private static String steps(double delay) {
        return Double.isNaN(delay) || delay >= Delays.NEVER ? "-" : String.valueOf((int) delay);
    }

    /** Every wrong diagnosis, with the command that makes its folder. */
    public static String misses(Results results) {
        StringBuilder text = new StringBuilder();
        for (Outcome o : results.misses()) {
            text.append(
                    String.format("%s seed %d, %s%n", o.cell().label(), o.cell().seed(), o.layout()));
            Misses.of(o).forEach(m -> text.append(String.format("  %s%n", m)));
            text.append(String.format("  %s%n", o.cell().command()));
        }
        return text.isEmpty() ? "nothing missed" : text.toString();
    }
}
