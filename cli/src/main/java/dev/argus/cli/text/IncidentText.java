package dev.argus.cli.text;

import dev.argus.model.Cost;
import dev.argus.model.Direction;
import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.Level;
import dev.argus.model.ParallelGroup;
import dev.argus.model.SafeText;
import dev.argus.model.Severity;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The parts of one incident in words, and how they stand on a page. */
final class IncidentText {
    private static final int MOST_NAMES = 3;
    private static final int MOST_ROWS = 12;

    private IncidentText() {}

    /** The fields of the card. */
    static void fields(Page page, Incident incident, int worldSize) {
        page.field("Who", Suspect.fullName(incident));
        page.field("What", what(incident));
        page.field("Since", since(incident));
        page.field("Cost", cost(incident, worldSize));
        page.field("Confidence", confidence(incident) + seenBy(incident));
        page.field("What to do", SafeText.sentence(incident.advice()));
    }

    /** Why it is believed: the explanation and the rows of proof. */
    static void proof(Page page, Incident incident) {
        page.heading("Why we believe it");
        if (!incident.explanation().isBlank()) {
            page.paragraph(2, SafeText.sentence(incident.explanation()));
        }
        rows(page, incident.evidence(), MOST_ROWS);
        if (!incident.kernels().isEmpty()) {
            page.field("Kernels", listed(incident.kernels()));
        }
        if (!incident.groups().isEmpty()) {
            page.field("Groups", groups(incident.groups()));
        }
    }

    /** A further incident or an observation, in a few lines. */
    static void compact(Page page, Incident incident, boolean withAdvice) {
        String head = withAdvice ? incident.severity().text() + ": " : "";
        page.bullet(head
                + incident.kind().text()
                + ", "
                + Suspect.fullName(incident)
                + "; "
                + Numbers.steps(incident.firstStep(), incident.lastStep())
                + costInBrief(incident.cost())
                + "; "
                + confidence(incident));
        page.paragraph(4, SafeText.sentence(incident.summary()));
        if (withAdvice) {
            rows(page, incident.evidence(), 1);
            page.paragraph(4, "What to do: " + SafeText.sentence(incident.advice()));
        }
    }

    /** Red for critical, yellow for the others. */
    static Look.Ink ink(Incident incident) {
        return incident.severity().level() >= Severity.CRITICAL.level() ? Look.Ink.BAD : Look.Ink.WARN;
    }

    private static void rows(Page page, List<Evidence> evidence, int most) {
        List<Evidence> shown = evidence.subList(0, Math.min(most, evidence.size()));
        List<String> values = shown.stream()
                .map(row -> Numbers.withUnit(row.value(), SafeText.of(row.unit(), 12)))
                .toList();
        int width = Math.max(8, values.stream().mapToInt(String::length).max().orElse(0));
        for (int i = 0; i < shown.size(); i++) {
            page.row(values.get(i), width, row(shown.get(i)));
        }
    }

    private static String row(Evidence row) {
        String text = SafeText.of(row.what(), 200);
        if (!row.reference().isBlank()) {
            text += "; compared with: " + SafeText.of(row.reference(), 200);
        }
        if (Double.isFinite(row.threshold())) {
            text += "; threshold: " + Numbers.withUnit(row.threshold(), SafeText.of(row.unit(), 12));
        }
        return text;
    }

    private static String what(Incident incident) {
        Direction direction = incident.direction();
        return incident.kind().text()
                + " ("
                + incident.severity().text()
                + "): "
                + Words.kind(incident.kind())
                + (direction == null ? "" : "; " + Words.direction(direction));
    }

    private static String since(Incident incident) {
        String first = incident.firstStep() < 0 ? "an unknown step" : "step " + Numbers.grouped(incident.firstStep());
        long nanos = incident.sinceEpochNanos();
        String time = Numbers.isDate(nanos) ? " (" + Numbers.utc(nanos) + ")" : "";
        return first + time + ", " + Words.state(incident.state(), incident.lastStep());
    }

    private static String cost(Incident incident, int worldSize) {
        Cost cost = incident.cost();
        if (!Double.isFinite(cost.stepRatio()) && !Double.isFinite(cost.gpuSeconds())) {
            return "unknown";
        }
        String text = Numbers.percent(cost.stepRatio())
                + " of the job's time, "
                + Numbers.gpuTime(cost.gpuSeconds())
                + " lost so far";
        if (incident.state() == IncidentState.RESOLVED || !(cost.stepRatio() > 0) || worldSize <= 0) {
            return text;
        }
        return text + "; at this rate " + Numbers.three(cost.stepRatio() * worldSize) + Numbers.GAP
                + "GPU-hours every hour";
    }

    private static String costInBrief(Cost cost) {
        return cost.stepRatio() > 0
                ? "; " + Numbers.percent(cost.stepRatio()) + " of the job's time, " + Numbers.gpuTime(cost.gpuSeconds())
                : "";
    }

    private static String confidence(Incident incident) {
        double probability = incident.confidence();
        String words = Words.confidence(probability);
        return Double.isFinite(probability) ? words + " (" + Numbers.probability(probability) + ")" : words;
    }

    private static String seenBy(Incident incident) {
        String levels = Arrays.stream(Level.values())
                .filter(incident.levels()::contains)
                .map(Words::level)
                .collect(Collectors.joining(", "));
        return levels.isEmpty() ? "" : "; seen at " + levels;
    }

    private static String listed(List<String> names) {
        String text = names.stream().limit(MOST_NAMES).map(SafeText::of).collect(Collectors.joining(", "));
        return names.size() > MOST_NAMES ? text + " and " + (names.size() - MOST_NAMES) + " more" : text;
    }

    private static String groups(List<ParallelGroup> groups) {
        return listed(groups.stream()
                .map(group -> group.dimension() + " " + group.ranks())
                .toList());
    }
}
