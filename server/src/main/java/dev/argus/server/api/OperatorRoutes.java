package dev.argus.server.api;

import dev.argus.model.AgentCommand;
import dev.argus.model.RankSet;
import dev.argus.model.RankText;
import dev.argus.model.Signal;
import dev.argus.server.access.AgentTokens;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Call;
import dev.argus.server.http.JsonBody;
import dev.argus.server.http.Problem;
import dev.argus.server.http.Reply;
import dev.argus.server.http.Route;
import dev.argus.storage.QueryException;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.QueryResult;
import dev.argus.storage.Store;
import dev.argus.wire.json.JsonWriter;
import dev.argus.wire.json.Members;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What needs the token of the operator: questions in SQL, control of agents, tokens for them. */
final class OperatorRoutes {
    private static final int MOST_ROWS = 100_000;
    private static final int MOST_SQL = 16 << 10;
    private static final int QUERIES_AT_A_TIME = 2;
    private static final int MOST_RANK_TEXT = 64 << 10;
    private static final int MOST_WORD = 0xFFFF;

    private final Store store;
    private final ControlDesk desk;
    private final AgentTokens agents;
    private final Known known;
    private final Semaphore queries = new Semaphore(QUERIES_AT_A_TIME);

    OperatorRoutes(ApiParts parts) {
        store = parts.store();
        desk = parts.desk();
        agents = parts.gate().agents();
        known = new Known(parts);
    }

    List<Route> routes() {
        return List.of(
                Route.post(Api.ROOT + "/query")
                        .summary("Answers one SQL statement that only reads, over the tables of the store.")
                        .body(Reply.json(0, "Query", "The statement."))
                        .json("QueryAnswer", "The answer.")
                        .to(this::query),
                Route.post(Api.ROOT + "/jobs/{job}/control")
                        .summary("Has the agents of a job record otherwise, or send what they recorded in a time.")
                        .path(Known.JOB)
                        .body(Reply.json(0, "Control", "What agents are to do."))
                        .reply(Reply.json(202, "Ordered", "It goes out with the replies to the next frames."))
                        .to(this::control),
                Route.post(Api.ROOT + "/jobs/{job}/tokens")
                        .summary("Makes a token for the agents of a job. It is shown in this answer alone.")
                        .path(Known.JOB)
                        .reply(Reply.json(201, "Token", "The token."))
                        .to(this::token));
    }

    private Answer query(Call call) throws Problem, IOException {
        JsonBody body = JsonBody.read(call);
        String sql = body.text("sql", MOST_SQL);
        QueryLimits usual = QueryLimits.DEFAULT;
        int rows = body.has("rows") ? Math.toIntExact(body.whole("rows", 1, MOST_ROWS)) : usual.rows();
        body.end();
        if (!queries.tryAcquire()) {
            throw Problem.later("other questions are being answered");
        }
        try {
            QueryResult result = store.query(sql, new QueryLimits(rows, usual.bytes(), usual.millis()));
            return Answer.json(json -> answer(json, result));
        } catch (QueryException refused) {
            throw new Problem(400, String.valueOf(refused.getMessage()), "one SELECT over the tables of the store");
        } finally {
            queries.release();
        }
    }

    private static void answer(JsonWriter json, QueryResult result) throws IOException {
        json.beginObject();
        Members.strings(json, "columns", result.columns());
        Members.strings(json, "types", result.types());
        json.name("rows").beginArray();
        for (List<@Nullable Object> row : result.rows()) {
            json.beginArray();
            for (Object value : row) {
                value(json, value);
            }
            json.endArray();
        }
        json.endArray().name("cut").value(result.cut()).endObject();
    }

    private static void value(JsonWriter json, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.nullValue();
            case Boolean truth -> json.value(truth.booleanValue());
            case Long whole -> json.value(whole.longValue());
            case Double number -> json.value(number.doubleValue());
            default -> json.value(value.toString());
        }
    }

    private Answer control(Call call) throws Problem, IOException {
        String job = call.text("job");
        known.live(job);
        JsonBody body = JsonBody.read(call);
        try {
            ControlDesk.Ordered ordered = body.has("excerpt") ? excerpt(job, body) : retune(job, body);
            return Answer.json(202, json -> {
                json.beginObject().name("commands").beginArray();
                for (long command : ordered.commands()) {
                    json.value(command);
                }
                json.endArray().name("hosts").value(ordered.hosts()).endObject();
            });
        } catch (NotOrderedException impossible) {
            throw new Problem(409, String.valueOf(impossible.getMessage()), impossible.expected());
        }
    }

    private ControlDesk.Ordered excerpt(String job, JsonBody body) throws Problem, NotOrderedException {
        JsonBody excerpt = body.object("excerpt");
        body.end();
        RankSet ranks = ranks(excerpt);
        long from = excerpt.whole("fromEpochNanos", 0, Long.MAX_VALUE);
        long most = Math.min(Long.MAX_VALUE - AgentCommand.LONGEST_EXCERPT_NANOS, from)
                + AgentCommand.LONGEST_EXCERPT_NANOS;
        long to = excerpt.whole("toEpochNanos", from, most);
        excerpt.end();
        return desk.excerpt(job, new ControlDesk.Excerpt(ranks, from, to));
    }

    private ControlDesk.Ordered retune(String job, JsonBody body) throws Problem, NotOrderedException {
        RankSet ranks = ranks(body);
        Integer signals = body.has("signals") ? signals(body.texts("signals")) : null;
        Integer sampling = body.has("sampling") ? number(body.whole("sampling", 1, MOST_WORD)) : null;
        Integer stacks = body.has("stacksPerSecond")
                ? number(body.whole("stacksPerSecond", 0, AgentCommand.Retune.MOST_STACKS_PER_SECOND))
                : null;
        if (signals == null && sampling == null && stacks == null) {
            body.end();
            throw new Problem(400, "nothing to do", "signals, sampling or stacksPerSecond, or an excerpt");
        }
        body.end();
        return desk.retune(job, new ControlDesk.Tuning(ranks, signals, sampling, stacks));
    }

    private static Integer number(long value) {
        return Math.toIntExact(value);
    }

    private static int signals(List<String> words) throws Problem {
        Map<String, Integer> known = Signal.byWord();
        int bits = 0;
        for (String word : words) {
            Integer bit = known.get(word);
            if (bit == null) {
                throw new Problem(400, "a signal that is not known", "a list of " + String.join(", ", known.keySet()));
            }
            bits |= bit;
        }
        return bits;
    }

    private static RankSet ranks(JsonBody body) throws Problem {
        if (!body.has("ranks")) {
            return RankSet.EMPTY;
        }
        RankSet ranks = RankText.parse(body.text("ranks", MOST_RANK_TEXT));
        if (ranks == null || ranks.size() > AgentCommand.MOST_RANKS) {
            throw new Problem(
                    400,
                    "'ranks' is no list of ranks, or has too many",
                    "at most " + AgentCommand.MOST_RANKS + " ranks such as 0-7,16; none for all");
        }
        return ranks;
    }

    private Answer token(Call call) throws IOException {
        String job = call.text("job");
        String token = agents.issue(job);
        return Answer.json(201, json -> {
            json.beginObject().name("job").value(job);
            json.name("token").value(token).endObject();
        });
    }
}
