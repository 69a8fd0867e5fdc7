package dev.argus.server.api;

import dev.argus.hostlocal.report.LiveWaits;
import dev.argus.hostlocal.report.WaitTable;
import dev.argus.model.HostClock;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Call;
import dev.argus.server.http.Problem;
import dev.argus.server.http.Route;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.JobView;
import dev.argus.server.job.WaitJson;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.wire.json.JsonWriter;
import dev.argus.wire.json.Members;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who runs where and does what, and who waited for whom, of jobs that are watched. */
final class ShapeRoutes {
    private final Fleet fleet;
    private final Store store;
    private final Known known;

    ShapeRoutes(ApiParts parts) {
        fleet = parts.fleet();
        store = parts.store();
        known = new Known(parts);
    }

    List<Route> routes() {
        return List.of(
                Route.get(Api.ROOT + "/jobs/{job}/shape")
                        .summary(
                                "Who runs where and does what: layout, peers, hosts and GPUs. Of a job that is not watched any more layout and hosts, as far as they were kept.")
                        .path(Known.JOB)
                        .json("Shape", "The shape; empty before it is known.")
                        .to(this::shape),
                Route.get(Api.ROOT + "/jobs/{job}/clocks")
                        .summary(
                                "Clocks of the hosts of a job that is watched against each other, by the common ends of collectives.")
                        .path(Known.JOB)
                        .json("Clocks", "The clocks; none before collectives tell.")
                        .to(this::clocks),
                Route.get(Api.ROOT + "/jobs/{job}/waits")
                        .summary("Who made whom wait in the newest steps of a job that is watched.")
                        .path(Known.JOB)
                        .json("Waits", "The waits; empty before the shape of the job is known.")
                        .to(this::waits));
    }

    private Answer shape(Call call) throws Problem, IOException {
        String name = call.text("job");
        JobView view = fleet.job(name).orElse(null);
        if (view == null) {
            return kept(name);
        }
        return Answer.json(json -> {
            json.beginObject().name("job").value(view.job());
            json.name("attempt").value(Math.max(0, view.attempt()));
            write(json, view.shape());
            json.endObject();
        });
    }

    /** Of a job that is not watched: groups are not kept, so nothing is known of peers. */
    private Answer kept(String name) throws Problem, IOException {
        Rows.Job newest = known.attempts(name).stream().findFirst().orElseThrow(Known::missing);
        TreeMap<String, List<Rows.Rank>> byHost = new TreeMap<>();
        store.ranks(name, newest.attempt())
                .forEach(r -> byHost.computeIfAbsent(r.host(), host -> new ArrayList<>())
                        .add(r));
        return Answer.json(json -> {
            json.beginObject().name("job").value(name);
            json.name("attempt").value(newest.attempt());
            json.name("worldSize").value(Math.max(0, newest.worldSize()));
            dimensions(json, Topology.ofText(newest.topology(), "kept").dimensions());
            json.name("peers").beginArray().endArray();
            json.name("hosts").beginArray();
            for (var host : byHost.entrySet()) {
                json.beginObject().name("host").value(host.getKey());
                json.name("ranks")
                        .value(RankSet.of(host.getValue().stream()
                                        .map(Rows.Rank::rank)
                                        .toList())
                                .toString());
                json.name("gpus").beginArray();
                for (Rows.Rank rank : host.getValue()) {
                    json.value(rank.gpuIndex());
                }
                json.endArray().endObject();
            }
            json.endArray().endObject();
        });
    }

    private static void dimensions(JsonWriter json, List<Topology.Dimension> dimensions) throws IOException {
        json.name("dimensions").beginArray();
        for (Topology.Dimension d : dimensions) {
            json.beginObject().name("name").value(d.name());
            json.name("size").value(d.size()).endObject();
        }
        json.endArray();
    }

    private static void write(JsonWriter json, @Nullable JobShape shape) throws IOException {
        json.name("worldSize").value(shape == null ? 0 : shape.worldSize());
        dimensions(json, shape == null ? List.of() : shape.shownTopology().dimensions());
        json.name("peers").beginArray();
        for (int i = 0; shape != null && i < shape.peerSets().size(); i++) {
            json.beginObject().name("label").value(shape.peerLabels().get(i));
            json.name("ranks").value(shape.peerSets().get(i).toString()).endObject();
        }
        json.endArray().name("hosts").beginArray();
        if (shape != null) {
            hosts(json, shape);
        }
        json.endArray();
    }

    private static void hosts(JsonWriter json, JobShape shape) throws IOException {
        TreeMap<String, List<Integer>> byHost = new TreeMap<>();
        shape.ranks().stream()
                .forEach(rank -> byHost.computeIfAbsent(shape.hostOf(rank), host -> new ArrayList<>())
                        .add(rank));
        for (var host : byHost.entrySet()) {
            json.beginObject().name("host").value(host.getKey());
            json.name("ranks").value(RankSet.of(host.getValue()).toString());
            json.name("gpus").beginArray();
            for (int rank : host.getValue()) {
                json.value(shape.gpuIndex().getOrDefault(rank, -1));
            }
            json.endArray().endObject();
        }
    }

    private Answer clocks(Call call) throws Problem {
        JobView view = known.live(call.text("job"));
        return Answer.json(json -> {
            json.beginObject().name("job").value(view.job());
            json.name("attempt").value(Math.max(0, view.attempt()));
            json.name("clocks").beginArray();
            for (HostClock clock : view.clocks()) {
                json.beginObject().name("host").value(clock.host());
                json.name("reference").value(clock.reference());
                json.name("offsetNanos").value(clock.offsetNanos());
                json.name("errorNanos").value(clock.errorNanos());
                json.name("driftPpm").value(clock.driftPpm());
                json.name("driftErrorPpm").value(clock.driftErrorPpm());
                Members.natural(json, "atEpochNanos", clock.atNanos() == 0 ? -1 : clock.atNanos());
                json.name("meetings").value(clock.meetings());
                json.name("refusal")
                        .value(clock.refusal() == null ? null : clock.refusal().text());
                json.endObject();
            }
            json.endArray().endObject();
        });
    }

    private Answer waits(Call call) throws Problem {
        String name = call.text("job");
        known.live(name);
        LiveWaits waits = fleet.waits(name).orElse(new LiveWaits(new WaitTable(List.of(), List.of(), 0), -1, -1, 0));
        return Answer.json(json -> {
            json.beginObject().name("job").value(name);
            WaitJson.members(json, waits);
            json.endObject();
        });
    }
}
