package dev.argus.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.server.Samples;
import dev.argus.server.Served;
import dev.argus.testkit.HostileRequests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of requests that no client would make, over plain sockets: each is refused with a status or closed, none goes through, and the server goes on. */
@Timeout(300)
class HostileRequestsTest {
    private static final int RANDOM = 5000;

    @TempDir
    Path data;

    @Test
    void areRefusedClearlyAndNeverDown() throws Exception {
        try (Served served = new Served(data)) {
            Samples.fill(served.fleet, served.store, served.objects);
            HostileRequests hostile = new HostileRequests(20261130);
            Map<String, Integer> statuses = new TreeMap<>();
            List<String> through = new ArrayList<>();
            for (int i = 0; i < RANDOM; i++) {
                byte[] request = hostile.next();
                String status = HostileRequests.send(served.port(), request);
                statuses.merge(status, 1, Integer::sum);
                if (status.equals("201") || status.equals("202")) {
                    through.add(new String(request, ISO_8859_1));
                }
            }
            assertThat(through).isEmpty();
            assertThat(served.ordered).isEmpty();
            assertThat(served.frames).hasValue(0);
            assertThat(served.log).isEmpty();
            assertThat(statuses.keySet())
                    .as("%s", statuses)
                    .allMatch(s -> s.matches("closed|100|200|304|400|401|403|404|405|406|411|413|414|415|421|501|503"));
            assertThat(statuses).containsKeys("400", "401", "404", "405", "421");
            assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(served.get("/api/v1/jobs").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whoGoesOnIsSlowedDownAndAgentsAreNot() throws Exception {
        try (Served served = new Served(data, "requests-per-second=50")) {
            byte[] bad = "GET /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(ISO_8859_1);
            Map<String, Integer> lines = new TreeMap<>();
            for (int i = 0; i < 500; i++) {
                lines.merge(HostileRequests.send(served.port(), bad), 1, Integer::sum);
            }
            assertThat(lines.get("429")).isGreaterThan(300);
            // A frame that is none, of a known agent: it is read, and refused as such.
            assertThat(served.send(
                                    "POST",
                                    "/api/v1/frames",
                                    new byte[] {1},
                                    "Authorization",
                                    served.bearer(),
                                    "Content-Type",
                                    "application/x-argus-shipment")
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    void aBodyThatIsCutIsNeverTakenForAWholeOne() throws Exception {
        try (Served served = new Served(data)) {
            String head = "PUT /api/v1/jobs/x/objects/asked HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                    + served.bearer() + "\r\nContent-Type: application/octet-stream\r\n";
            assertThat(HostileRequests.line(
                            served.port(), (head + "Content-Length: 10\r\n\r\nhello").getBytes(ISO_8859_1)))
                    .matches("|HTTP/1.1 400 .*");
            assertThat(HostileRequests.line(
                            served.port(),
                            (head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n").getBytes(ISO_8859_1)))
                    .matches("|HTTP/1.1 400 .*");
            assertThat(served.objects.all).isEmpty();
            assertThat(HostileRequests.line(
                            served.port(), (head + "Content-Length: 5\r\n\r\nhello").getBytes(ISO_8859_1)))
                    .startsWith("HTTP/1.1 201");
            assertThat(served.objects.all).containsOnlyKeys("excerpts/asked");
        }
    }
}
