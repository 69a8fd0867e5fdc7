package dev.argus.cli.html;

import dev.argus.cli.text.VerdictWords;
import dev.argus.hostlocal.report.AttemptReport;
import dev.argus.hostlocal.report.ReportData;
import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import dev.argus.model.Verdict;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes all that the page shows as one JSON value. It belongs to the page and to nobody else: programs read {@code argus.verdict/1}. Names are cut and
 * escaped as in text, for people read them here.
 */
final class PageJson {
    private static final int MOST_INCIDENTS = 40;
    private static final int MOST_ROWS = 20;
    private static final int MOST_TEXT = 400;
    private static final int MOST_GROUPS = 8;
    private static final int MOST_MEMBERS = 256;

    private final JsonWriter json;
    private final VerdictWords words;

    private PageJson(JsonWriter json, VerdictWords words) {
        this.json = json;
        this.words = words;
    }

    static void write(
            Appendable to,
            Verdict verdict,
            @Nullable String failure,
            @Nullable List<String> explain,
            @Nullable ReportData report)
            throws IOException {
        VerdictWords words = new VerdictWords(verdict, failure);
        JsonWriter json = new JsonWriter(to, 0);
        PageJson self = new PageJson(json, words);
        json.beginObject();
        json.name("tone").value(words.tone().name().toLowerCase(Locale.ROOT));
        json.name("headline").value(words.headline());
        json.name("sentence").value(words.sentence());
        self.fields("about", words.about());
        self.incidents("incidents", verdict.incidents());
        self.incidents("observations", verdict.observations());
        json.name("analysed").value(failure == null);
        json.name("unattributed").value(failure == null ? verdict.unattributedRatio() : Double.NaN);
        self.strings("checked", words.checked());
        self.strings("problems", words.problems());
        self.strings(
                "explain",
                explain == null
                        ? List.of()
                        : explain.stream().map(SafeText::sentence).toList());
        self.strings("looked", report == null ? List.of() : VerdictWords.looked(verdict, report));
        json.name("attempts").beginArray();
        if (report != null) {
            for (AttemptReport attempt : report.attempts()) {
                new AttemptJson(json).write(attempt);
            }
        }
        json.endArray();
        json.name("attemptsLeftOut").value(report == null ? 0 : report.attemptsLeftOut());
        json.endObject();
    }

    private void incidents(String name, List<Incident> incidents) throws IOException {
        json.name(name).beginArray();
        for (Incident incident : incidents.subList(0, Math.min(MOST_INCIDENTS, incidents.size()))) {
            incident(incident);
        }
        json.endArray();
        json.name(name + "LeftOut").value(Math.max(0, incidents.size() - MOST_INCIDENTS));
    }

    private void incident(Incident incident) throws IOException {
        json.beginObject().name("id").value(SafeText.of(incident.id()));
        json.name("kind").value(incident.kind().text());
        json.name("meaning").value(VerdictWords.meaning(incident));
        json.name("severity").value(incident.severity().text());
        json.name("who").value(VerdictWords.shortName(incident));
        json.name("attempt").value(incident.attempt());
        json.name("first").value(incident.firstStep()).name("last").value(incident.lastStep());
        json.name("costRatio").value(incident.cost().stepRatio());
        json.name("gpuSeconds").value(incident.cost().gpuSeconds());
        json.name("atMost").value(incident.cost().upperBound());
        json.name("summary").value(SafeText.sentence(incident.summary()));
        json.name("explanation").value(SafeText.sentence(incident.explanation()));
        members(incident);
        fields("fields", words.fields(incident));
        fields("concerned", words.concerned(incident));
        List<Evidence> evidence = incident.evidence();
        json.name("evidence").beginArray();
        for (Evidence row : evidence.subList(0, Math.min(MOST_ROWS, evidence.size()))) {
            evidence(row);
        }
        json.endArray().name("evidenceLeftOut").value(Math.max(0, evidence.size() - MOST_ROWS));
        json.endObject();
    }

    /** Of a hang the groups that wait, and who is waited for in them. */
    private void members(Incident incident) throws IOException {
        json.name("members").beginArray();
        if (incident.kind() == IncidentKind.HANG) {
            for (ParallelGroup group : incident.groups()
                    .subList(0, Math.min(MOST_GROUPS, incident.groups().size()))) {
                json.beginArray().value(SafeText.of(group.dimension(), 64)).beginArray();
                // those waited for first, so that none is cut off
                RankSet accused = group.ranks().intersect(incident.ranks());
                RankSet shown = RankSet.of(IntStream.concat(accused.stream(), group.ranks().minus(accused).stream())
                        .limit(MOST_MEMBERS));
                for (int rank : shown.toArray()) {
                    json.value(rank);
                }
                json.endArray().value(group.ranks().size() - shown.size()).endArray();
            }
        }
        json.endArray().name("accused").beginArray();
        for (int rank : incident.kind() == IncidentKind.HANG ? incident.ranks().toArray() : new int[0]) {
            json.value(rank);
        }
        json.endArray();
    }

    private void evidence(Evidence row) throws IOException {
        json.beginObject().name("what").value(SafeText.of(row.what(), MOST_TEXT));
        json.name("value").value(row.value()).name("valueText").value(VerdictWords.withUnit(row.value(), row));
        json.name("reference").value(SafeText.of(row.reference(), MOST_TEXT));
        json.name("threshold").value(row.threshold());
        json.name("thresholdText")
                .value(Double.isFinite(row.threshold()) ? VerdictWords.withUnit(row.threshold(), row) : "");
        json.name("isRatio").value(row.unit().equals("x")).endObject();
    }

    private void fields(String name, List<VerdictWords.Field> fields) throws IOException {
        json.name(name).beginArray();
        for (VerdictWords.Field field : fields) {
            json.beginArray().value(field.label()).value(field.text()).endArray();
        }
        json.endArray();
    }

    private void strings(String name, List<String> texts) throws IOException {
        json.name(name).beginArray();
        for (String text : texts) {
            json.value(text);
        }
        json.endArray();
    }
}
