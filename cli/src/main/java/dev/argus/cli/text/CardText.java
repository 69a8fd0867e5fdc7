package dev.argus.cli.text;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.SafeText;
import dev.argus.model.Scope;
import dev.argus.model.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The card on top: is something wrong, what does it cost, do I believe it, what do I do. */
final class CardText {
    /** The headline where nothing could be read. */
    static final String NOT_ANALYSED = "NOT ANALYSED: nothing can be said about this job";

    /** What that means. */
    static final String NO_SIGN = "This is neither a good nor a bad sign: the job may be slow or not.";

    /** From this share of the time on, a job that loses it for no known reason is not called fine. */
    private static final double MUCH_UNEXPLAINED = 0.05;

    /** From this share of the time on, what is no fault is told in the headline. */
    private static final double MUCH_OBSERVED = 0.05;

    /** Regular pauses that take less are told below. */
    private static final double WORTH_A_HEADLINE = 0.01;

    private final Page page;
    private final Verdict verdict;

    CardText(Page page, Verdict verdict) {
        this.page = page;
        this.verdict = verdict;
    }

    /** The job is slow: the costliest incident. */
    void slow() {
        Incident worst = verdict.incidents().getFirst();
        page.headline(IncidentText.ink(worst), slowHeadline(verdict));
        page.blank();
        page.paragraph(2, SafeText.sentence(worst.summary()));
        warnings();
        page.blank();
        new IncidentText(page, verdict).fields(worst);
        about();
    }

    /** No incident. */
    void healthy() {
        page.headline(isGood(verdict) ? Look.Ink.GOOD : Look.Ink.WARN, healthyHeadline(verdict));
        page.blank();
        page.paragraph(2, healthySentence(verdict));
        warnings();
        page.blank();
        about();
        if (DataText.hasChecks(verdict)) {
            page.blank();
            page.paragraph(2, "What was checked, and what could not be:");
            DataText.checked(page, verdict);
        }
    }

    private void warnings() {
        DataText.warnings(verdict).forEach(line -> page.paragraph(2, "But: " + line));
    }

    /** True if all that could go wrong was looked at, and nothing did. */
    static boolean isGood(Verdict verdict) {
        return !DataText.nothingToCompare(verdict)
                && !DataText.hasGaps(verdict)
                && verdict.openCollectives() == null
                && unexplained(verdict) < MUCH_UNEXPLAINED;
    }

    /** True if no fault was found and much time was lost all the same. */
    static boolean isSlowWithoutFault(Verdict verdict) {
        return unexplained(verdict) >= MUCH_UNEXPLAINED || costly(verdict) != null;
    }

    /** Share of the time that was lost in ways that nothing recorded explains, 0..1: long steps that come without a rhythm, less what other observations say of them. */
    private static double unexplained(Verdict verdict) {
        double longSteps = 0;
        for (Incident o : verdict.observations()) {
            if (o.everySteps() < 0) {
                longSteps += o.kind() == IncidentKind.TRANSIENT
                        ? o.cost().stepRatio()
                        : -o.cost().stepRatio();
            }
        }
        return Math.min(1, Math.max(0, longSteps) + verdict.unattributedRatio());
    }

    /** Pauses of all ranks that come as regularly as what a job does on purpose, the costliest if they are worth a headline; null if there are none. */
    private static @Nullable Incident regular(Verdict verdict) {
        return verdict.observations().stream()
                .filter(o -> o.everySteps() > 0 && o.cost().stepRatio() >= WORTH_A_HEADLINE)
                .max(Comparator.comparingDouble(o -> o.cost().stepRatio()))
                .orElse(null);
    }

    /** What is no fault and takes much all the same, the costliest; null if there is none. */
    private static @Nullable Incident costly(Verdict verdict) {
        return verdict.observations().stream()
                .filter(o -> o.kind() != IncidentKind.TRANSIENT || o.everySteps() > 0)
                .filter(o -> o.cost().stepRatio() >= MUCH_OBSERVED)
                .max(Comparator.comparingDouble(o -> o.cost().stepRatio()))
                .orElse(null);
    }

    /** What it is, in plain words. */
    private static String lostTo(Incident observation) {
        return switch (observation.kind()) {
            case STAGE_IMBALANCE -> "uneven stages";
            case CHECKPOINT -> "checkpoints";
            case EVALUATION -> "evaluations";
            case WARMUP -> "warming up";
            case WORKLOAD_IMBALANCE, EXPERT_IMBALANCE -> "uneven work";
            case SEQUENCE_LENGTH_VARIATION -> "sequences of different lengths";
            case RANK_ASYMMETRY -> "ranks that work differently";
            case HETEROGENEOUS_HARDWARE -> "different hardware";
            default -> "what stands out most, " + Suspect.shortName(observation);
        };
    }

    private static boolean writesCheckpoints(Verdict verdict) {
        return verdict.observations().stream().anyMatch(o -> o.kind() == IncidentKind.CHECKPOINT);
    }

    /** The headline of a job without incidents. */
    static String healthyHeadline(Verdict verdict) {
        if (verdict.openCollectives() != null) {
            return "NOBODY IS MISSING, but collectives are open that all of their members have called";
        }
        if (DataText.withoutTimelines(verdict)) {
            return "CANNOT BE JUDGED: no file has a timeline"
                    + verdict.observations().stream()
                            .findFirst()
                            .map(o -> "; " + Suspect.shortName(o) + " stands out")
                            .orElse("");
        }
        if (DataText.isLog(verdict)) {
            return "NO INCIDENT FOUND in the steps of a log; ranks cannot be judged from it";
        }
        if (DataText.nothingToCompare(verdict)) {
            return "CANNOT BE JUDGED: there is nothing to compare with";
        }
        if (DataText.hasGaps(verdict)) {
            return "NO INCIDENT FOUND, but not everything could be checked";
        }
        if (unexplained(verdict) >= MUCH_UNEXPLAINED) {
            return "NO FAULT FOUND, but " + Numbers.percent(unexplained(verdict), 2)
                    + " of the time was lost and nothing recorded says why";
        }
        Incident pause = regular(verdict);
        if (pause != null) {
            return "OK: no fault; all ranks pause at once every " + Numbers.grouped(pause.everySteps())
                    + " steps, which takes " + Numbers.percent(pause.cost().stepRatio(), 2) + " of the time";
        }
        Incident costly = costly(verdict);
        if (costly != null) {
            return "NO FAULT FOUND; " + most(costly)
                    + Numbers.percent(costly.cost().stepRatio())
                    + " of the time lost to " + lostTo(costly);
        }
        return verdict.observations().isEmpty() ? "OK: nothing slows this job down" : "OK: nothing to act on";
    }

    /** The sentence below that headline. */
    static String healthySentence(Verdict verdict) {
        String open = verdict.openCollectives();
        if (open != null) {
            return "If this job stands still, the transfer itself is stuck: look at its network and at the kernel log of its hosts."
                    + " If it runs, the dumps show one moment of it, and this is nothing. "
                    + SafeText.sentence(open.substring(0, 1).toUpperCase(Locale.ROOT) + open.substring(1)) + ".";
        }
        if (DataText.withoutTimelines(verdict)) {
            return verdict.observations().isEmpty()
                    ? "Whether this job is slow, and why, only traces can tell. What these files do tell stands below."
                    : SafeText.sentence(verdict.observations().getFirst().summary())
                            + " Whether this job is slow, only traces can tell.";
        }
        if (DataText.isLog(verdict)) {
            return "The job's steps show no fault that began while they were recorded; who is slow, and why, only traces can"
                    + " tell.";
        }
        if (DataText.nothingToCompare(verdict)) {
            return "One rank or one step alone does not show who is slow"
                    + (DataText.hasGaps(verdict) ? "; see the data quality below." : ".");
        }
        if (DataText.hasGaps(verdict)) {
            return "No fault stands out in the data that could be read; see what is missing below.";
        }
        if (unexplained(verdict) >= MUCH_UNEXPLAINED) {
            return "Some steps are longer than the others for all ranks alike. CPU stacks or the host's own log of those moments"
                    + " would tell what everybody waited for.";
        }
        if (regular(verdict) != null) {
            return "No fault was found. Pauses as regular as these are what a job does on purpose, such as writing checkpoints; "
                    + (writesCheckpoints(verdict)
                            ? "checkpoints were written in this time, see the observations below."
                            : "nothing in the data marks them as that.")
                    + " Whether they are worth their time, whoever runs the job knows.";
        }
        return verdict.observations().isEmpty()
                ? "No fault was found: no rank, host, link or phase stands out."
                : "No fault was found. What makes steps longer is no incident; see the observations below.";
    }

    /** Nothing analysed: must never look like health. */
    void notAnalysed(String failure) {
        page.headline(Look.Ink.BAD, NOT_ANALYSED);
        page.blank();
        page.paragraph(2, SafeText.sentence(failure));
        page.paragraph(2, NO_SIGN);
        if (!verdict.traces().isEmpty()) {
            page.blank();
            page.field(
                    "Files",
                    Numbers.count(verdict.traces().size(), "file") + " looked at; " + DataText.coverage(verdict));
        }
    }

    private void about() {
        page.field("Coverage", DataText.coverage(verdict));
        page.field("Job", DataText.job(verdict.job()));
    }

    /** The headline of a job with incidents. */
    static String slowHeadline(Verdict verdict) {
        Incident worst = verdict.incidents().getFirst();
        String who = Suspect.shortName(worst);
        boolean many = who.startsWith("ranks ") || who.startsWith("hosts ") || who.startsWith("the GPUs ");
        boolean all = worst.scope() == Scope.JOB;
        double ratio = worst.cost().stepRatio();
        String text;
        if (worst.kind() == IncidentKind.HANG) {
            text = "HANGING: " + who + (many ? " make" : " makes") + " no progress";
        } else if (all) {
            text = "SLOW: the whole job"
                    + (ratio > 0 ? " loses " + most(worst) + Numbers.percent(ratio) + " of its time" : "");
        } else if (ratio > 0) {
            text = "SLOW: " + who + (many ? " cost" : " costs") + " this job " + most(worst) + Numbers.percent(ratio)
                    + " of its time";
        } else {
            text = "SLOW: " + who + (many ? " slow" : " slows") + " this job down";
        }
        return text + others(verdict);
    }

    private static String most(Incident incident) {
        return incident.cost().upperBound() ? "at most " : "";
    }

    private static String others(Verdict verdict) {
        List<Incident> all = verdict.incidents();
        if (all.size() == 1) {
            return "";
        }
        double sum = all.stream().mapToDouble(i -> i.cost().stepRatio()).sum();
        String count = Numbers.count(all.size(), "incident");
        return sum > 0
                ? "; " + count + " cost " + (all.stream().anyMatch(i -> i.cost().upperBound()) ? "at most " : "")
                        + Numbers.percent(sum) + " together"
                : "; " + count;
    }
}
