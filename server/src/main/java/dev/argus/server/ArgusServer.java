package dev.argus.server;

import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.SafeText;
import dev.argus.model.Topology;
import dev.argus.server.access.Gate;
import dev.argus.server.access.TokenFile;
import dev.argus.server.alerts.AlertService;
import dev.argus.server.alerts.AlertTiming;
import dev.argus.server.api.Api;
import dev.argus.server.api.ApiParts;
import dev.argus.server.api.FleetEvents;
import dev.argus.server.api.FrontPage;
import dev.argus.server.config.ServerSettings;
import dev.argus.server.control.AgentDesk;
import dev.argus.server.control.AgentUploads;
import dev.argus.server.control.CommandDesk;
import dev.argus.server.control.IncidentExcerpts;
import dev.argus.server.control.ObjectKeeper;
import dev.argus.server.http.EventHub;
import dev.argus.server.http.HttpFront;
import dev.argus.server.ingest.Ingest;
import dev.argus.server.ingest.JobSource;
import dev.argus.server.ingest.ServerClock;
import dev.argus.server.job.Fleet;
import dev.argus.server.metrics.ServerHealth;
import dev.argus.server.metrics.ServerMetrics;
import dev.argus.server.page.LivePage;
import dev.argus.storage.DataFolder;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.OwnFolder;
import dev.argus.storage.Store;
import dev.argus.storage.Tier;
import dev.argus.storage.duck.DuckStore;
import dev.argus.storage.object.FolderObjects;
import dev.argus.storage.object.S3Address;
import dev.argus.storage.object.S3Objects;
import dev.argus.transport.FrameHandler;
import dev.argus.wire.WireException;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server, whole: opens the store, goes on where the last checkpoint was taken, listens, and takes all of it down again in the opposite order.
 *
 * <p>From the moment the constructor has returned frames are taken. What was said to agents to be safe survives SIGKILL at any moment; {@link #close} only saves the work of judging some seconds again.
 */
public final class ArgusServer implements AutoCloseable {
    /** Bytes of the heat map of one job: 12,960 ranks over some 1,200 steps. */
    private static final long HEAT_BYTES = 96L << 20;

    private static final int FRAMES_AT_A_TIME = 16;

    /** When nothing was kept for so long the server is not well. */
    private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(2);

    private static final int LIFE_BYTES = 6;
    private static final String COMMANDS = "commands";
    private static final String ALERTS = "alerts";

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Consumer<String> problems;
    private final JobSource ingest;
    private final HttpFront front;
    private final Gate gate;
    private final DataFolder data;
    /** The data folder is this server's, and not that of another one that runs on it. */
    private boolean ours;

    private volatile boolean ready;

    /**
     * Starts.
     *
     * @param topology layout of its jobs as stated, or null
     * @param problems takes sentences for an operator, from any thread
     * @throws IOException if the store, the tokens or the address cannot be used; the message says what to do
     */
    @SuppressWarnings("this-escape") // suppliers that are asked later
    public ArgusServer(ServerSettings settings, @Nullable Topology topology, Consumer<String> problems)
            throws IOException {
        this.problems = problems;
        this.data = new DataFolder(OwnFolder.make(settings.data()));
        try {
            Path underway = OwnFolder.make(data.folder().resolve("underway"));
            ServerClock clock = ServerClock.system();
            long begunNanos = clock.nanos();
            ObjectStore objects = opened(objects(settings, data));
            Store store = opened(DuckStore.open(data, settings.diskBytes(), objects));
            ours = true;
            Files.deleteIfExists(data.server()); // of one that was killed
            CommandDesk desk = new CommandDesk(clock::nanos);
            gate = Gate.open(settings, System::nanoTime);

            Lateinit late = new Lateinit();
            ObjectKeeper keeper = new ObjectKeeper(
                    objects, underway, clock::nanos, (job, row) -> late.ingest().stored(job, row), problems);
            Map<String, Supplier<byte[]>> others =
                    Map.of(COMMANDS, desk::snapshot, ALERTS, () -> late.alerts().snapshot());
            ingest = settings.diagnoses()
                    ? new Ingest(
                            new Ingest.Limits(
                                    settings.mostJobs(),
                                    settings.mostRanks(),
                                    settings.queueBytes(),
                                    HEAT_BYTES,
                                    settings.checkpointEach().toNanos()),
                            options(settings, topology),
                            store,
                            clock,
                            desk,
                            (job, incident, text) -> keeper.text(job, incident, "stacks.collapsed", "stacks", text),
                            others,
                            problems)
                    : RemoteParts.ingest(settings, store, clock, desk, others, problems);
            late.ingest = ingest;
            Fleet fleet = ingest.fleet();
            AlertService alerts = new AlertService(
                    fleet,
                    settings.webhooks(),
                    AlertTiming.DEFAULT,
                    settings.address(),
                    InstantSource.system(),
                    problems,
                    new SecureRandom().nextLong());
            late.alerts = alerts;
            restore(store, desk, alerts);

            EventHub events = new EventHub(life(), EventHub.Bounds.DEFAULT);
            ServerMetrics metrics = new ServerMetrics(
                    fleet,
                    store::status,
                    ingest::received,
                    () -> health(settings),
                    alerts::status,
                    () -> instant(clock.nanos()),
                    ServerMetrics.MOST_SERIES);
            fleet.listen(metrics);
            if (settings.diagnoses() || settings.forward() != null) {
                fleet.listen(new IncidentExcerpts(desk)); // agents hear it in the replies to their frames
            }
            fleet.listen(new FleetEvents(events));
            ApiParts api = new ApiParts(
                    settings,
                    fleet,
                    store,
                    objects,
                    new AgentDesk(fleet, desk),
                    new AgentUploads(desk, keeper, underway, Tier.OBJECTS.bytesOf(settings.diskBytes()), fleet),
                    gate,
                    new FrameHandler(ingest.receiver(), gate, FRAMES_AT_A_TIME),
                    events,
                    () -> new String(metrics.page(null).body(), StandardCharsets.UTF_8),
                    () -> ready,
                    ingest::held,
                    () -> keeps(settings, clock, begunNanos));
            front = new HttpFront(
                    settings,
                    gate,
                    Api.router(api),
                    new LivePage(new FrontPage(fleet)),
                    () -> ready,
                    System::nanoTime,
                    problems);

            ingest.start().forEach(problems);
            parts.push(ingest);
            alerts.start();
            parts.push(alerts);
            parts.push(keeper);
            parts.push(events);
            front.start();
            parts.push(front);
            ready = true;
            announce();
        } catch (IOException | RuntimeException | Error failed) {
            close();
            throw failed;
        }
    }

    /** Parts that know each other. */
    private static final class Lateinit {
        private volatile @Nullable JobSource ingest;
        private volatile @Nullable AlertService alerts;

        JobSource ingest() {
            JobSource known = ingest;
            if (known == null) {
                throw new IllegalStateException("not yet");
            }
            return known;
        }

        AlertService alerts() {
            AlertService known = alerts;
            if (known == null) {
                throw new IllegalStateException("not yet");
            }
            return known;
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    private static ObjectStore objects(ServerSettings settings, DataFolder data) throws IOException {
        URI bucket = settings.objects();
        return bucket == null
                ? new FolderObjects(data.objects())
                : new S3Objects(S3Address.of(bucket, settings.s3Endpoint()));
    }

    private static LiveOptions options(ServerSettings settings, @Nullable Topology topology) {
        LiveOptions usual = LiveOptions.DEFAULT;
        return new LiveOptions(
                topology,
                settings.lateness().toNanos(),
                usual.settleNanos(),
                usual.conclusionNanos(),
                usual.hangNanos());
    }

    private void restore(Store store, CommandDesk desk, AlertService alerts) throws IOException {
        Map<String, byte[]> state = store.state();
        byte[] commands = state.get(COMMANDS);
        if (commands != null) {
            try {
                desk.restore(commands);
            } catch (WireException unreadable) {
                problems.accept("commands that agents had not done are forgotten: " + unreadable.getMessage());
            }
        }
        byte[] told = state.get(ALERTS);
        if (told != null) {
            alerts.restore(told);
        }
    }

    private ServerHealth health(ServerSettings settings) {
        var checkpoint = ingest.checkpoints();
        return new ServerHealth(
                ingest.queuedBytes(),
                settings.queueBytes(),
                checkpoint.atNanos(),
                checkpoint.tookNanos(),
                !ingest.held().isEmpty(),
                ingest.dropped(),
                checkpoint.without().size());
    }

    /** Whether something was kept, or there was nothing to keep, not long ago; one that only shows what others found goes on showing it. */
    private boolean keeps(ServerSettings settings, ServerClock clock, long begunNanos) {
        var checkpoint = ingest.checkpoints();
        long each = Math.max(settings.checkpointEach().toNanos(), checkpoint.tookNanos());
        return !settings.diagnoses()
                || clock.nanos() - Math.max(begunNanos, checkpoint.atNanos()) <= Math.max(KEEP_NANOS, 3 * each);
    }

    private static Instant instant(long epochNanos) {
        long second = TimeUnit.SECONDS.toNanos(1);
        return Instant.ofEpochSecond(epochNanos / second, epochNanos % second);
    }

    private static String life() {
        byte[] random = new byte[LIFE_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** Says in the data folder where it listens, for the commands of the same user. */
    private void announce() throws IOException {
        String url = address().toString().replaceAll("/$", "");
        String token = data.folder().resolve(TokenFile.OPERATOR).toString();
        StringBuilder text = new StringBuilder();
        new JsonWriter(text, 0)
                .beginObject()
                .name("url")
                .value(url)
                .name("tokenFile")
                .value(token)
                .endObject();
        Path next = data.server().resolveSibling("server.json.new");
        Files.deleteIfExists(next);
        TokenFile.write(next, text.append('\n').toString());
        Files.move(next, data.server(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Where it listens. */
    public URI address() {
        return front.address();
    }

    /** The jobs. */
    public Fleet fleet() {
        return ingest.fleet();
    }

    /** Who may do what. */
    public Gate gate() {
        return gate;
    }

    /** Ends: what waits is judged and kept, as far as some seconds are enough. */
    @Override
    public void close() {
        ready = false;
        if (ours) {
            try {
                Files.deleteIfExists(data.server());
            } catch (IOException left) {
                // whoever reads it finds nobody there
            }
        }
        for (AutoCloseable part = parts.poll(); part != null; part = parts.poll()) {
            try {
                part.close();
            } catch (Exception e) {
                problems.accept("not closed in order: " + SafeText.sentence(String.valueOf(e.getMessage())));
            }
        }
    }
}
