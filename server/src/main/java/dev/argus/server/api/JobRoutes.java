package dev.argus.server.api;

import dev.argus.model.JobShape;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Call;
import dev.argus.server.http.Param;
import dev.argus.server.http.Problem;
import dev.argus.server.http.Route;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.wire.json.JsonWriter;
import dev.argus.wire.json.Members;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Jobs and their ranks. */
final class JobRoutes {
    private final Fleet fleet;
    private final Store store;
    private final Known known;

    JobRoutes(ApiParts parts) {
        fleet = parts.fleet();
        store = parts.store();
        known = new Known(parts);
    }

    List<Route> routes() {
        return List.of(
                Route.get(Api.ROOT + "/jobs")
                        .summary(
                                "All jobs: those that are watched, the one heard of last first, then those that were kept.")
                        .query(Param.whole("most", 1, Known.MOST_ATTEMPTS, 1000, "Most jobs."))
                        .json("Jobs", "The jobs.")
                        .to(this::jobs),
                Route.get(Api.ROOT + "/jobs/{job}")
                        .summary("All that is known of a job now.")
                        .path(Known.JOB)
                        .json("JobDetail", "The job.")
                        .to(this::job),
                Route.get(Api.ROOT + "/jobs/{job}/ranks")
                        .summary("Where the ranks of an attempt run, and whether they report.")
                        .path(Known.JOB)
                        .query(Known.ATTEMPT)
                        .json("Ranks", "The ranks, ascending.")
                        .to(this::ranks));
    }

    private Answer jobs(Call call) throws IOException {
        int most = call.count("most");
        List<JobView> live = fleet.jobs();
        Map<String, Rows.Job> kept = new LinkedHashMap<>();
        store.jobs(Known.MOST_ATTEMPTS).forEach(row -> kept.putIfAbsent(row.job(), row));
        live.forEach(view -> kept.remove(view.job()));
        return Answer.json(json -> {
            json.beginObject().name("jobs").beginArray();
            int left = most;
            for (JobView view : live) {
                if (left-- > 0) {
                    JobJson.summary(json, view);
                }
            }
            for (Rows.Job row : kept.values()) {
                if (left-- > 0) {
                    JobJson.summary(json, row);
                }
            }
            json.endArray().endObject();
        });
    }

    private Answer job(Call call) throws Problem, IOException {
        String name = call.text("job");
        @Nullable JobView view = fleet.job(name).orElse(null);
        List<Rows.Job> attempts = known.attempts(name);
        if (view == null && attempts.isEmpty()) {
            throw Known.missing();
        }
        return Answer.json(json -> JobJson.detail(json, view, attempts));
    }

    private Answer ranks(Call call) throws Problem, IOException {
        String name = call.text("job");
        int attempt = known.attempt(call);
        Map<Integer, Rows.Rank> ranks = new TreeMap<>();
        Optional<JobView> live = fleet.job(name).filter(view -> view.attempt() == attempt);
        JobShape shape = live.map(JobView::shape).orElse(null);
        if (shape != null) {
            shape.ranks().stream()
                    .forEach(rank -> ranks.put(
                            rank,
                            new Rows.Rank(
                                    name,
                                    attempt,
                                    rank,
                                    shape.hostOf(rank),
                                    shape.gpuIndex().getOrDefault(rank, -1),
                                    "")));
        }
        store.ranks(name, attempt).forEach(row -> ranks.put(row.rank(), row));
        return Answer.json(json -> {
            json.beginObject().name("job").value(name);
            json.name("attempt").value(attempt);
            json.name("ranks").beginArray();
            for (Rows.Rank rank : ranks.values()) {
                rank(json, rank, live);
            }
            json.endArray().endObject();
        });
    }

    private static void rank(JsonWriter json, Rows.Rank rank, Optional<JobView> live) throws IOException {
        String state = live.map(view -> view.silent().contains(rank.rank())
                        ? "silent"
                        : view.reporting().contains(rank.rank())
                                ? "reporting"
                                : view.gone().ranks().contains(rank.rank()) ? "ended" : "unknown")
                .orElse("unknown");
        json.beginObject().name("rank").value(rank.rank());
        json.name("host").value(rank.host().isEmpty() ? null : rank.host());
        Members.natural(json, "gpuIndex", rank.gpuIndex());
        json.name("gpuUuid").value(rank.gpuUuid().isEmpty() ? null : rank.gpuUuid());
        json.name("state").value(state).endObject();
    }
}
