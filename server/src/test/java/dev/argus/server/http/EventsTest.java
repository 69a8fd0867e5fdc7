package dev.argus.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.IncidentState;
import dev.argus.server.Samples;
import dev.argus.server.Served;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Live events: ids, coming back, signs of life, and clients that are too slow or too many. */
@Timeout(60)
@SuppressWarnings({"AddressSelection", "UnnecessaryParentheses"})
class EventsTest {
    private static final EventHub.Bounds BOUNDS = new EventHub.Bounds(2, 8, 1 << 20, 4, Duration.ofMillis(50));

    @TempDir
    Path data;

    private Served served;
    private final JobView job = Samples.view(Samples.JOB);

    @BeforeEach
    void start() throws IOException {
        served = new Served(HttpClient.newHttpClient(), BOUNDS, data);
    }

    @AfterEach
    void stop() {
        served.close();
    }

    /** A client that listens. */
    private final class Listener implements AutoCloseable {
        private final InputStream in;
        private final BufferedReader lines;
        private final int status;

        Listener(String query, String from) throws Exception {
            HttpRequest.Builder request = HttpRequest.newBuilder(served.at("/api/v1/events" + query));
            if (!from.isEmpty()) {
                request.header("Last-Event-ID", from);
            }
            HttpResponse<InputStream> answer =
                    served.client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            status = answer.statusCode();
            in = answer.body();
            lines = new BufferedReader(new InputStreamReader(in, UTF_8));
            if (status == 200) {
                assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
                assertThat(lines.readLine()).startsWith("retry: ");
                assertThat(lines.readLine()).startsWith(":");
                assertThat(lines.readLine()).isEmpty();
            }
        }

        /** The lines of the next event; signs of life are passed over. */
        List<String> next() throws IOException {
            List<String> event = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty() && !event.isEmpty()) {
                    return event;
                }
                if (!line.isEmpty() && !line.startsWith(":")) {
                    event.add(line);
                }
            }
            return event;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    private FleetListener events() {
        return served.fleet.listeners.getFirst();
    }

    private void step(long number) {
        events().step(job, new Rows.Step(Samples.JOB, 2, number, Samples.EPOCH, 1, 2, 1, 2), job.lastPhases());
    }

    private static JsonNode data(List<String> event) {
        assertThat(event).hasSize(3);
        assertThat(event.get(2)).startsWith("data: ");
        return JsonMapper.shared().readTree(event.get(2).substring("data: ".length()));
    }

    @Test
    void everythingThatHappensIsToldInOrderWhateverNamesHold() throws Exception {
        try (Listener listener = new Listener("", "")) {
            events().appeared(job);
            step(28);
            events().incident(
                            job,
                            new IncidentChange(
                                    IncidentChange.Kind.OPENED,
                                    Samples.incident("i1", IncidentState.OPEN, Samples.HOSTILE),
                                    Samples.EPOCH));
            events().forgotten(job);
            List<String> appeared = listener.next();
            assertThat(appeared).startsWith("id: life1-1", "event: job");
            assertThat(data(appeared).get("summary").get("job").stringValue()).isEqualTo(Samples.JOB);
            List<String> step = listener.next();
            assertThat(step).startsWith("id: life1-2", "event: step");
            assertThat(data(step).get("step").get("startEpochNanos").longValue())
                    .isEqualTo(Samples.EPOCH);
            assertThat(data(step).get("phases").get(0).get("phase").stringValue())
                    .isEqualTo(Samples.HOSTILE);
            List<String> incident = listener.next();
            assertThat(incident).startsWith("id: life1-3", "event: incident");
            assertThat(data(incident).get("change").stringValue()).isEqualTo("opened");
            assertThat(data(incident).get("incident").get("hosts").get(0).stringValue())
                    .isEqualTo(Samples.HOSTILE);
            assertThat(data(listener.next()).get("change").stringValue()).isEqualTo("forgotten");
        }
    }

    @Test
    void aClientThatComesBackGetsWhatItMissed() throws Exception {
        for (int i = 1; i <= 5; i++) {
            step(i);
        }
        try (Listener listener = new Listener("", "life1-3")) {
            assertThat(listener.next()).startsWith("id: life1-4");
            assertThat(listener.next()).startsWith("id: life1-5");
            step(6);
            assertThat(listener.next()).startsWith("id: life1-6");
        }
        try (Listener listener = new Listener("", "life1-6")) {
            step(7);
            assertThat(listener.next()).as("nothing was missed").startsWith("id: life1-7");
        }
    }

    @Test
    void aClientThatMissedTooMuchIsToldSo() throws Exception {
        for (int i = 1; i <= 20; i++) {
            step(i);
        }
        for (String from : List.of("life1-3", "otherlife-19", "life1-99", "life1-x", "x")) {
            try (Listener listener = new Listener("", from)) {
                assertThat(listener.next()).as(from).contains("event: reset");
            }
            awaitClients(0);
        }
        try (Listener listener = new Listener("", "life1-12")) {
            assertThat(listener.next()).as("the oldest that is kept is 13").startsWith("id: life1-13");
        }
    }

    @Test
    void oneJobAloneCanBeListenedTo() throws Exception {
        try (Listener listener = new Listener("?job=" + URLEncoder.encode(Samples.JOB, UTF_8), "")) {
            events().appeared(Samples.view("another"));
            step(1);
            assertThat(listener.next()).startsWith("id: life1-2");
        }
    }

    @Test
    void clientsBeyondTheBoundAreToldToComeAgain() throws Exception {
        try (Listener one = new Listener("", "");
                Listener two = new Listener("", "")) {
            awaitClients(2);
            try (Listener three = new Listener("", "")) {
                assertThat(three.status).isEqualTo(503);
            }
            step(1);
            assertThat(one.next()).isEqualTo(two.next());
        }
        awaitClientsGone();
    }

    /** A closed connection is noticed with the next sign of life or event. */
    private void awaitClientsGone() throws InterruptedException {
        awaitClients(0);
    }

    private void awaitClients(int wanted) throws InterruptedException {
        while (served.hub.clients() != wanted) {
            Thread.sleep(5);
        }
    }

    @Test
    void aClientThatReadsNothingIsDroppedAndNobodyWaitsForIt() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", served.port());
                Listener quick = new Listener("", "")) {
            socket.setReceiveBufferSize(1024);
            socket.getOutputStream().write(("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(UTF_8));
            awaitClients(2);
            String large = "x".repeat(200_000);
            int sent = 0;
            while (served.hub.dropped() == 0) {
                served.hub.publish("step", "", large);
                sent++;
                assertThat(quick.next()).hasSize(3).element(0).isEqualTo("id: life1-" + sent);
            }
            awaitClients(1);
        }
    }
}
