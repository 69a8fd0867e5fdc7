package dev.argus.server.api;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Call;
import dev.argus.server.http.Param;
import dev.argus.server.http.Problem;
import dev.argus.server.http.Route;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.KernelPictureJson;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import java.io.IOException;
import java.util.List;

/** Kernels of windows, and the distances between ranks. */
final class KernelRoutes {
    private final Fleet fleet;
    private final Store store;
    private final Known known;

    KernelRoutes(ApiParts parts) {
        fleet = parts.fleet();
        store = parts.store();
        known = new Known(parts);
    }

    List<Route> routes() {
        return List.of(
                Route.get(Api.ROOT + "/jobs/{job}/kernels")
                        .summary("Kernels of the windows that begin in these steps, most time first.")
                        .path(Known.JOB)
                        .query(Known.ATTEMPT)
                        .query(Known.FROM)
                        .query(Known.TO)
                        .query(Param.whole("most", 1, 10_000, 100, "Most entries."))
                        .json("Kernels", "The kernels.")
                        .to(this::kernels),
                Route.get(Api.ROOT + "/jobs/{job}/kernels/pictures")
                        .summary("Kernels of the newest window with the W1 distance of each rank to its peers.")
                        .path(Known.JOB)
                        .query(Param.whole("most", 1, 100, 10, "Most kernels."))
                        .json("KernelPictures", "The kernels, most time first.")
                        .to(this::pictures));
    }

    private Answer kernels(Call call) throws Problem, IOException {
        String name = call.text("job");
        int attempt = known.attempt(call);
        List<Rows.Kernel> rows = store.kernels(name, attempt, call.whole("from"), call.whole("to"), call.count("most"));
        return Answer.json(json -> {
            json.beginObject().name("job").value(name);
            json.name("attempt").value(attempt);
            json.name("kernels").beginArray();
            for (Rows.Kernel row : rows) {
                RowJson.kernel(json, row);
            }
            json.endArray().endObject();
        });
    }

    private Answer pictures(Call call) throws Problem {
        String name = call.text("job");
        known.live(name);
        List<KernelPicture> pictures = fleet.kernels(name, call.count("most"));
        return Answer.json(json -> {
            json.beginObject().name("job").value(name);
            json.name("pictures").beginArray();
            for (KernelPicture picture : pictures) {
                KernelPictureJson.write(json, picture);
            }
            json.endArray().endObject();
        });
    }
}
