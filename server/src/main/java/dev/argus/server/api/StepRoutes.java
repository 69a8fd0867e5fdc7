package dev.argus.server.api;

import dev.argus.server.http.Answer;
import dev.argus.server.http.Call;
import dev.argus.server.http.Param;
import dev.argus.server.http.Problem;
import dev.argus.server.http.Reply;
import dev.argus.server.http.Route;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.server.job.JobView;
import dev.argus.storage.RankMap;
import dev.argus.storage.RankValue;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Steps of jobs and ranks, phases, heat maps. What was received in the last seconds comes with the next checkpoint; heat maps are of what memory holds, those of jobs that are not watched any more of what was kept. */
final class StepRoutes {
    private static final int MOST_STEPS = 100_000;

    /** Maps made at a time: the largest takes 52 MB while it is sent. */
    private static final int MOST_MAPS = 3;

    /** Maps of at most so many cells are held, packed and tagged. */
    private static final long HELD_CELLS = 1 << 20;

    /** Cells of a map of what was kept: it is held twice while it is made. */
    private static final int KEPT_CELLS = 4 << 20;

    /** And steps. */
    private static final int KEPT_STEPS = 4096;

    private static final double SECOND_NANOS = 1e9;

    private final Fleet fleet;
    private final Store store;
    private final Known known;
    private final Semaphore large = new Semaphore(MOST_MAPS);

    StepRoutes(ApiParts parts) {
        fleet = parts.fleet();
        store = parts.store();
        known = new Known(parts);
    }

    List<Route> routes() {
        return List.of(
                among("/steps", 1000, "Steps of an attempt over its ranks; of more than wanted every so many.", "Steps")
                        .to(this::steps),
                among("/phases", 5000, "Phases of the steps of an attempt.", "Phases")
                        .to(this::phases),
                Route.get(Api.ROOT + "/jobs/{job}/ranks/{rank}/steps")
                        .summary("How one rank spent each step.")
                        .path(Known.JOB)
                        .path(Param.whole("rank", 0, Integer.MAX_VALUE, "Global rank."))
                        .query(Known.ATTEMPT)
                        .query(Known.FROM)
                        .query(Known.TO)
                        .query(Param.whole("most", 1, MOST_STEPS, 1000, "Most steps."))
                        .json("RankSteps", "The steps, ascending.")
                        .to(this::rankSteps),
                Route.get(Api.ROOT + "/jobs/{job}/heatmap")
                        .summary(
                                "Ranks by the newest steps that memory holds, or that were kept of a job that is not watched any more.")
                        .path(Known.JOB)
                        .query(
                                Param.word(
                                        "value",
                                        List.of(
                                                HeatValue.OWN.text(),
                                                HeatValue.DURATION.text(),
                                                HeatValue.WAIT.text(),
                                                HeatValue.OUTSIDE.text()),
                                        "Own time, whole length, exposed communication, or what no phase covers (of jobs that are watched, where phases are recorded)."))
                        .query(Known.ATTEMPT)
                        .query(Known.FROM)
                        .query(Known.TO)
                        .reply(Reply.other(
                                200, HeatMapBytes.TYPE, "Compact binary, see docs/design/0014-interface.md."))
                        .json("HeatMap", "The same as JSON, of at most " + HeatMapBytes.MOST_JSON_CELLS + " cells.")
                        .to(this::heatMap));
    }

    private static Route.Builder among(String path, int most, String summary, String schema) {
        return Route.get(Api.ROOT + "/jobs/{job}" + path)
                .summary(summary)
                .path(Known.JOB)
                .query(Known.ATTEMPT)
                .query(Known.FROM)
                .query(Known.TO)
                .query(Param.whole("most", 1, MOST_STEPS, most, "Most entries."))
                .json(schema, "Ascending by step.");
    }

    private Answer steps(Call call) throws Problem, IOException {
        int attempt = known.attempt(call);
        List<Rows.Step> rows =
                store.steps(call.text("job"), attempt, call.whole("from"), call.whole("to"), call.count("most"));
        return Answer.json(json -> {
            head(json, call, attempt).name("steps").beginArray();
            for (Rows.Step row : rows) {
                RowJson.step(json, row);
            }
            json.endArray().endObject();
        });
    }

    private Answer phases(Call call) throws Problem, IOException {
        int attempt = known.attempt(call);
        List<Rows.Phase> rows =
                store.phases(call.text("job"), attempt, call.whole("from"), call.whole("to"), call.count("most"));
        return Answer.json(json -> {
            head(json, call, attempt).name("phases").beginArray();
            for (Rows.Phase row : rows) {
                RowJson.phase(json, row);
            }
            json.endArray().endObject();
        });
    }

    private Answer rankSteps(Call call) throws Problem, IOException {
        int attempt = known.attempt(call);
        List<Rows.RankStep> rows = store.rankSteps(
                call.text("job"),
                attempt,
                call.count("rank"),
                call.whole("from"),
                call.whole("to"),
                call.count("most"));
        return Answer.json(json -> {
            head(json, call, attempt).name("rank").value(call.whole("rank"));
            json.name("steps").beginArray();
            for (Rows.RankStep row : rows) {
                RowJson.rankStep(json, row);
            }
            json.endArray().endObject();
        });
    }

    private static JsonWriter head(JsonWriter json, Call call, int attempt) throws IOException {
        json.beginObject().name("job").value(call.text("job"));
        return json.name("attempt").value(attempt);
    }

    private Answer heatMap(Call call) throws Problem, IOException {
        String name = call.text("job");
        HeatValue value = Arrays.stream(HeatValue.values())
                .filter(v -> v.text().equals(call.text("value")))
                .findFirst()
                .orElseThrow();
        Optional<JobView> live = fleet.job(name);
        if (live.isEmpty()) {
            return kept(call, name, value);
        }
        JobView view = live.get();
        if (call.type().equals(Answer.JSON)) {
            return HeatMapBytes.json(value, data(call, name, value));
        }
        if (mostCells(view, call.whole("from"), call.whole("to")) <= HELD_CELLS) {
            return Answer.bytes(200, HeatMapBytes.TYPE, HeatMapBytes.encode(value, data(call, name, value)));
        }
        // Not packed: that would take longer than all the rest, and save half. Read only when it is written, so that
        // few are held at a time.
        return Answer.stream(HeatMapBytes.TYPE, (out, goesOn) -> {
            large.acquireUninterruptibly();
            try {
                goesOn.run();
                HeatMapBytes.write(value, data(call, name, value), out, goesOn);
            } finally {
                large.release();
            }
        });
    }

    private Answer kept(Call call, String name, HeatValue value) throws Problem, IOException {
        int attempt = known.attempt(call);
        if (!large.tryAcquire()) {
            throw Problem.later("other large maps are being made");
        }
        HeatMapData data;
        try {
            RankMap map = store.rankMap(
                    name, attempt, of(value), call.whole("from"), call.whole("to"), KEPT_STEPS, KEPT_CELLS);
            float[] seconds = new float[map.nanos().length];
            for (int i = 0; i < seconds.length; i++) {
                long nanos = map.nanos()[i];
                seconds[i] = nanos < 0 ? Float.NaN : (float) (nanos / SECOND_NANOS);
            }
            data = new HeatMapData(attempt, map.ranks(), map.steps(), seconds);
        } finally {
            large.release();
        }
        return call.type().equals(Answer.JSON)
                ? HeatMapBytes.json(value, data)
                : Answer.bytes(200, HeatMapBytes.TYPE, HeatMapBytes.encode(value, data));
    }

    private static RankValue of(HeatValue value) throws Problem {
        return switch (value) {
            case DURATION -> RankValue.DURATION;
            case OWN -> RankValue.OWN;
            case WAIT -> RankValue.WAIT;
            case OUTSIDE ->
                throw new Problem(
                        404,
                        "time outside phases is not kept of a job that is not watched any more",
                        String.join(", ", HeatValue.OWN.text(), HeatValue.DURATION.text(), HeatValue.WAIT.text()));
        };
    }

    /** Cells that a map can have. */
    private static long mostCells(JobView view, long from, long to) {
        long ranks = Math.max(
                view.expected(),
                view.reporting().size()
                        + view.silent().size()
                        + view.gone().ranks().size());
        long steps = Math.max(0, Math.min(to, view.newestStep() + 1) - from + 1);
        return ranks * Math.min(MOST_STEPS, steps);
    }

    private HeatMapData data(Call call, String name, HeatValue value) {
        return fleet.heatMap(name, value, call.whole("from"), call.whole("to"))
                .orElseGet(() -> new HeatMapData(0, new int[0], new long[0], new float[0]));
    }
}
