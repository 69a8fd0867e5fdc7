package dev.argus.cli.json;

import dev.argus.cli.text.VerdictStatus;
import dev.argus.model.DataProblem;
import dev.argus.model.Incident;
import dev.argus.model.Topology;
import dev.argus.model.TraceFacts;
import dev.argus.model.Verdict;
import dev.argus.wire.json.IncidentJson;
import dev.argus.wire.json.JsonWriter;
import dev.argus.wire.json.Members;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes a verdict as {@code argus.verdict/1}; the schema is {@code docs/schema/verdict-1.schema.json}. Members and their order
 * never change within version 1; what is unknown is {@code null}, never 0 or -1.
 */
public final class VerdictJson {
    /** Name and version of the format. */
    public static final String SCHEMA = "argus.verdict/1";

    /** The document, its arrays and nothing below break lines: one line per trace and per incident. */
    private static final int BREAK_DEPTH = 2;

    private final JsonWriter json;

    private VerdictJson(JsonWriter json) {
        this.json = json;
    }

    /**
     * Writes the whole document and a line end.
     *
     * @param out where to; buffered if it should be fast
     * @param verdict the answer
     * @param failure why nothing could be analysed, or null when something was
     * @param explain lines about rules and thresholds, or null when nobody asked for them
     */
    public static void write(Appendable out, Verdict verdict, @Nullable String failure, @Nullable List<String> explain)
            throws IOException {
        JsonWriter json = new JsonWriter(out, BREAK_DEPTH);
        VerdictJson self = new VerdictJson(json);
        json.beginObject().name("schema").value(SCHEMA);
        json.name("analysed").value(failure == null);
        json.name("failure").value(failure);
        json.name("status").value(VerdictStatus.of(verdict, failure).text());
        self.job(verdict.job());
        json.name("traces").beginArray();
        for (TraceFacts trace : verdict.traces()) {
            self.trace(trace);
        }
        json.endArray();
        self.quality(verdict.quality());
        json.name("incidents").beginArray();
        for (Incident incident : verdict.incidents()) {
            new IncidentJson(json).write(incident);
        }
        json.endArray().name("observations").beginArray();
        for (Incident observation : verdict.observations()) {
            new IncidentJson(json).write(observation);
        }
        json.endArray();
        self.strings("notes", verdict.notes());
        json.name("unattributedRatio").value(failure == null ? verdict.unattributedRatio() : Double.NaN);
        ClockJson.write(json, verdict.clocks());
        if (explain != null) {
            self.strings("explain", explain);
        }
        json.endObject();
        out.append('\n');
    }

    private void job(Verdict.Job job) throws IOException {
        json.name("job").beginObject();
        json.name("ranks").value(job.ranks());
        positive("hosts", job.hosts());
        Members.steps(json, job.firstStep(), job.lastStep());
        Map<String, Integer> sizes = new LinkedHashMap<>();
        for (Topology.Dimension dimension : job.topology().dimensions()) {
            sizes.putIfAbsent(dimension.name(), dimension.size());
        }
        json.name("topology").beginObject();
        for (Map.Entry<String, Integer> size : sizes.entrySet()) {
            json.name(size.getKey()).value(size.getValue());
        }
        json.endObject();
        strings("order", List.copyOf(sizes.keySet()));
        json.name("topologySource").value(job.topology().source());
        positive("medianStepNanos", job.medianStepNanos());
        json.endObject();
    }

    private void trace(TraceFacts trace) throws IOException {
        json.beginObject();
        json.name("file").value(trace.file());
        json.name("format").value(trace.format());
        Members.natural(json, "rank", trace.rank());
        json.name("attempt").value(trace.attempt());
        json.name("host").value(trace.host().isEmpty() ? null : trace.host());
        json.name("kernels").value(trace.kernels());
        json.name("kernelNanos").value(trace.kernelNanos());
        json.name("commNanos").value(trace.commNanos());
        json.name("busyNanos").value(trace.busyNanos());
        json.name("steps").beginArray();
        for (TraceFacts.StepDuration step : trace.steps()) {
            json.beginArray().value(step.step()).value(step.nanos()).endArray();
        }
        json.endArray();
        json.name("firstEpochNanos").value(trace.firstEpochNanos());
        json.name("lastEpochNanos").value(trace.lastEpochNanos());
        json.name("quarantined").beginObject();
        for (Map.Entry<String, Long> reason : new TreeMap<>(trace.quarantined()).entrySet()) {
            json.name(reason.getKey()).value(reason.getValue());
        }
        json.endObject().endObject();
    }

    private void quality(Verdict.Quality quality) throws IOException {
        json.name("quality").beginObject();
        json.name("ranksExpected").value(quality.ranksExpected());
        json.name("ranksRead").value(quality.ranksRead());
        json.name("problems").beginArray();
        for (DataProblem problem : quality.problems()) {
            json.beginObject().name("kind").value(problem.kind());
            Members.ranks(json, problem.ranks());
            json.name("detail").value(problem.detail()).endObject();
        }
        json.endArray().endObject();
    }

    private void strings(String name, List<String> texts) throws IOException {
        Members.strings(json, name, texts);
    }

    private void positive(String name, long number) throws IOException {
        json.name(name);
        if (number > 0) {
            json.value(number);
        } else {
            json.nullValue();
        }
    }
}
