package dev.argus.cli.text;

import dev.argus.hostlocal.report.AttemptReport;
import dev.argus.hostlocal.report.ReportData;
import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.SafeText;
import dev.argus.model.Severity;
import dev.argus.model.TraceFacts;
import dev.argus.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sentences of the report for other forms than a terminal: the same words, without lines and columns. Every text passed
 * {@link SafeText}: no control or bidirectional characters, bounded length. Escaping for the form is the form's own matter.
 */
public final class VerdictWords {
    /** Sentences of one list. */
    private static final int MOST_LINES = 200;

    private final Verdict verdict;
    private final @Nullable String failure;
    private final IncidentText text;

    /**
     * A label and its text.
     *
     * @param label a word or two
     * @param text what is said
     */
    public record Field(String label, String text) {}

    /** How bad the news is. */
    public enum Tone {
        /** Somebody should act now, or nothing could be read. */
        BAD,
        /** Somebody should act, or not everything could be checked. */
        WARN,
        /** All was checked and nothing found. */
        GOOD
    }

    /**
     * The words about a verdict.
     *
     * @param verdict the answer
     * @param failure why nothing could be analysed, or null when something was
     */
    public VerdictWords(Verdict verdict, @Nullable String failure) {
        this.verdict = verdict;
        this.failure = failure;
        this.text = new IncidentText(new Page(Look.PLAIN), verdict);
    }

    /** How bad the news is. */
    public Tone tone() {
        if (failure != null) {
            return Tone.BAD;
        }
        if (verdict.incidents().isEmpty()) {
            return CardText.isGood(verdict) ? Tone.GOOD : Tone.WARN;
        }
        boolean critical = verdict.incidents().getFirst().severity().level() >= Severity.CRITICAL.level();
        return critical ? Tone.BAD : Tone.WARN;
    }

    /** The headline of the card. */
    public String headline() {
        if (failure != null) {
            return CardText.NOT_ANALYSED;
        }
        return verdict.incidents().isEmpty() ? CardText.healthyHeadline(verdict) : CardText.slowHeadline(verdict);
    }

    /** The sentence of the card. */
    public String sentence() {
        if (failure != null) {
            return SafeText.sentence(failure) + " " + CardText.NO_SIGN;
        }
        return verdict.incidents().isEmpty()
                ? CardText.healthySentence(verdict)
                : SafeText.sentence(verdict.incidents().getFirst().summary());
    }

    /** What the data covers, and what the job is. */
    public List<Field> about() {
        List<Field> fields = new ArrayList<>();
        fields.add(new Field("Coverage", DataText.coverage(verdict)));
        fields.add(new Field("Job", DataText.job(verdict.job())));
        DataText.warnings(verdict).forEach(line -> fields.add(new Field("But", line)));
        return fields;
    }

    /** Who, what, since when, cost, confidence, what to do. */
    public List<Field> fields(Incident incident) {
        return List.of(
                new Field("Who", Suspect.fullName(incident)),
                new Field("What", IncidentText.what(incident)),
                new Field("Since", text.since(incident)),
                new Field("Cost", text.cost(incident)),
                new Field("Confidence", IncidentText.confidence(incident) + IncidentText.seenBy(incident)),
                new Field("What to do", SafeText.sentence(incident.advice())));
    }

    /** Kernels and groups concerned, where there are any. */
    public List<Field> concerned(Incident incident) {
        List<Field> fields = new ArrayList<>();
        if (!incident.kernels().isEmpty()) {
            fields.add(new Field("Kernels", IncidentText.listed(incident.kernels(), ", ")));
        }
        if (!incident.groups().isEmpty()) {
            fields.add(new Field("Groups", IncidentText.groups(incident.groups())));
        }
        return fields;
    }

    /** In as few words as identify it: {@code rank 37}, {@code host n17 (ranks 0-7)}. */
    public static String shortName(Incident incident) {
        return Suspect.shortName(incident);
    }

    /** A value of a row of proof, with its unit. */
    public static String withUnit(double value, Evidence row) {
        return Numbers.withUnit(value, SafeText.of(row.unit(), 12));
    }

    /** What a kind means, in a few plain words. */
    public static String meaning(Incident incident) {
        return Words.kind(incident);
    }

    /** What was checked, and what could not be. */
    public List<String> checked() {
        return Stream.concat(verdict.notes().stream().map(SafeText::sentence), DataText.unattributed(verdict).stream())
                .limit(MOST_LINES)
                .toList();
    }

    /** What is wrong with the data. */
    public List<String> problems() {
        return Stream.concat(DataText.problems(verdict).stream(), DataText.quarantined(verdict.traces()).stream())
                .limit(MOST_LINES)
                .toList();
    }

    /** What the detectors had before them in the newest attempt, level by level, and what was not there to compare. */
    public static List<String> looked(Verdict verdict, ReportData report) {
        if (report.attempts().isEmpty()) {
            return List.of("Steps, ranks and kernels: not checked, for no file has events.");
        }
        AttemptReport newest = report.attempts().getLast();
        long steps = (long) newest.steps().steps().length * newest.steps().stepsPerPoint();
        List<String> lines = new ArrayList<>();
        lines.add("L1: " + (newest.steps().stepsPerPoint() > 1 ? "about " : "") + Numbers.count(steps, "step")
                + " of the job, start to start.");
        int sets = newest.peerLabels().size();
        lines.add("L2: own time of each rank against the ranks that do the same work: "
                + (sets == 1 ? SafeText.of(newest.peerLabels().getFirst()) : Numbers.count(sets, "set") + " of peers")
                + ".");
        lines.add(
                newest.waits().totalNanos() > 0
                        ? "Ledger: who came last in each collective, and who waited for it."
                        : "Ledger: not checked, or nobody waited: no waits could be matched across ranks.");
        long kernels = verdict.traces().stream().mapToLong(TraceFacts::kernels).sum();
        lines.add(
                kernels > 0
                        ? "L3: " + Numbers.count(kernels, "GPU kernel") + " as distributions, against the peers'."
                        : "L3: not checked, for the traces have no GPU kernels.");
        lines.add(
                "What the traces do not hold, such as clocks, temperatures and CPU stacks, is known only from files beside them"
                        + " that are named here.");
        return lines;
    }
}
