package dev.argus.cli.text;

import dev.argus.model.Incident;
import dev.argus.model.SafeText;
import dev.argus.model.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report for a terminal. On top one card that answers everything at a glance; below it further incidents, the proof,
 * observations, data quality, and what was checked. Every line is safe to print whatever the traces hold.
 */
public final class TextReport {
    private static final int MOST_INCIDENTS = 20;
    private static final int MOST_OBSERVATIONS = 12;

    private final Page page;
    private final Verdict verdict;
    private final IncidentText text;

    private TextReport(Page page, Verdict verdict) {
        this.page = page;
        this.verdict = verdict;
        this.text = new IncidentText(page, verdict);
    }

    /**
     * Writes the whole report.
     *
     * @param verdict the answer
     * @param failure why nothing could be analysed, or null when something was
     * @param explain lines about rules and thresholds, or null when nobody asked for them
     * @param look width and colours
     */
    public static String render(Verdict verdict, @Nullable String failure, @Nullable List<String> explain, Look look) {
        TextReport report = new TextReport(new Page(look), verdict);
        report.card(failure);
        report.details(failure);
        if (explain != null) {
            report.explain(explain);
        }
        return report.page.text();
    }

    private void card(@Nullable String failure) {
        CardText card = new CardText(page, verdict);
        page.rule();
        if (failure != null) {
            card.notAnalysed(failure);
        } else if (verdict.incidents().isEmpty()) {
            card.healthy();
        } else {
            card.slow();
        }
        page.rule();
    }

    private void details(@Nullable String failure) {
        List<Incident> incidents = verdict.incidents();
        boolean slow = failure == null && !incidents.isEmpty();
        if (slow) {
            further(incidents.subList(1, incidents.size()));
            text.proof(incidents.getFirst());
        }
        observations();
        DataText.quality(page, verdict);
        if ((slow || failure != null) && DataText.hasChecks(verdict)) {
            page.heading("What was checked, and what could not be");
            DataText.checked(page, verdict);
        }
    }

    private void further(List<Incident> others) {
        if (others.isEmpty()) {
            return;
        }
        page.heading(Numbers.count(others.size(), "more incident"));
        others.stream().limit(MOST_INCIDENTS).forEach(text::further);
        andMore(others.size(), MOST_INCIDENTS);
    }

    private void observations() {
        List<Incident> observations = verdict.observations();
        if (observations.isEmpty()) {
            return;
        }
        page.heading("Observations: explain slowness, are no incidents");
        observations.stream().limit(MOST_OBSERVATIONS).forEach(text::observation);
        andMore(observations.size(), MOST_OBSERVATIONS);
    }

    private void andMore(int size, int shown) {
        if (size > shown) {
            page.bullet("and " + (size - shown) + " more; --format json has them all");
        }
    }

    private void explain(List<String> lines) {
        page.heading("Rules and thresholds");
        for (String line : lines) {
            page.paragraph(2, SafeText.sentence(line));
        }
        if (lines.isEmpty()) {
            page.paragraph(2, "No rule had anything to say.");
        }
    }
}
