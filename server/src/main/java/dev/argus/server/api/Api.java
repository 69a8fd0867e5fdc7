package dev.argus.server.api;

import dev.argus.server.http.Answer;
import dev.argus.server.http.Reply;
import dev.argus.server.http.Route;
import dev.argus.server.http.Router;
import java.util.ArrayList;
import java.util.List;

/** All that can be asked of a server. */
public final class Api {
    /** Where everything but health, metrics and pages is. */
    public static final String ROOT = "/api/v1";

    private Api() {}

    /** All routes. */
    public static Router router(ApiParts parts) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new SystemRoutes(parts).routes());
        routes.addAll(new JobRoutes(parts).routes());
        routes.addAll(new ShapeRoutes(parts).routes());
        routes.addAll(new StepRoutes(parts).routes());
        routes.addAll(new KernelRoutes(parts).routes());
        routes.addAll(new IncidentRoutes(parts).routes());
        routes.addAll(new IncidentPictureRoutes(parts).routes());
        routes.addAll(new ObjectRoutes(parts).routes());
        routes.addAll(new OperatorRoutes(parts).routes());
        OpenApi document = new OpenApi();
        routes.add(Route.get(ROOT + "/openapi.json")
                .early()
                .summary("This API as an OpenAPI 3.1 document.")
                .reply(Reply.json(200, "OpenApi", "The document."))
                .to(call -> Answer.text(200, Answer.JSON, document.text())));
        Router router = new Router(routes);
        document.describe(router.routes());
        return router;
    }
}
