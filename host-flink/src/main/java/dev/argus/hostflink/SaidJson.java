package dev.argus.hostflink;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.JobCounts;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.StepOverview;
import dev.argus.hostlocal.live.StepOverview.Spread;
import dev.argus.model.RankSet;
import dev.argus.wire.json.IncidentJson;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What is said about a job, as one line of JSON each (docs/design/0019-flink.md has the members). */
final class SaidJson {
    /** Kernels of a step that are told, those that take most of its time. */
    private static final int MOST_KERNELS = 64;

    /** Names of kernels, reasons and notes are cut behind so many characters: a record has a bound whatever a trace says. */
    private static final int MOST_NAME = 200;

    private SaidJson() {}

    private interface Members {
        void write(JsonWriter json) throws IOException;
    }

    private static String document(
            String schema, String job, int attempt, long sinceNanos, long atNanos, Members members) {
        StringBuilder out = new StringBuilder(512);
        try {
            JsonWriter json = new JsonWriter(out, 0);
            json.beginObject().name("schema").value(schema);
            json.name("job").value(job);
            json.name("attempt").value(attempt);
            if (sinceNanos > 0) {
                json.name("watchedSinceEpochNanos").value(sinceNanos);
            }
            json.name("atEpochNanos").value(atNanos);
            members.write(json);
            json.endObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringBuilder does not throw
        }
        return out.toString();
    }

    /**
     * @param sinceNanos when the watch over the job began that says so
     * @param number of the changes of this watch, from 1, without a hole
     */
    static String change(String job, long sinceNanos, long number, IncidentChange change) {
        int attempt = change.incident().attempt();
        return document("argus.incident-change/1", job, attempt, sinceNanos, change.atNanos(), json -> {
            json.name("number").value(number);
            json.name("change").value(change.kind().name().toLowerCase(Locale.ROOT));
            if (!change.because().isEmpty()) {
                json.name("because").value(change.because());
            }
            json.name("incident");
            new IncidentJson(json).write(change.incident());
        });
    }

    /**
     * @param sinceNanos when the watch over the job began
     * @param lagNanos by how much the time of the job is behind that of the machine
     */
    static String metrics(String job, long sinceNanos, LiveJob live, JobCounts counts, long atNanos, long lagNanos) {
        return document("argus.metrics/1", job, live.attempt(), sinceNanos, atNanos, json -> {
            RankSet silent = live.silent();
            RankSet reporting = live.declared().minus(silent);
            json.name("ranksExpected").value(live.expected());
            json.name("ranksReporting").value(reporting.size());
            json.name("reportingRanks").value(reporting.toString());
            json.name("silentRanks").value(silent.toString());
            json.name("newestStep").value(live.newestStep());
            json.name("usualStepNanos").value(live.usualNanos());
            json.name("measuredNanos").value(Math.round(live.measuredNanos()));
            json.name("standing").value(live.standsStill());
            json.name("lostGpuSeconds").value(counts.lostGpuSeconds());
            json.name("losses").beginObject();
            Map<String, Long> losses = new TreeMap<>();
            counts.losses().forEach((reason, n) -> losses.merge(cut(reason), n, Long::sum));
            for (var loss : losses.entrySet()) {
                json.name(loss.getKey()).value(loss.getValue().longValue());
            }
            json.endObject();
            json.name("windowLagNanos").value(lagNanos);
            json.name("notes").beginArray();
            for (String note : live.notes()) {
                json.value(cut(note));
            }
            for (String note : namesNotes(counts.losses())) {
                json.value(note);
            }
            json.endArray();
        });
    }

    private static List<String> namesNotes(Map<String, Long> losses) {
        List<String> notes = new ArrayList<>();
        long many = losses.getOrDefault("names-too-many", 0L);
        long forgotten = losses.getOrDefault("names-forgotten", 0L);
        if (many > 0) {
            notes.add(
                    many + " frames were left out: the job has more names than are kept, and they bring further ones");
        }
        if (forgotten > 0) {
            notes.add(forgotten
                    + " names that nobody used any more were forgotten, and the diagnosis began anew with it");
        }
        return notes;
    }

    static String step(String job, LiveJob live, long atNanos, StepOverview step) {
        return document("argus.steps/1", job, live.attempt(), 0, atNanos, json -> {
            json.name("step").value(step.step());
            json.name("startEpochNanos").value(step.startNanos());
            json.name("length");
            spread(json, step.length());
            json.name("phases").beginArray();
            for (StepOverview.PhaseSpread p : step.phases()) {
                json.beginObject().name("phase").value(p.phase().name().toLowerCase(Locale.ROOT));
                json.name("span");
                spread(json, p.span());
                json.endObject();
            }
            json.endArray().name("kernels").beginArray();
            List<StepOverview.KernelSpread> most = step.kernels()
                    .subList(0, Math.min(MOST_KERNELS, step.kernels().size()));
            for (StepOverview.KernelSpread k : most) {
                json.beginObject().name("kernel").value(cut(live.names().name(k.kernel())));
                json.name("count").value(k.count());
                json.name("sumNanos").value(k.sumNanos());
                json.name("mean");
                spread(json, k.mean());
                json.endObject();
            }
            json.endArray();
        });
    }

    private static String cut(String name) {
        return name.length() <= MOST_NAME
                ? name
                : name.substring(0, name.offsetByCodePoints(0, name.codePointCount(0, MOST_NAME) - 1)) + "\u2026";
    }

    private static void spread(JsonWriter json, Spread s) throws IOException {
        json.beginObject().name("medianNanos").value(s.medianNanos());
        json.name("maxNanos").value(s.maxNanos());
        json.name("maxRank").value(s.maxRank());
        json.name("ranks").value(s.ranks()).endObject();
    }
}
