package dev.argus.server.api;

import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Call;
import dev.argus.server.http.Param;
import dev.argus.server.http.Problem;
import dev.argus.server.http.Route;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.wire.json.IncidentJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Incidents: as they are known now of jobs that are watched, else as they were kept. */
final class IncidentRoutes {
    private static final int MOST_OBJECTS = 100;

    private final Fleet fleet;
    private final Store store;

    IncidentRoutes(ApiParts parts) {
        fleet = parts.fleet();
        store = parts.store();
    }

    /** An incident as it is known now. */
    private record Current(JobView view, Incident incident) {
        String job() {
            return view.job();
        }
    }

    /**
     * A row, with what it costs now.
     *
     * @param gpus GPUs that come to nothing while it lasts: how jobs of all sizes are compared; 0 when it is over, or of a job that nobody watches
     */
    private record Listed(Rows.Incident row, double gpus) {
        static final Comparator<Listed> URGENT = Comparator.comparing(
                        (Listed l) -> l.row.state().equals(IncidentState.RESOLVED.text()))
                .thenComparing(Listed::gpus, Comparator.reverseOrder())
                .thenComparing(l -> l.row.gpuSeconds(), Comparator.reverseOrder())
                .thenComparing(l -> l.row.id());

        static Listed of(Current c) {
            Incident i = c.incident();
            double gpus = i.cost().gpusLost(c.view().expected());
            boolean lasts = i.state() != IncidentState.RESOLVED && !Double.isNaN(gpus);
            return new Listed(RowJson.row(c.job(), i), lasts ? gpus : 0);
        }
    }

    List<Route> routes() {
        List<String> states =
                Arrays.stream(IncidentState.values()).map(IncidentState::text).toList();
        return List.of(
                Route.get(Api.ROOT + "/incidents")
                        .summary(
                                "Incidents of all jobs: those that last first, by the GPU-hours that each costs an hour (duringRatio x ranks of its job); then what is over, by what it cost in all.")
                        .query(Param.text("job", "Of this job alone."))
                        .query(Param.anyWord("state", states, "In this state alone."))
                        .query(Param.whole("most", 1, 10_000, 100, "Most incidents."))
                        .json("Incidents", "The incidents.")
                        .to(this::incidents),
                Route.get(Api.ROOT + "/incidents/{id}")
                        .summary("An incident with its proof, how it changed, and the objects beside it.")
                        .path(Param.text("id", "Its id."))
                        .json("IncidentDetail", "The incident.")
                        .to(this::incident));
    }

    private Stream<Current> current() {
        return fleet.jobs().stream().flatMap(view -> view.incidents().stream().map(i -> new Current(view, i)));
    }

    private Answer incidents(Call call) throws IOException {
        @Nullable String job = call.textOrNull("job");
        @Nullable String state = call.textOrNull("state");
        int most = call.count("most");
        Map<String, Listed> all = new LinkedHashMap<>();
        // All states, for an incident may have another one by now.
        store.incidents(job, null, 10_000).forEach(row -> all.put(row.id(), new Listed(row, 0)));
        current()
                .filter(c -> job == null || c.job().equals(job))
                .forEach(c -> all.put(c.incident().id(), Listed.of(c)));
        List<Rows.Incident> wanted = all.values().stream()
                .filter(l -> state == null || l.row().state().equals(state))
                .sorted(Listed.URGENT)
                .limit(most)
                .map(Listed::row)
                .toList();
        return Answer.json(json -> {
            json.beginObject().name("incidents").beginArray();
            for (Rows.Incident row : wanted) {
                RowJson.incident(json, row);
            }
            json.endArray().endObject();
        });
    }

    private Answer incident(Call call) throws Problem, IOException {
        String id = call.text("id");
        @Nullable
        Current live =
                current().filter(c -> c.incident().id().equals(id)).findFirst().orElse(null);
        List<Rows.Incident> changes = new ArrayList<>(store.changes(id));
        if (live == null && changes.isEmpty()) {
            throw unknown();
        }
        String job = live == null ? changes.getLast().job() : live.job();
        List<Rows.StoredObject> objects = store.objects(null, id, MOST_OBJECTS);
        return Answer.json(json -> {
            json.beginObject().name("job").value(job);
            json.name("incident");
            if (live != null) {
                new IncidentJson(json).write(live.incident());
            } else {
                json.json(document(changes.getLast()));
            }
            json.name("changes").beginArray();
            for (Rows.Incident change : changes) {
                RowJson.change(json, change);
            }
            json.endArray().name("objects").beginArray();
            for (Rows.StoredObject object : objects) {
                RowJson.object(json, object);
            }
            json.endArray().endObject();
        });
    }

    static Problem unknown() {
        return Problem.missing("no incident of this id is known", "an id of " + Api.ROOT + "/incidents");
    }

    /** The document that was kept, null where there is none that could be one. */
    private static String document(Rows.Incident row) {
        String text = row.document().strip();
        return text.startsWith("{") && text.endsWith("}") ? text : "null";
    }
}
