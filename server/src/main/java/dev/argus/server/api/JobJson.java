package dev.argus.server.api;

import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import dev.argus.wire.json.IncidentJson;
import dev.argus.wire.json.JsonWriter;
import dev.argus.wire.json.Members;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Jobs as JSON. */
final class JobJson {
    private JobJson() {}

    /** A job that is watched, in short. */
    static void summary(JsonWriter json, JobView job) throws IOException {
        json.beginObject();
        summaryMembers(json, job);
        json.endObject();
    }

    private static void summaryMembers(JsonWriter json, JobView job) throws IOException {
        JobShape shape = job.shape();
        json.name("job").value(job.job());
        json.name("live").value(true);
        Members.natural(json, "attempt", job.attempt());
        json.name("ranks").value(job.expected());
        json.name("reporting").value(job.reporting().size());
        json.name("silent").value(job.silent().size());
        Members.natural(json, "hosts", shape == null ? -1 : shape.hostCount());
        json.name("topology").value(shape == null ? "" : shape.shownTopology().text());
        Members.natural(json, "newestStep", job.newestStep());
        Members.natural(json, "usualNanos", job.usualNanos() == 0 ? -1 : job.usualNanos());
        Rows.Step last = job.last();
        Members.natural(json, "lastNanos", last == null ? -1 : last.medianNanos());
        json.name("standing").value(job.standing());
        json.name("ended").value(job.ended());
        json.name("gone").value(job.gone().ranks().size());
        json.name("ending").value(job.gone().how().isEmpty() ? null : job.gone().how());
        json.name("saidEnd").value(job.gone().said());
        json.name("lagNanos").value(job.lagNanos());
        Members.natural(json, "firstEpochNanos", job.firstNanos());
        Members.natural(json, "heardEpochNanos", job.heardNanos());
        json.name("incidents")
                .value(job.incidents().stream().filter(JobJson::lasts).count());
        json.name("lostGpuSeconds").value(job.lostGpuSeconds());
    }

    /** True if an incident is not over. */
    static boolean lasts(Incident incident) {
        return incident.state() != IncidentState.RESOLVED;
    }

    /** A job of which only rows are left, in short. */
    static void summary(JsonWriter json, Rows.Job job) throws IOException {
        json.beginObject();
        summaryMembers(json, job);
        json.endObject();
    }

    private static void summaryMembers(JsonWriter json, Rows.Job job) throws IOException {
        json.name("job").value(job.job());
        json.name("live").value(false);
        Members.natural(json, "attempt", job.attempt());
        json.name("ranks").value(Math.max(0, job.worldSize()));
        json.name("reporting").value(0);
        json.name("silent").value(0);
        Members.natural(json, "hosts", job.hosts());
        json.name("topology").value(job.topology());
        json.name("newestStep").nullValue();
        json.name("usualNanos").nullValue();
        json.name("lastNanos").nullValue();
        json.name("standing").value(false);
        json.name("ended").nullValue();
        json.name("gone").value(0);
        json.name("ending").nullValue();
        json.name("saidEnd").value(false);
        json.name("lagNanos").value(0);
        Members.natural(json, "firstEpochNanos", job.firstNanos());
        Members.natural(json, "heardEpochNanos", job.lastNanos());
        json.name("incidents").value(0);
        json.name("lostGpuSeconds").nullValue();
    }

    /**
     * All that is known of a job.
     *
     * @param job the job, or null when it is not watched any more
     * @param attempts its attempts, newest first; not empty when the job is null
     */
    static void detail(JsonWriter json, @Nullable JobView job, List<Rows.Job> attempts) throws IOException {
        json.beginObject();
        if (job == null) {
            summaryMembers(json, attempts.getFirst());
        } else {
            summaryMembers(json, job);
        }
        json.name("attempts").beginArray();
        for (Rows.Job attempt : attempts) {
            RowJson.attempt(json, attempt);
        }
        json.endArray();
        json.name("measuredNanos").value(job == null ? Double.NaN : job.measuredNanos());
        json.name("reportingRanks").value(job == null ? "" : job.reporting().toString());
        json.name("silentRanks").value(job == null ? "" : job.silent().toString());
        json.name("goneRanks").value(job == null ? "" : job.gone().ranks().toString());
        last(json, job);
        json.name("openIncidents");
        incidents(json, job == null ? List.of() : job.incidents());
        json.name("observations");
        incidents(json, job == null ? List.of() : job.observations());
        Members.strings(json, "notes", job == null ? List.of() : job.notes());
        losses(json, job == null ? Map.of() : job.losses());
        agents(json, job == null ? Map.of() : job.agents());
        json.endObject();
    }

    private static void last(JsonWriter json, @Nullable JobView job) throws IOException {
        Rows.Step last = job == null ? null : job.last();
        json.name("last");
        if (last == null) {
            json.nullValue();
        } else {
            RowJson.step(json, last);
        }
        json.name("lastPhases").beginArray();
        for (Rows.Phase phase : job == null ? List.<Rows.Phase>of() : job.lastPhases()) {
            RowJson.phase(json, phase);
        }
        json.endArray();
    }

    private static void incidents(JsonWriter json, List<Incident> incidents) throws IOException {
        json.beginArray();
        for (Incident incident : incidents) {
            new IncidentJson(json).write(incident);
        }
        json.endArray();
    }

    private static void losses(JsonWriter json, Map<String, Long> losses) throws IOException {
        json.name("losses").beginArray();
        for (Map.Entry<String, Long> loss : new TreeMap<>(losses).entrySet()) {
            json.beginObject().name("reason").value(loss.getKey());
            json.name("count").value(loss.getValue().longValue()).endObject();
        }
        json.endArray();
    }

    private static void agents(JsonWriter json, Map<String, JobView.AgentView> agents) throws IOException {
        json.name("agents").beginArray();
        for (JobView.AgentView agent : new TreeMap<>(agents).values()) {
            json.beginObject();
            json.name("host").value(agent.host());
            json.name("ranks").value(agent.ranks().toString());
            Members.natural(json, "heardEpochNanos", agent.heardNanos());
            json.name("clockNanos").value(agent.clockNanos());
            json.name("cpuRatio").value(agent.cpuRatio());
            Members.natural(json, "memoryBytes", agent.memoryBytes());
            json.name("slowerRatio").value(agent.slowerRatio());
            json.endObject();
        }
        json.endArray();
    }
}
