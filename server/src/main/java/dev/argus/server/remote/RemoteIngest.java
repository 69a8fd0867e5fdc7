package dev.argus.server.remote;

import dev.argus.kafka.KafkaGateway;
import dev.argus.kafka.ReadPosition;
import dev.argus.kafka.TopicReader;
import dev.argus.kafka.TopicSource;
import dev.argus.server.ingest.Checkpoints;
import dev.argus.server.ingest.JobRows;
import dev.argus.server.ingest.JobSource;
import dev.argus.server.ingest.ServerClock;
import dev.argus.server.job.Fleet;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.storage.StoreFullException;
import dev.argus.transport.Backoff;
import dev.argus.transport.ReceiverStatus;
import dev.argus.transport.ShipmentReceiver;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server whose jobs others diagnose: it reads what they found, keeps it as its own, and hands frames on, if it is a gateway, else refuses them.
 *
 * <p>Rows, state and how far each partition is read go into the store in one transaction: a server that is killed goes on there, and every change counts once.
 *
 * <p>While the store takes nothing, nothing more is read than one checkpoint was to keep ({@link #held}): the topics hold it better than this memory, and nothing is lost.
 *
 * <p>One thread of its own, which reads, applies and keeps. Memory: a stated number of bytes for what is known of the jobs, {@value #ROW_BYTES} and one read more for rows that wait.
 */
public final class RemoteIngest implements JobSource {
    /** Name of the state among the server's. */
    static final String STATE = "remote";

    private static final int VERSION = 1;
    private static final Duration POLL = Duration.ofMillis(300);
    private static final long MAINTAIN_NANOS = 30_000_000_000L;
    private static final long END_MILLIS = 20_000;

    /** Rows of more bytes are kept at once. */
    static final long ROW_BYTES = 32L << 20;

    private static final Duration BACKOFF_TO = Duration.ofSeconds(30);

    private final Topics topics;
    private final Store store;
    private final ServerClock clock;
    private final Map<String, Supplier<byte[]>> others;
    private final Consumer<String> problems;
    private final long checkpointNanos;
    private final ShipmentReceiver receiver;
    private final RemoteJobs jobs;
    private final Thread thread;
    private @Nullable TopicSource reader;
    private JobRows left = new JobRows();
    private String readProblem = "";
    private String wayProblem = "";
    private String skippedTold = "";
    private volatile Checkpoints.Status status = new Checkpoints.Status(0, 0, 0, 0, "");
    private volatile boolean rowsWait;
    private volatile boolean stopping;

    /**
     * What is read.
     *
     * @param incidents topic of incidents; empty to read nothing
     * @param metrics topic of metrics
     * @param reader makes a reader of them that goes on at positions
     */
    public record Topics(String incidents, String metrics, Function<List<ReadPosition>, TopicSource> reader) {
        /** Nothing is read: a gateway alone. */
        public static final Topics NONE = new Topics("", "", from -> {
            throw new IllegalStateException("nothing is read");
        });
    }

    /**
     * Over a store.
     *
     * @param topics what is read
     * @param gateway takes frames and hands them on, or null to refuse them
     * @param mostJobs jobs at a time
     * @param mostBytes what is known of all of them together may take so much memory
     * @param checkpointEach how often rows and state are kept
     * @param others further state of the server by name, kept with every checkpoint
     * @param problems takes sentences for an operator
     */
    public RemoteIngest(
            Topics topics,
            @Nullable KafkaGateway gateway,
            int mostJobs,
            long mostBytes,
            Duration checkpointEach,
            Store store,
            ServerClock clock,
            Map<String, Supplier<byte[]>> others,
            Consumer<String> problems) {
        this.topics = topics;
        this.store = store;
        this.clock = clock;
        this.others = Map.copyOf(others);
        this.problems = problems;
        this.checkpointNanos = checkpointEach.toNanos();
        this.receiver = gateway == null ? new NoFrames() : gateway;
        this.jobs = new RemoteJobs(clock::nanos, mostJobs, mostBytes, problems);
        this.thread = new Thread(this::run, "argus-kafka-reader");
        this.thread.setDaemon(true);
    }

    @Override
    public List<String> start() throws IOException {
        List<String> lost = restore();
        thread.start();
        return lost;
    }

    /** Goes on where the last checkpoint was taken, without a thread. */
    List<String> restore() throws IOException {
        List<String> lost = new ArrayList<>();
        List<ReadPosition> from = new ArrayList<>();
        byte[] state = store.state().get(STATE);
        if (state != null) {
            try {
                WireReader in = WireReader.checked(state, "state of what is read from Kafka");
                int version = in.readByte();
                if (version != VERSION) {
                    throw new WireException("state of version " + version + ", expected " + VERSION);
                }
                for (int n = in.readCount(4); n > 0; n--) {
                    from.add(new ReadPosition(in.readText(), in.readText(), in.readInt(), in.readVarint()));
                }
                jobs.restore(in.readBytes());
                in.expectEnd();
            } catch (RuntimeException unreadable) {
                lost.add(
                        "what was known of jobs that others diagnose is lost, their topics are read from the beginning: "
                                + unreadable.getMessage());
                from.clear();
            }
        }
        if (!topics.incidents().isEmpty()) {
            reader = topics.reader().apply(from);
        }
        return lost;
    }

    private void run() {
        Backoff backoff = new Backoff(POLL, BACKOFF_TO, new SplittableRandom(System.identityHashCode(this)));
        long kept = System.nanoTime();
        long maintained = kept;
        try {
            while (!stopping) {
                long wait = step(backoff);
                long now = System.nanoTime();
                if (now - kept >= checkpointNanos || isDue()) {
                    contained(this::checkpoint);
                    contained(jobs::tidy);
                    kept = System.nanoTime();
                }
                if (now - maintained >= MAINTAIN_NANOS) {
                    maintained = now;
                    contained(this::maintain);
                }
                for (long end = now + TimeUnit.MILLISECONDS.toNanos(wait);
                        !stopping && System.nanoTime() < end && System.nanoTime() - kept < checkpointNanos; ) {
                    Thread.sleep(Math.min(POLL.toMillis(), wait));
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** True if so much waits that it is kept at once. */
    boolean isDue() {
        return !isHeld() && jobs.waitingBytes() > ROW_BYTES;
    }

    /** True while what was read cannot be kept. */
    private boolean isHeld() {
        return !status.problem().isEmpty() && rowsWait;
    }

    @Override
    public String held() {
        String problem = status.problem();
        return isHeld() ? "no topic is read, for what was read cannot be kept: " + problem : "";
    }

    @Override
    public Map<String, Long> dropped() {
        return jobs.dropped();
    }

    /** A defect is told, and reading goes on. */
    private void contained(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException defect) {
            problems.accept("a defect of Argus in what keeps what was read: " + defect);
        }
    }

    /** Reads and applies what there is. Returns the milliseconds to wait before the next. */
    private long step(Backoff backoff) throws InterruptedException {
        tellWay();
        if (reader == null || isHeld()) {
            return POLL.toMillis();
        }
        try {
            read(POLL);
            backoff.reset();
            if (!readProblem.isEmpty()) {
                problems.accept("incidents are read again");
                readProblem = "";
            }
            return 0;
        } catch (IOException later) {
            String what = String.valueOf(later.getMessage());
            if (!what.equals(readProblem)) {
                readProblem = what;
                problems.accept("incidents cannot be read: " + what);
            }
            return backoff.next();
        } catch (RuntimeException defect) {
            problems.accept("a defect of Argus in what reads topics: " + defect);
            return backoff.next();
        } finally {
            tell();
        }
    }

    /** Reads and applies what there is, unless what was read before cannot be kept; for {@link #run}, and tests without a thread. */
    void read(Duration wait) throws IOException, InterruptedException {
        TopicSource from = reader;
        if (from == null || isHeld()) {
            return;
        }
        for (TopicReader.Value value : from.poll(wait)) {
            if (value.topic().equals(topics.incidents())) {
                jobs.incident(value.value());
            } else {
                jobs.metrics(value.value());
            }
        }
    }

    private void tell() {
        TopicSource from = reader;
        if (from != null) {
            from.takeNotices().forEach(problems);
        }
        String skipped = jobs.lastSkipped();
        if (!skipped.equals(skippedTold)) {
            skippedTold = skipped;
            problems.accept("a value of a topic was stepped over (all so far: " + jobs.skipped() + "): " + skipped);
        }
    }

    private void tellWay() {
        if (receiver instanceof KafkaGateway gateway) {
            String problem = gateway.way().problem();
            if (!problem.equals(wayProblem)) {
                problems.accept(
                        problem.isEmpty() ? "frames are handed on again" : "frames cannot be handed on: " + problem);
                wayProblem = problem;
            }
        }
    }

    private void maintain() {
        try {
            store.maintain(clock.nanos());
        } catch (IOException failed) {
            problems.accept("retention failed: " + failed.getMessage());
        }
    }

    /** Keeps rows, state and positions of this moment; false when that failed, and they go along with the next one. */
    boolean checkpoint() {
        long begin = clock.nanos();
        left.addAll(jobs.takeRows());
        WireWriter to = new WireWriter();
        TopicSource from = reader;
        List<ReadPosition> positions = from == null ? List.of() : from.positions();
        to.writeByte(VERSION).writeVarint(positions.size());
        for (ReadPosition p : positions) {
            to.writeText(p.topic()).writeText(p.id()).writeVarint(p.partition()).writeVarint(p.next());
        }
        to.writeBytes(jobs.snapshot()).writeChecksum(0);
        Map<String, byte[]> state = new HashMap<>();
        state.put(STATE, to.toByteArray());
        others.forEach((name, bytes) -> state.put(name, bytes.get()));
        Checkpoints.Status before = status;
        String problem;
        try {
            store.commit(left.batch(store.committed() + 1, begin, state));
            left = new JobRows();
            problem = "";
        } catch (StoreFullException full) {
            problem = String.valueOf(full.getMessage());
        } catch (IOException broken) {
            problem = "the store does not work: " + broken.getMessage();
        }
        rowsWait = left.size() > 0;
        long took = clock.nanos() - begin;
        if (!problem.isEmpty()) {
            status = new Checkpoints.Status(before.number(), before.atNanos(), took, before.stateBytes(), problem);
        } else {
            long bytes = state.values().stream().mapToLong(b -> b.length).sum();
            status = new Checkpoints.Status(store.committed(), begin, took, bytes, "");
        }
        if (!before.isProblem(problem)) {
            problems.accept(
                    problem.isEmpty()
                            ? "rows and state are kept again"
                            : "nothing is kept now, and before it is nothing more is read: " + problem);
        }
        return problem.isEmpty();
    }

    @Override
    public Fleet fleet() {
        return jobs;
    }

    /** Values stepped over so far, by reason. */
    public Map<String, Long> skipped() {
        return jobs.skipped();
    }

    @Override
    public ShipmentReceiver receiver() {
        return receiver;
    }

    @Override
    public ReceiverStatus received() {
        ReceiverStatus frames = receiver.status();
        Map<String, Long> skipped = jobs.skipped();
        long unknown = skipped.getOrDefault(UnusableValueException.OTHER_SCHEMA, 0L);
        long damaged = skipped.values().stream().mapToLong(n -> n).sum()
                - unknown
                - skipped.getOrDefault(RemoteJobs.KNOWN, 0L)
                - skipped.getOrDefault(RemoteJobs.NO_ROOM, 0L);
        return new ReceiverStatus(
                frames.sessions(),
                frames.frames(),
                frames.duplicates(),
                frames.missing(),
                frames.refused(),
                frames.overloaded(),
                frames.unknownRecords() + unknown,
                frames.damagedRecords() + damaged,
                frames.forgotten());
    }

    @Override
    public Checkpoints.Status checkpoints() {
        return status;
    }

    @Override
    public long queuedBytes() {
        return 0;
    }

    @Override
    public void stored(String job, Rows.StoredObject object) {
        jobs.add(object);
    }

    @Override
    public void close() {
        stopping = true;
        try {
            thread.join(END_MILLIS);
            if (!thread.isAlive()) {
                checkpoint();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        TopicSource from = reader;
        if (from != null && !thread.isAlive()) {
            from.close();
        }
        if (receiver instanceof KafkaGateway gateway) {
            gateway.close();
        }
    }
}
