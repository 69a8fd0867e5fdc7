package dev.argus.agent.ship;

import dev.argus.kafka.KafkaPoster;
import dev.argus.model.AgentCommand;
import dev.argus.model.AgentRecord;
import dev.argus.model.AgentTick;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RecordLoss;
import dev.argus.transport.FrameSender;
import dev.argus.transport.Outbox;
import dev.argus.transport.SenderSettings;
import dev.argus.transport.SenderStatus;
import dev.argus.transport.Spool;
import dev.argus.wire.SessionId;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The way of one job: a box that closes frames, the spool they wait in, and the thread that sends them. */
final class JobShipper {
    /** Who a rank is, is said again so often: a server that lost a frame must not wait for it for ever. */
    private static final long DECLARE_NANOS = 60_000_000_000L;

    private static final int MOST_RANKS = 4096;
    private static final SecureRandom RANDOM = new SecureRandom();

    final JobFolder folder;
    final Spool spool;
    final FrameSender sender;
    final WayNotices notices;
    private final ShipOptions options;
    private final NameTable names;
    private final Map<Integer, RankDeclaration> declared = new TreeMap<>();
    private @Nullable Outbox outbox;
    private int attempt;
    private int waiting;
    private boolean heardOf;
    private long now;
    private long flushedNanos;
    private long declaredNanos;
    long heardNanos;

    private JobShipper(
            JobFolder folder, ShipOptions options, NameTable names, Spool spool, FrameSender sender, long now) {
        this.folder = folder;
        this.options = options;
        this.names = names;
        this.spool = spool;
        this.sender = sender;
        this.notices = new WayNotices(folder.job(), options.to());
        this.flushedNanos = now;
        this.declaredNanos = now;
        this.heardNanos = now;
        this.now = now;
    }

    /**
     * Opens the spool and begins to send what is in it.
     *
     * @param commands takes what the server asks, on the sender's thread
     * @param most of them that may wait; what is beyond is asked for again
     * @throws IOException if the spool cannot be used
     */
    static JobShipper open(
            JobFolder folder, ShipOptions options, NameTable names, Queue<AgentCommand> commands, int most, long now)
            throws IOException {
        Spool spool = Spool.open(folder.spool(), options.limits());
        try {
            folder.begin();
            FrameSender sender =
                    sender(folder, options, spool, command -> commands.size() < most && commands.add(command));
            sender.start();
            return new JobShipper(folder, options, names, spool, sender, now);
        } catch (IOException | IllegalArgumentException unusable) {
            spool.close();
            throw unusable;
        }
    }

    /** Kafka's classes are loaded here, and only where a topic is shipped to: the agent's memory is a promise. */
    private static FrameSender sender(
            JobFolder folder, ShipOptions options, Spool spool, Predicate<AgentCommand> commands) throws IOException {
        SenderSettings settings = options.sender(folder.job(), RANDOM.nextLong());
        KafkaWay way = options.kafka();
        return way == null
                ? new FrameSender(settings, spool, commands)
                : new FrameSender(
                        settings, spool, commands, new KafkaPoster(way.address(), way.access(), way.patience()));
    }

    private Outbox outbox() {
        Outbox box = outbox;
        if (box == null) {
            box = new Outbox(
                    spool,
                    folder.job(),
                    options.host(),
                    names,
                    () -> new SessionId(RANDOM.nextLong(), RANDOM.nextLong()),
                    () -> now);
            outbox = box;
        }
        return box;
    }

    void add(AgentRecord record, int ofAttempt, long nowNanos) {
        now = nowNanos;
        heardNanos = nowNanos;
        heardOf = true;
        if (ofAttempt > attempt) {
            attempt = ofAttempt;
            declared.values().removeIf(d -> d.attempt() < ofAttempt);
            outbox().attempt(ofAttempt);
        }
        outbox().add(record);
        if (++waiting >= options.mostRecords()) {
            flush();
        }
    }

    void declare(RankDeclaration declaration, long nowNanos) {
        add(declaration, declaration.attempt(), nowNanos);
        if (declared.size() < MOST_RANKS) {
            declared.put(declaration.rank(), declaration);
        }
    }

    void lost(int rank, String reason, long count, long nowNanos) {
        add(new RecordLoss(attempt, rank, names.id(reason), count), attempt, nowNanos);
    }

    void tick(long nowNanos, long monotonicNanos) {
        now = nowNanos;
        if (!heardOf || nowNanos - flushedNanos < options.flushNanos()) {
            return;
        }
        if (nowNanos - declaredNanos >= DECLARE_NANOS) {
            declaredNanos = nowNanos;
            declared.values().forEach(d -> outbox().add(d));
        }
        outbox().add(new AgentTick(nowNanos, monotonicNanos));
        flush();
    }

    /** Closes the frame that is being filled: what was added is safe from the death of this process. */
    void flush() {
        Outbox box = outbox;
        flushedNanos = now;
        waiting = 0;
        if (box != null) {
            box.flush();
        }
    }

    /** True if all was sent, or cannot be at the moment. */
    boolean isDone() {
        SenderStatus status = sender.status();
        return spool.frames() == 0
                || sender.caughtUp()
                || (status.failures() > 0 && !status.problem().isEmpty());
    }

    /** Stops; what is left stays in the spool. */
    void close(long millis) throws IOException {
        sender.close(Duration.ofMillis(Math.max(1, Math.min(millis, TimeUnit.SECONDS.toMillis(30)))));
        spool.close();
    }
}
