package dev.argus.server.api;

import dev.argus.model.SafeText;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Call;
import dev.argus.server.http.EventHub;
import dev.argus.server.http.Param;
import dev.argus.server.http.Problem;
import dev.argus.server.http.Reply;
import dev.argus.server.http.Route;
import dev.argus.transport.FrameHandler;
import java.io.IOException;
import java.util.List;

/** Health, metrics, frames, live events. */
final class SystemRoutes {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final ApiParts parts;

    SystemRoutes(ApiParts parts) {
        this.parts = parts;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/healthz")
                        .open()
                        .summary("Whether the server lives.")
                        .json("Health", "It does.")
                        .to(call -> state(200, "up", "")),
                Route.get("/readyz")
                        .open()
                        .summary(
                                "Whether the server has restored what it had, takes frames, and keeps them; and why it takes nothing new, while it only shows what it has.")
                        .json("Health", "It does.")
                        .reply(Reply.json(503, "Health", "Not yet, or nothing was kept for long."))
                        .to(call -> ready()),
                Route.get("/metrics")
                        .early()
                        .summary("Metrics in the text format of Prometheus.")
                        .reply(Reply.other(200, PROMETHEUS, "The metrics."))
                        .to(call -> Answer.text(200, PROMETHEUS, parts.metrics().get())),
                Route.sent("POST", Api.ROOT + "/frames")
                        .lasts()
                        .itself()
                        .summary("Takes a shipment of frames of an agent, see docs/design/0010-frames.md.")
                        .body(Reply.other(0, FrameHandler.SHIPMENT_TYPE, "The shipment; zstd, gzip or plain."))
                        .reply(Reply.other(200, FrameHandler.REPLY_TYPE, "What became of it, and commands."))
                        .to(this::frames),
                Route.get(Api.ROOT + "/events")
                        .lasts()
                        .summary("Live events as server-sent events: job, step, incident; reset when some were missed.")
                        .query(Param.text("job", "Of this job alone."))
                        .reply(Reply.other(200, EventHub.TYPE, "The events, for as long as the connection lasts."))
                        .to(this::events));
    }

    private Answer ready() {
        if (!parts.ready().getAsBoolean()) {
            return state(503, "restoring", "");
        }
        return parts.keeps().getAsBoolean()
                ? state(200, "ready", parts.held().get())
                : state(503, "keeping nothing", "");
    }

    private static Answer state(int status, String word, String problem) {
        return Answer.json(status, json -> {
            json.beginObject().name("status").value(word);
            if (!problem.isEmpty()) {
                json.name("problem").value(SafeText.sentence(problem));
            }
            json.endObject();
        });
    }

    private Answer frames(Call call) throws IOException {
        parts.frames().handle(call.exchange());
        return call.done();
    }

    private Answer events(Call call) throws Problem {
        return parts.events().listen(call, call.textOrNull("job"));
    }
}
