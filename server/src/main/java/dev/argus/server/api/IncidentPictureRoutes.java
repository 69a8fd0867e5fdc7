package dev.argus.server.api;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.LiveWaits;
import dev.argus.model.IncidentState;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Call;
import dev.argus.server.http.Param;
import dev.argus.server.http.Problem;
import dev.argus.server.http.Route;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.KernelPictureJson;
import dev.argus.server.job.WaitJson;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.wire.json.Members;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What pictures of an incident are drawn from: of now while it lasts and memory has its steps, else as it was kept with it. */
final class IncidentPictureRoutes {
    private static final int MOST_PICTURED = 100;
    private static final Param ID = Param.text("id", "Its id.");

    private final Fleet fleet;
    private final Store store;

    IncidentPictureRoutes(ApiParts parts) {
        fleet = parts.fleet();
        store = parts.store();
    }

    List<Route> routes() {
        return List.of(
                Route.get(Api.ROOT + "/incidents/{id}/kernels")
                        .summary("Kernels of an incident's suspects over those of their peers, with the W1 distance of"
                                + " each: of the newest windows while it lasts, else as they were kept.")
                        .path(ID)
                        .json("IncidentKernels", "The pictures; none where kernels say nothing about it.")
                        .to(this::kernels),
                Route.get(Api.ROOT + "/incidents/{id}/waits")
                        .summary("Who made whom wait in the newest steps of an incident while it lasts, else as it was"
                                + " kept; whom it accuses first.")
                        .path(ID)
                        .json("IncidentWaits", "The waits; null where none are known.")
                        .to(this::waits));
    }

    /** The job of an incident that lasts. */
    private Optional<String> lasting(String id) {
        return fleet.jobs().stream()
                .filter(view -> view.incidents().stream()
                        .anyMatch(i -> i.id().equals(id) && i.state() != IncidentState.RESOLVED))
                .map(view -> view.job())
                .findFirst();
    }

    /** What was kept, null for nothing; a problem where the incident is not known at all. */
    private Rows.@Nullable Picture kept(String id, String kind) throws Problem, IOException {
        Rows.Picture kept = store.picture(id, kind).orElse(null);
        if (kept == null
                && store.changes(id).isEmpty()
                && fleet.jobs().stream()
                        .noneMatch(view -> view.incidents().stream().anyMatch(i -> i.id().equals(id)))) {
            throw IncidentRoutes.unknown();
        }
        return kept;
    }

    private Answer kernels(Call call) throws Problem, IOException {
        String id = call.text("id");
        List<KernelPicture> now = lasting(id).stream()
                .flatMap(job -> fleet.kernels(job, MOST_PICTURED).stream())
                .filter(p -> p.incident().equals(id))
                .toList();
        Rows.@Nullable Picture kept = now.isEmpty() ? kept(id, KernelPictureJson.KEPT) : null;
        return Answer.json(json -> {
            json.beginObject().name("incident").value(id);
            Members.natural(json, "keptEpochNanos", kept == null ? -1 : kept.atNanos());
            json.name("pictures");
            if (kept != null) {
                json.json(kept.document());
            } else {
                json.beginArray();
                for (KernelPicture picture : now) {
                    KernelPictureJson.write(json, picture);
                }
                json.endArray();
            }
            json.endObject();
        });
    }

    private Answer waits(Call call) throws Problem, IOException {
        String id = call.text("id");
        @Nullable
        LiveWaits now = lasting(id)
                .flatMap(job -> fleet.waits(job, id))
                .filter(w -> w.steps() > 0)
                .orElse(null);
        Rows.@Nullable Picture kept = now == null ? kept(id, WaitJson.KEPT) : null;
        return Answer.json(json -> {
            json.beginObject().name("incident").value(id);
            Members.natural(json, "keptEpochNanos", kept == null ? -1 : kept.atNanos());
            json.name("waits");
            if (now != null) {
                json.beginObject();
                WaitJson.members(json, now);
                json.endObject();
            } else {
                json.json(kept == null ? "null" : kept.document());
            }
            json.endObject();
        });
    }
}
