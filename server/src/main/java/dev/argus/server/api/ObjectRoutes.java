package dev.argus.server.api;

import dev.argus.server.config.ServerSettings;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Call;
import dev.argus.server.http.Param;
import dev.argus.server.http.Problem;
import dev.argus.server.http.Reply;
import dev.argus.server.http.Route;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Objects: timelines and what else was kept as files. */
final class ObjectRoutes {
    private static final String BYTES = "application/octet-stream";
    private static final int CHUNK = 64 << 10;
    private static final int UPLOADS_AT_A_TIME = 16;

    private final ServerSettings settings;
    private final Store store;
    private final ObjectStore objects;
    private final ObjectUploads uploads;
    private final ApiParts parts;
    private final Semaphore room = new Semaphore(UPLOADS_AT_A_TIME);

    ObjectRoutes(ApiParts parts) {
        this.parts = parts;
        settings = parts.settings();
        store = parts.store();
        objects = parts.objects();
        uploads = parts.uploads();
    }

    List<Route> routes() {
        return List.of(
                Route.get(Api.ROOT + "/objects")
                        .summary("Objects that were kept, newest first.")
                        .query(Param.text("job", "Of this job alone."))
                        .query(Param.text("incident", "Of this incident alone."))
                        .query(Param.whole("most", 1, 10_000, 100, "Most objects."))
                        .json("Objects", "The objects.")
                        .to(this::list),
                Route.get(Api.ROOT + "/objects/{key...}")
                        .summary("An object.")
                        .path(new Param(
                                "key", Param.Kind.TEXT, 1, 512, List.of(), null, "Its key, slashes as they are."))
                        .reply(Reply.other(200, BYTES, "Its bytes."))
                        .to(this::object),
                Route.sent("PUT", Api.ROOT + "/jobs/{job}/objects/{name}")
                        .lasts()
                        .summary("Keeps an object that the agent was asked for.")
                        .path(Known.JOB)
                        .path(Param.text("name", "Its name, 1 to 128 of A-Z, a-z, 0-9, '.', '_' and '-'."))
                        .body(Reply.other(0, BYTES, "Its bytes."))
                        .reply(Reply.json(201, "Object", "What was kept."))
                        .to(this::keep));
    }

    private Answer list(Call call) throws IOException {
        List<Rows.StoredObject> rows =
                store.objects(call.textOrNull("job"), call.textOrNull("incident"), call.count("most"));
        return Answer.json(json -> {
            json.beginObject().name("objects").beginArray();
            for (Rows.StoredObject row : rows) {
                RowJson.object(json, row);
            }
            json.endArray().endObject();
        });
    }

    private Answer object(Call call) throws Problem, IOException {
        String key = call.text("key");
        InputStream in = isKey(key) ? objects.get(key).orElse(null) : null;
        if (in == null) {
            throw Problem.missing("no object of this key", "a key of " + Api.ROOT + "/objects");
        }
        String name = key.substring(key.lastIndexOf('/') + 1);
        return Answer.stream(BYTES, (out, goesOn) -> {
                    try (in) {
                        byte[] chunk = new byte[CHUNK];
                        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                            out.write(chunk, 0, n);
                            goesOn.run();
                        }
                    }
                })
                .header("Content-Disposition", "attachment; filename=\"" + name + "\"");
    }

    /** Keys as {@link ObjectStore} has them: what is none reaches no store. */
    private static boolean isKey(String key) {
        if (!key.matches("[A-Za-z0-9._/=-]{1,512}")) {
            return false;
        }
        for (String part : key.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return false;
            }
        }
        return true;
    }

    private Answer keep(Call call) throws Problem, IOException {
        String job = call.text("job");
        String name = call.text("name");
        if (!parts.gate().mayShip(call.asked(), job)) {
            throw new Problem(
                    403,
                    "the token is one of another job",
                    "a token of agents of this job, issued by POST " + Api.ROOT + "/jobs/JOB/tokens");
        }
        if (!name.matches("[A-Za-z0-9._-]{1,128}")) {
            throw new Problem(400, "no name of an object", "1 to 128 of A-Z, a-z, 0-9, '.', '_' and '-'");
        }
        if (!room.tryAcquire()) {
            throw Problem.later("other objects are being received");
        }
        try (InputStream body = call.stream(BYTES, settings.excerptBytes())) {
            Rows.StoredObject kept = uploads.keep(job, name, body);
            return Answer.json(201, json -> RowJson.object(json, kept));
        } catch (NotOrderedException unasked) {
            throw new Problem(409, String.valueOf(unasked.getMessage()), unasked.expected());
        } finally {
            room.release();
        }
    }
}
