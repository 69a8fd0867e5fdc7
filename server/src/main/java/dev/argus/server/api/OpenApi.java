package dev.argus.server.api;

import dev.argus.server.access.Need;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Param;
import dev.argus.server.http.Reply;
import dev.argus.server.http.Route;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The OpenAPI 3.1 document of the API: paths from the declarations of the routes, schemas from {@code schemas.json} beside this class. */
final class OpenApi {
    private static final String PROBLEM = "Problem";

    private volatile String text = "{}";

    /** Makes the document. */
    void describe(List<Route> routes) {
        StringBuilder out = new StringBuilder();
        try {
            write(new JsonWriter(out, 3), routes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        text = out.append('\n').toString();
    }

    /** The document. */
    String text() {
        return text;
    }

    private static void write(JsonWriter json, List<Route> routes) throws IOException {
        json.beginObject().name("openapi").value("3.1.0");
        json.name("info").beginObject().name("title").value("Argus");
        json.name("version").value("1");
        json.name("description")
                .value(
                        "What makes GPU training jobs slow, while they run. Moments are whole nanoseconds since the Unix epoch, beyond 2^53: parse integers exactly."
                                + " Texts are exact, whatever they hold: escape them before showing them. Unknown is null.");
        json.endObject();
        json.name("paths").beginObject();
        Map<String, Map<String, Route>> paths = new LinkedHashMap<>();
        for (Route route : routes) {
            paths.computeIfAbsent(route.template().replace("...}", "}"), p -> new TreeMap<>())
                    .put(route.method().toLowerCase(Locale.ROOT), route);
        }
        for (Map.Entry<String, Map<String, Route>> path : paths.entrySet()) {
            json.name(path.getKey()).beginObject();
            for (Map.Entry<String, Route> method : path.getValue().entrySet()) {
                json.name(method.getKey());
                operation(json, method.getValue());
            }
            json.endObject();
        }
        json.endObject();
        components(json);
        json.endObject();
    }

    private static void operation(JsonWriter json, Route route) throws IOException {
        json.beginObject().name("operationId").value(id(route));
        json.name("summary").value(route.summary());
        security(json, route.need());
        json.name("parameters").beginArray();
        for (Param param : route.path()) {
            param(json, param, "path");
        }
        for (Param param : route.query()) {
            param(json, param, "query");
        }
        json.endArray();
        if (route.body().isPresent()) {
            json.name("requestBody").beginObject().name("required").value(true);
            content(json, List.of(route.body().get()));
            json.endObject();
        }
        json.name("responses").beginObject();
        Map<Integer, List<Reply>> replies = new TreeMap<>();
        route.replies()
                .forEach(r -> replies.computeIfAbsent(r.status(), s -> new ArrayList<>())
                        .add(r));
        for (Map.Entry<Integer, List<Reply>> reply : replies.entrySet()) {
            json.name(Integer.toString(reply.getKey())).beginObject();
            json.name("description").value(reply.getValue().getFirst().text());
            content(json, reply.getValue());
            json.endObject();
        }
        json.name("default")
                .beginObject()
                .name("$ref")
                .value("#/components/responses/" + PROBLEM)
                .endObject();
        json.endObject().endObject();
    }

    /** Method and parts of the path in one word. */
    private static String id(Route route) {
        StringBuilder id = new StringBuilder(route.method().toLowerCase(Locale.ROOT));
        for (String part : route.template().replace(Api.ROOT, "").split("[^a-zA-Z0-9]+", -1)) {
            if (!part.isEmpty()) {
                id.append(part.substring(0, 1).toUpperCase(Locale.ROOT)).append(part.substring(1));
            }
        }
        return id.toString();
    }

    private static void security(JsonWriter json, Need need) throws IOException {
        json.name("security").beginArray();
        if (need == Need.READ) {
            // Nothing on this host alone; else the operator's or the reader's token.
            json.beginObject().endObject();
            scheme(json, "reader");
            scheme(json, "password");
        }
        if (need == Need.SHIP) {
            scheme(json, "agent");
        }
        if (need != Need.NOTHING) {
            scheme(json, "operator");
        }
        json.endArray();
    }

    private static void scheme(JsonWriter json, String name) throws IOException {
        json.beginObject().name(name).beginArray().endArray().endObject();
    }

    private static void param(JsonWriter json, Param param, String in) throws IOException {
        json.beginObject().name("name").value(param.name());
        json.name("in").value(in);
        json.name("required").value(in.equals("path"));
        json.name("description").value(param.text());
        json.name("schema").beginObject();
        if (param.kind() == Param.Kind.WHOLE) {
            json.name("type").value("integer");
            json.name("minimum").value(param.least());
            json.name("maximum").value(param.most());
        } else {
            json.name("type").value("string");
            json.name("minLength").value(param.least());
            json.name("maxLength").value(param.most());
        }
        if (!param.words().isEmpty()) {
            json.name("enum").beginArray();
            for (String word : param.words()) {
                json.value(word);
            }
            json.endArray();
        }
        String initial = param.initial();
        if (initial != null) {
            json.name("default");
            if (param.kind() == Param.Kind.WHOLE) {
                json.value(Long.parseLong(initial));
            } else {
                json.value(initial);
            }
        }
        json.endObject().endObject();
    }

    private static void content(JsonWriter json, List<Reply> replies) throws IOException {
        json.name("content").beginObject();
        for (Reply reply : replies) {
            json.name(reply.type()).beginObject();
            if (!reply.schema().isEmpty()) {
                json.name("schema").beginObject();
                json.name("$ref")
                        .value("#/components/schemas/" + reply.schema())
                        .endObject();
            }
            json.endObject();
        }
        json.endObject();
    }

    private static void components(JsonWriter json) throws IOException {
        json.name("components").beginObject();
        json.name("schemas").json(schemas());
        json.name("responses").beginObject().name(PROBLEM).beginObject();
        json.name("description")
                .value(
                        "Not answered as asked: 400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 421, 429, 500 or 503.");
        content(json, List.of(Reply.json(0, PROBLEM, "")));
        json.endObject().endObject();
        json.name("securitySchemes").beginObject();
        bearer(json, "operator", "bearer", "The token in operator.token of the data folder.");
        bearer(json, "reader", "bearer", "The token in reader.token of the data folder.");
        bearer(json, "agent", "bearer", "A token of agents of the job.");
        bearer(
                json,
                "password",
                "basic",
                "Operator's or reader's token as the password, any user; for browsers, reading only.");
        json.endObject().endObject();
    }

    private static void bearer(JsonWriter json, String name, String scheme, String text) throws IOException {
        json.name(name).beginObject().name("type").value("http");
        json.name("scheme").value(scheme);
        json.name("description").value(text).endObject();
    }

    private static String schemas() throws IOException {
        try (InputStream in = OpenApi.class.getResourceAsStream("schemas.json")) {
            if (in == null) {
                throw new IOException("schemas.json is missing in the class path, expected beside " + Answer.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
