package dev.argus.cli.text;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.SafeText;
import dev.argus.model.Verdict;
import java.util.List;

/** The card on top: is something wrong, what does it cost, do I believe it, what do I do. */
final class CardText {
    private final Page page;
    private final Verdict verdict;

    CardText(Page page, Verdict verdict) {
        this.page = page;
        this.verdict = verdict;
    }

    /** The job is slow: the costliest incident. */
    void slow() {
        Incident worst = verdict.incidents().getFirst();
        page.headline(IncidentText.ink(worst), slowHeadline(worst));
        page.blank();
        page.paragraph(2, SafeText.sentence(worst.summary()));
        page.blank();
        new IncidentText(page, verdict).fields(worst);
        about();
    }

    /** No incident. */
    void healthy() {
        if (DataText.nothingToCompare(verdict)) {
            page.headline(Look.Ink.WARN, "CANNOT BE JUDGED: there is nothing to compare with");
            page.blank();
            String more = DataText.hasGaps(verdict) ? "; see the data quality below." : ".";
            page.paragraph(2, "One rank or one step alone does not show who is slow" + more);
        } else if (DataText.hasGaps(verdict)) {
            page.headline(Look.Ink.WARN, "NO INCIDENT FOUND, but not everything could be checked");
            page.blank();
            page.paragraph(2, "No fault stands out in the data that could be read; see what is missing below.");
        } else {
            boolean explained = !verdict.observations().isEmpty();
            page.headline(Look.Ink.GOOD, explained ? "OK: nothing to act on" : "OK: nothing slows this job down");
            page.blank();
            page.paragraph(
                    2,
                    explained
                            ? "No fault was found. What makes steps longer is no incident; see the observations below."
                            : "No fault was found: no rank, host, link or phase stands out.");
        }
        page.blank();
        about();
        if (DataText.hasChecks(verdict)) {
            page.blank();
            page.paragraph(2, "What was checked, and what could not be:");
            DataText.checked(page, verdict);
        }
    }

    /** Nothing analysed: must never look like health. */
    void notAnalysed(String failure) {
        page.headline(Look.Ink.BAD, "NOT ANALYSED: nothing can be said about this job");
        page.blank();
        page.paragraph(2, SafeText.sentence(failure));
        page.paragraph(2, "This is neither a good nor a bad sign: the job may be slow or not.");
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

    private String slowHeadline(Incident worst) {
        String who = Suspect.shortName(worst);
        boolean many = who.startsWith("ranks ") || who.startsWith("the GPUs ");
        double ratio = worst.cost().stepRatio();
        String text;
        if (worst.kind() == IncidentKind.HANG) {
            text = "HANGING: " + who + (many ? " make" : " makes") + " no progress";
        } else if (ratio > 0) {
            text = "SLOW: " + who + (many ? " cost" : " costs") + " this job " + Numbers.percent(ratio)
                    + " of its time";
        } else {
            text = "SLOW: " + who + (many ? " slow" : " slows") + " this job down";
        }
        return text + others();
    }

    private String others() {
        List<Incident> all = verdict.incidents();
        if (all.size() == 1) {
            return "";
        }
        double sum = all.stream().mapToDouble(i -> i.cost().stepRatio()).sum();
        String count = Numbers.count(all.size(), "incident");
        return sum > 0 ? "; " + count + " cost " + Numbers.percent(sum) + " together" : "; " + count;
    }
}
