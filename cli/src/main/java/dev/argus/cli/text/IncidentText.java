package dev.argus.cli.text;

import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.Level;
import dev.argus.model.ParallelGroup;
import dev.argus.model.SafeText;
import dev.argus.model.Severity;
import dev.argus.model.TraceFacts;
import dev.argus.model.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Incidents in words, and how they stand on a page. */
final class IncidentText {
    private static final int MOST_NAMES = 3;
    private static final int MOST_ROWS = 12;

    /** Advice of the engine that says nothing. */
    private static final String NO_ADVICE = "No action needed.";

    private final Page page;
    private final Verdict verdict;
    private final boolean severalAttempts;

    IncidentText(Page page, Verdict verdict) {
        this.page = page;
        this.verdict = verdict;
        this.severalAttempts = severalAttempts(verdict);
    }

    private static boolean severalAttempts(Verdict verdict) {
        return Stream.concat(verdict.incidents().stream(), verdict.observations().stream())
                        .anyMatch(incident -> incident.attempt() > 0)
                || verdict.traces().stream()
                                .mapToInt(TraceFacts::attempt)
                                .distinct()
                                .count()
                        > 1;
    }

    /** The fields of the card. */
    void fields(Incident incident) {
        page.field("Who", Suspect.fullName(incident));
        page.field("What", what(incident));
        page.field("Since", since(incident));
        page.field("Cost", cost(incident));
        page.field("Confidence", confidence(incident) + seenBy(incident));
        page.field("What to do", SafeText.sentence(incident.advice()));
    }

    /** Why it is believed: the explanation and the rows of proof. */
    void proof(Incident incident) {
        page.heading("Why we believe it");
        reasons(incident);
    }

    /** The same without its heading. */
    void reasons(Incident incident) {
        if (!incident.explanation().isBlank()) {
            page.paragraph(2, SafeText.sentence(incident.explanation()));
        }
        rows(incident.evidence(), MOST_ROWS);
        if (!incident.kernels().isEmpty()) {
            page.field("Kernels", listed(incident.kernels(), ", "));
        }
        if (!incident.groups().isEmpty()) {
            page.field("Groups", groups(incident.groups()));
        }
    }

    /** A further incident, in a few lines. */
    void further(Incident incident) {
        brief(incident, true);
    }

    /** An observation, in a few lines. */
    void observation(Incident incident) {
        brief(incident, false);
    }

    private void brief(Incident incident, boolean accuses) {
        String head = accuses ? incident.severity().text() + ": " : "";
        page.bullet(head
                + incident.kind().text()
                + ", "
                + Suspect.fullName(incident)
                + "; "
                + attempt(incident)
                + Numbers.steps(incident.firstStep(), incident.lastStep())
                + costInBrief(incident.cost())
                + "; "
                + confidence(incident));
        page.paragraph(4, SafeText.sentence(incident.summary()));
        if (accuses) {
            rows(incident.evidence(), 1);
        }
        String advice = incident.advice().strip();
        if (!advice.isEmpty() && !advice.equals(NO_ADVICE)) {
            page.paragraph(4, "What to do: " + SafeText.sentence(advice));
        }
    }

    /** Red for critical, yellow for the others. */
    static Look.Ink ink(Incident incident) {
        return incident.severity().level() >= Severity.CRITICAL.level() ? Look.Ink.BAD : Look.Ink.WARN;
    }

    private void rows(List<Evidence> evidence, int most) {
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

    static String what(Incident incident) {
        return incident.kind().text() + " (" + incident.severity().text() + "): " + Words.kind(incident);
    }

    String since(Incident incident) {
        String first =
                incident.firstStep() < 0 ? unknownStep(incident) : "step " + Numbers.grouped(incident.firstStep());
        long nanos = incident.sinceEpochNanos();
        String time = Numbers.isDate(nanos) ? " (" + Numbers.utc(nanos) + ")" : "";
        return attempt(incident) + first + time + ", " + Words.state(incident.state(), incident.lastStep());
    }

    /** A call that never ends stands in no step that was recorded: it came after the last of them. */
    private String unknownStep(Incident incident) {
        long last = verdict.traces().stream()
                .filter(trace -> trace.attempt() == incident.attempt())
                .flatMap(trace -> trace.steps().stream())
                .mapToLong(TraceFacts.StepDuration::step)
                .max()
                .orElse(-1);
        return incident.kind() == IncidentKind.HANG && last >= 0
                ? "after step " + Numbers.grouped(last) + ", the last that was recorded"
                : "an unknown step";
    }

    private String attempt(Incident incident) {
        return severalAttempts ? "attempt" + Numbers.GAP + incident.attempt() + ", " : "";
    }

    String cost(Incident incident) {
        Cost cost = incident.cost();
        if (!Double.isFinite(cost.stepRatio()) && !Double.isFinite(cost.gpuSeconds())) {
            return "unknown";
        }
        if (incident.firstStep() < 0 && cost.equals(Cost.NONE)) {
            return "unknown, for no step of it was recorded";
        }
        boolean over = incident.state() == IncidentState.RESOLVED;
        return (cost.upperBound() ? "at most " : "")
                + Numbers.percent(cost.stepRatio())
                + " of the job's time, "
                + Numbers.gpuTime(cost.gpuSeconds())
                + (over ? " lost" : " lost so far")
                + during(cost, over);
    }

    /** What it costs while it lasts: comparable, whenever it began. */
    private String during(Cost cost, boolean over) {
        if (!(cost.duringRatio() > 0)) {
            return "";
        }
        double gpus = cost.gpusLost(verdict.job().ranks());
        return "; while it " + (over ? "lasted " : "lasts ")
                + Numbers.percent(cost.duringRatio())
                + " of the step time"
                + (gpus > 0 && !over ? ", " + Numbers.three(gpus) + Numbers.GAP + "GPU-hours every hour" : "");
    }

    private String costInBrief(Cost cost) {
        return cost.stepRatio() > 0
                ? "; " + (cost.upperBound() ? "at most " : "") + Numbers.percent(cost.stepRatio())
                        + " of the job's time, " + Numbers.gpuTime(cost.gpuSeconds())
                : "";
    }

    static String confidence(Incident incident) {
        double probability = incident.confidence();
        String words = Words.confidence(probability);
        return Double.isFinite(probability) ? words + " (" + Numbers.probability(probability) + ")" : words;
    }

    static String seenBy(Incident incident) {
        String levels = Arrays.stream(Level.values())
                .filter(incident.levels()::contains)
                .map(Words::level)
                .collect(Collectors.joining(", "));
        return levels.isEmpty() ? "" : "; seen at " + levels;
    }

    static String listed(List<String> names, String separator) {
        String text = names.stream().limit(MOST_NAMES).map(SafeText::of).collect(Collectors.joining(separator));
        return names.size() > MOST_NAMES ? text + " and " + (names.size() - MOST_NAMES) + " more" : text;
    }

    static String groups(List<ParallelGroup> groups) {
        List<String> names = groups.stream()
                .map(group -> group.dimension() + " " + group.ranks())
                .toList();
        return listed(names, "; ");
    }
}
