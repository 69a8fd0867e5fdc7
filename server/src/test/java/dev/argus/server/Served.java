package dev.argus.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.NameTable;
import dev.argus.server.access.Gate;
import dev.argus.server.access.TokenFile;
import dev.argus.server.api.Api;
import dev.argus.server.api.ApiParts;
import dev.argus.server.api.ControlDesk;
import dev.argus.server.api.FleetEvents;
import dev.argus.server.api.FrontPage;
import dev.argus.server.api.NotOrderedException;
import dev.argus.server.config.ServerSettings;
import dev.argus.server.config.SettingsException;
import dev.argus.server.config.SettingsReader;
import dev.argus.server.http.EventHub;
import dev.argus.server.http.HttpFront;
import dev.argus.server.http.Router;
import dev.argus.server.page.LivePage;
import dev.argus.storage.Rows;
import dev.argus.transport.CommandSource;
import dev.argus.transport.FrameHandler;
import dev.argus.transport.FrameReceiver;
import dev.argus.transport.FrameSink;
import dev.argus.wire.Frame;
import dev.argus.wire.SessionId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A whole interface that listens, over fakes. */
public final class Served implements AutoCloseable {
    public final FakeFleet fleet = new FakeFleet();
    public final MemoryStore store = new MemoryStore();
    public final MemoryObjects objects = new MemoryObjects();
    public final List<Object> ordered = new CopyOnWriteArrayList<>();
    public final List<String> log = new CopyOnWriteArrayList<>();
    public final AtomicLong frames = new AtomicLong();
    public final AtomicLong clock = new AtomicLong();
    public volatile boolean ready = true;
    public volatile String held = "";
    public volatile boolean keeps = true;
    public final ServerSettings settings;
    public final Gate gate;
    public final EventHub hub;
    public final Router router;
    public final HttpFront front;
    public final HttpClient client;
    public final String operator;
    public final String reader;

    /** Listens on this host alone; at most a million requests a second. */
    public Served(Path data, String... flags) throws IOException {
        this(HttpClient.newHttpClient(), EventHub.Bounds.DEFAULT, data, flags);
    }

    public Served(HttpClient client, EventHub.Bounds bounds, Path data, String... flags) throws IOException {
        this.client = client;
        settings = settings(data, flags);
        gate = Gate.open(settings, System::nanoTime);
        hub = new EventHub("life1", bounds);
        FleetEvents events = new FleetEvents(hub);
        fleet.listen(events);
        FrameSink sink = new FrameSink() {
            @Override
            public NameTable names(String job) {
                return new NameTable();
            }

            @Override
            public boolean take(Frame frame) {
                frames.incrementAndGet();
                return true;
            }

            @Override
            public void missing(SessionId session, String job, String host, long first, long last) {}
        };
        FrameReceiver receiver = new FrameReceiver(sink, CommandSource.NONE, true, 100);
        router = Api.router(new ApiParts(
                settings,
                fleet,
                store,
                objects,
                desk(),
                (job, name, body) -> {
                    if (!name.startsWith("asked")) {
                        throw new NotOrderedException("nobody asked for it", "a name that was asked for");
                    }
                    byte[] bytes = body.readAllBytes();
                    objects.all.put("excerpts/" + name, bytes);
                    return new Rows.StoredObject(job, "excerpts/" + name, "", "perfetto", bytes.length, Samples.EPOCH);
                },
                gate,
                new FrameHandler(receiver, gate, 8),
                hub,
                () -> "# TYPE argus_up gauge\nargus_up 1\n",
                () -> ready,
                () -> held,
                () -> keeps));
        front = new HttpFront(
                settings, gate, router, new LivePage(new FrontPage(fleet)), () -> ready, System::nanoTime, log::add);
        operator = gate.operator().token();
        reader = TokenFile.read(data.resolve(TokenFile.READER));
        front.start();
    }

    public static ServerSettings settings(Path data, String... flags) {
        Map<String, String> all =
                new HashMap<>(Map.of("port", "0", "data", data.toString(), "requests-per-second", "1000000"));
        for (String flag : flags) {
            int sign = flag.indexOf('=');
            all.put(flag.substring(0, sign), flag.substring(sign + 1));
        }
        try {
            return SettingsReader.read(null, Map.of(), all).settings();
        } catch (SettingsException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private ControlDesk desk() {
        return new ControlDesk() {
            @Override
            public Ordered retune(String job, Tuning tuning) throws NotOrderedException {
                if (tuning.ranks().contains(999)) {
                    throw new NotOrderedException("no agent has rank 999", "ranks of the job");
                }
                ordered.add(tuning);
                return new Ordered(List.of(7L, 8L), 2);
            }

            @Override
            public Ordered excerpt(String job, Excerpt excerpt) {
                ordered.add(excerpt);
                return new Ordered(List.of(9L), 1);
            }
        };
    }

    public int port() {
        return front.address().getPort();
    }

    public URI at(String path) {
        return front.address().resolve(path);
    }

    /** Headers in pairs. */
    public HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(at(path))
                .method(
                        method,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    public HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        return send("GET", path, new byte[0], headers);
    }

    public HttpResponse<byte[]> post(String path, String json, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
        all.addAll(List.of(headers));
        return send("POST", path, json.getBytes(java.nio.charset.StandardCharsets.UTF_8), all.toArray(new String[0]));
    }

    public String bearer() {
        return "Bearer " + operator;
    }

    /** Nothing went wrong that should not. */
    public void assertNoBugs() {
        assertThat(log).isEmpty();
        assertThat(front.status().failed()).isZero();
    }

    @Override
    public void close() {
        front.close();
        hub.close();
        client.close();
    }
}
