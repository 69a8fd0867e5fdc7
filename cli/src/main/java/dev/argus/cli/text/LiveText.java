package dev.argus.cli.text;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.model.SafeText;
import dev.argus.model.Topology;
import dev.argus.model.Verdict;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator reads when an incident of a job that goes on opens, changes or ends. Safe to print whatever the names are. */
public final class LiveText {
    private static final Verdict NO_TRACES = new Verdict(
            new Verdict.Job(0, 0, -1, -1, Topology.UNKNOWN, 0),
            List.of(),
            new Verdict.Quality(0, 0, List.of()),
            List.of(),
            List.of(),
            List.of(),
            0);

    private LiveText() {}

    /**
     * One change: a headline; of what begins or becomes something else, also who, why and what to do.
     *
     * @param excerpt where the timeline of it will lie, or null
     */
    public static String change(String job, IncidentChange change, @Nullable Path excerpt, Look look) {
        Page page = new Page(look);
        Incident i = change.incident();
        String where = job.isEmpty() ? "" : "job " + SafeText.of(job, 80) + ": ";
        Look.Ink ink = over(change) ? Look.Ink.GOOD : IncidentText.ink(i);
        page.headline(
                ink,
                Numbers.utc(change.atNanos()) + " " + change.kind().name() + " " + where
                        + SafeText.sentence(i.summary())
                        + (change.because().isEmpty() ? "" : " (" + SafeText.sentence(change.because()) + ")"));
        if (over(change)) {
            return page.text();
        }
        IncidentText text = new IncidentText(page, NO_TRACES);
        text.fields(i);
        text.reasons(i);
        if (excerpt != null) {
            page.field("timeline", SafeText.of(excerpt.toString(), 1000));
        }
        page.blank();
        return page.text();
    }

    private static boolean over(IncidentChange change) {
        return change.kind() == IncidentChange.Kind.RESOLVED
                || change.kind() == IncidentChange.Kind.WITHDRAWN
                || change.kind() == IncidentChange.Kind.ENDED;
    }
}
