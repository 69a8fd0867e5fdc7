package dev.argus.cli.query;

import dev.argus.storage.QueryException;
import dev.argus.storage.QueryResult;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A question to a server that runs: {@code POST /api/v1/query}. */
final class ServerQuestion {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_BYTES = 64 << 20;
    private static final int OK = 200;
    private static final int REFUSED = 400;

    private ServerQuestion() {}

    /**
     * Asks.
     *
     * @throws QueryException if the server refuses the question
     * @throws java.net.ConnectException if nobody listens there
     * @throws IOException if it fails otherwise
     */
    static QueryResult ask(URI server, String token, String sql, int rows) throws QueryException, IOException {
        check(server, token);
        StringBuilder body = new StringBuilder();
        new JsonWriter(body, 0)
                .beginObject()
                .name("sql")
                .value(sql)
                .name("rows")
                .value((long) rows)
                .endObject();
        String base = server.toString();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create((base.endsWith("/") ? base : base + "/") + "api/v1/query"))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Duration.ofSeconds(10))
                .build()) {
            HttpResponse<InputStream> response =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream in = response.body()) {
                return answer(response.statusCode(), in.readNBytes(MOST_BYTES));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static QueryResult answer(int status, byte[] body) throws QueryException, IOException {
        if (status == OK) {
            return AnswerJson.answer(body);
        }
        @Nullable Object why;
        try {
            Map<String, @Nullable Object> members = AnswerJson.object(body, "the answer");
            why = members.get("error");
        } catch (IOException foreign) {
            throw new IOException("status " + status + " with an answer that is not of an Argus server", foreign);
        }
        if (status == REFUSED) {
            throw new QueryException(String.valueOf(why));
        }
        throw new IOException("status " + status + ": " + why
                + (status == 401 || status == 403
                        ? "; questions need the operator's token: give a copy of operator.token of its data folder with --token-file"
                        : ""));
    }

    /** A token in plain sight is a token given away. */
    private static void check(URI server, String token) throws IOException {
        boolean http = "http".equals(server.getScheme());
        if (server.getHost() == null || !(http || "https".equals(server.getScheme()))) {
            throw new IOException("'" + server + "' is no address of a server, expected http://HOST:PORT or https");
        }
        if (http && !token.isEmpty() && !InetAddress.getByName(server.getHost()).isLoopbackAddress()) {
            throw new IOException("a token does not go to another host over plain http; use https");
        }
    }
}
