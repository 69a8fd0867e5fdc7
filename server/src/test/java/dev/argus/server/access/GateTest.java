package dev.argus.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.server.Served;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is let through, and with which status others are not. */
class GateTest {
    @TempDir
    Path folder;

    private final AtomicLong clock = new AtomicLong();

    private Gate gate(String... flags) throws IOException {
        return Gate.open(Served.settings(folder, flags), clock::get);
    }

    private static Asked asked(String method, @Nullable String authorization) throws IOException {
        return asked(method, "localhost:1", null, null, null, authorization);
    }

    private static Asked asked(
            String method,
            @Nullable String host,
            @Nullable String origin,
            @Nullable String site,
            @Nullable String mode,
            @Nullable String authorization)
            throws IOException {
        return new Asked(method, InetAddress.getByName("10.0.0.9"), host, origin, site, mode, authorization, false);
    }

    private static int status(Gate gate, Asked asked, Need need) {
        Refusal refusal = gate.judge(asked, need);
        return refusal == null ? 200 : refusal.status();
    }

    private static String basic(String password) {
        return "Basic " + Base64.getEncoder().encodeToString(("me:" + password).getBytes(UTF_8));
    }

    @Test
    void onThisHostReadingIsFreeAndEverythingElseNeedsTheOperator() throws Exception {
        Gate gate = gate();
        String operator = "Bearer " + gate.operator().token();
        String reader = "bearer  " + TokenFile.read(folder.resolve(TokenFile.READER));
        String agent = "Bearer " + gate.agents().issue("job");
        assertThat(status(gate, asked("GET", null), Need.NOTHING)).isEqualTo(200);
        assertThat(status(gate, asked("GET", null), Need.READ)).isEqualTo(200);
        assertThat(status(gate, asked("GET", "Bearer wrong"), Need.READ)).isEqualTo(401);
        assertThat(status(gate, asked("GET", agent), Need.READ)).isEqualTo(200);
        for (String token : List.of("", "Bearer wrong", "Bearer ", "Digest x", "Bearer " + "x".repeat(100_000))) {
            assertThat(status(gate, asked("POST", token), Need.OPERATE))
                    .as(token)
                    .isEqualTo(401);
            assertThat(status(gate, asked("POST", token), Need.SHIP)).as(token).isEqualTo(401);
        }
        assertThat(status(gate, asked("POST", null), Need.SHIP))
                .as("agents on this host, too")
                .isEqualTo(401);
        assertThat(status(gate, asked("POST", reader), Need.OPERATE)).isEqualTo(403);
        assertThat(status(gate, asked("POST", agent), Need.OPERATE)).isEqualTo(403);
        assertThat(status(gate, asked("POST", reader), Need.SHIP)).isEqualTo(403);
        assertThat(status(gate, asked("POST", agent), Need.SHIP)).isEqualTo(200);
        assertThat(status(gate, asked("POST", operator), Need.SHIP)).isEqualTo(200);
        assertThat(status(gate, asked("POST", operator), Need.OPERATE)).isEqualTo(200);
    }

    private static String said(Gate gate, @Nullable String authorization, Need need) throws IOException {
        Refusal refusal = gate.judge(asked("POST", authorization), need);
        return refusal == null ? "" : refusal.error() + " | " + refusal.expected();
    }

    /** What came, what is needed, and in which file it is. */
    @Test
    void aRefusalSaysWhatCameAndWhichTokenIsNeeded() throws Exception {
        Gate gate = gate();
        assertThat(said(gate, null, Need.OPERATE)).startsWith("no token came with the request | ");
        assertThat(said(gate, "Digest x", Need.OPERATE))
                .isEqualTo(
                        "no token was found in the Authorization of the request | a line \"Authorization: Bearer TOKEN\""
                                + " with what is in operator.token of the server's data folder");
        assertThat(said(gate, "Bearer wrong", Need.SHIP))
                .contains("none of this server's", "POST /api/v1/jobs/JOB/tokens", "operator.token");
        String reader = "Bearer " + TokenFile.read(folder.resolve(TokenFile.READER));
        assertThat(said(gate, reader, Need.OPERATE)).contains("the reader's", "operator.token");
        String agent = "Bearer " + gate.agents().issue("job");
        assertThat(said(gate, agent, Need.OPERATE)).contains("one of agents", "operator.token");
    }

    @Test
    void whereOthersCanReachItReadingNeedsATokenToo() throws Exception {
        Gate gate = gate("host=0.0.0.0");
        String agent = "Bearer " + gate.agents().issue("job");
        String reader = TokenFile.read(folder.resolve(TokenFile.READER));
        assertThat(status(gate, asked("GET", null), Need.NOTHING)).isEqualTo(200);
        assertThat(status(gate, asked("GET", null), Need.READ)).isEqualTo(401);
        assertThat(status(gate, asked("GET", agent), Need.READ)).isEqualTo(403);
        assertThat(status(gate, asked("GET", "Bearer " + reader), Need.READ)).isEqualTo(200);
        assertThat(status(gate, asked("GET", "Bearer " + gate.operator().token()), Need.READ))
                .isEqualTo(200);
        Refusal refusal = gate.judge(asked("GET", null), Need.READ);
        assertThat(refusal).isNotNull();
        assertThat(refusal.headers().get("WWW-Authenticate")).startsWith("Basic");
    }

    @Test
    void passwordsOfBrowsersCountForReadingAlone() throws Exception {
        Gate gate = gate("host=0.0.0.0");
        String password = basic(gate.operator().token());
        assertThat(status(gate, asked("GET", password), Need.READ)).isEqualTo(200);
        assertThat(status(gate, asked("POST", password), Need.OPERATE)).isEqualTo(401);
        assertThat(status(gate, asked("GET", "Basic !!!"), Need.READ)).isEqualTo(401);
        assertThat(status(gate, asked("GET", "Basic "), Need.READ)).isEqualTo(401);
    }

    @Test
    void strangersNamesAndPagesAreRefusedWithAnyToken() throws Exception {
        Gate gate = gate();
        String operator = "Bearer " + gate.operator().token();
        for (String host : new String[] {null, "", "evil.example", "localhost.evil.example"}) {
            assertThat(status(gate, asked("GET", host, null, null, null, operator), Need.NOTHING))
                    .isEqualTo(421);
        }
        String own = "localhost:1";
        for (String origin : List.of("http://evil.example", "https://localhost:1", "http://localhost:2", "null", "")) {
            assertThat(status(gate, asked("POST", own, origin, null, null, operator), Need.OPERATE))
                    .as(origin)
                    .isEqualTo(403);
        }
        assertThat(status(
                        gate, asked("POST", own, "http://localhost:1", "same-origin", "cors", operator), Need.OPERATE))
                .isEqualTo(200);
        assertThat(status(gate, asked("POST", own, null, "cross-site", "no-cors", operator), Need.OPERATE))
                .isEqualTo(403);
        assertThat(status(gate, asked("POST", own, null, "cross-site", "navigate", operator), Need.OPERATE))
                .isEqualTo(403);
        assertThat(status(gate, asked("GET", own, null, "cross-site", "no-cors", null), Need.READ))
                .isEqualTo(403);
        assertThat(status(gate, asked("GET", own, null, "same-site", "cors", null), Need.READ))
                .isEqualTo(403);
        assertThat(status(gate, asked("GET", own, null, "cross-site", "navigate", null), Need.READ))
                .as("a link that is followed")
                .isEqualTo(200);
        assertThat(status(gate, asked("GET", own, null, "none", "navigate", null), Need.READ))
                .isEqualTo(200);
    }

    @Test
    void whoAsksTooOftenWaitsAndFramesOfKnownAgentsDoNotCount() throws Exception {
        Gate gate = gate("requests-per-second=10");
        String agent = "Bearer " + gate.agents().issue("job");
        int let = 0;
        while (status(gate, asked("GET", null), Need.READ) == 200) {
            let++;
        }
        assertThat(let).isEqualTo(20);
        Refusal refusal = gate.judge(asked("GET", null), Need.READ);
        assertThat(refusal).isNotNull();
        assertThat(refusal.status()).isEqualTo(429);
        assertThat(refusal.headers()).containsEntry("Retry-After", "1");
        assertThat(status(gate, asked("POST", agent), Need.SHIP)).isEqualTo(200);
        assertThat(status(gate, asked("POST", "Bearer guess"), Need.SHIP))
                .as("guessing is slow")
                .isEqualTo(429);
        clock.addAndGet(1_000_000_000L);
        int guesses = 0;
        while (status(gate, asked("POST", "Bearer guess"), Need.SHIP) == 401) {
            guesses++;
        }
        assertThat(guesses).as("each counts for five").isEqualTo(2);
    }
}
