package dev.argus.agent;

import dev.argus.agent.feed.RankFeed;
import dev.argus.model.NameTable;
import dev.argus.ring.LaunchedCalls;
import dev.argus.ring.LossReason;
import dev.argus.ring.ProcessLife;
import dev.argus.ring.RingClock;
import dev.argus.ring.RingControl;
import dev.argus.ring.RingDirectory;
import dev.argus.ring.RingDirectory.Entry;
import dev.argus.ring.RingEvents;
import dev.argus.ring.RingHeader;
import dev.argus.ring.RingIdentity;
import dev.argus.ring.RingReader;
import dev.argus.ring.RingState;
import dev.argus.ring.RingStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One training process with its rings. One thread. */
final class RankProcess implements AutoCloseable {
    /** An earlier agent took records and ended before the steps they belong to were handed on. */
    static final String AGENT_RESTARTED = "agent-restarted";

    /**
     * What tells processes apart, on this host.
     *
     * @param namespace inode of the pid namespace
     * @param pid process id in it
     * @param startTicks start, clock ticks since boot
     */
    record Key(long namespace, int pid, long startTicks) {
        static Key of(Entry entry) {
            return new Key(
                    entry.header().namespace(),
                    entry.header().process(),
                    entry.header().startTicks());
        }
    }

    /** How long a producer may take to introduce its process to a new reader: it looks once a step and once a second. */
    private static final long INTRODUCTION_NANOS = 3_000_000_000L;
    /** Time between two signs of life of the agent in a ring. */
    private static final long BEAT_NANOS = 500_000_000L;

    /** A ring that is filled to this part is drained without waiting for the next round. */
    private static final int PRESSED = 8;

    /** One that is filled to this part is looked at each time. */
    private static final int FILLING = 64;

    private static final class Ring {
        final RingReader reader;
        final RingEvents events;
        final long openedMono;
        final Map<String, Long> counted = new HashMap<>();

        Ring(RingReader reader, RingEvents events, long openedMono) {
            this.reader = reader;
            this.events = events;
            this.openedMono = openedMono;
        }
    }

    private final Key key;
    private final NameTable names;
    private final RingIdentity identity = new RingIdentity();
    private final LaunchedCalls calls = new LaunchedCalls();
    private final EventGate gate;
    private final long epochOffset;
    private final Map<String, Ring> rings = new HashMap<>();

    /** The same in the order in which they are drained: what a framework calls is known before the kernels that it launched have ended. */
    private Ring[] order = {};

    private long hostPid = -1;
    private ProcessLife life = ProcessLife.ALIVE;
    private Tuning asked = Tuning.NOTHING;
    private @Nullable String job;

    /** An earlier agent took the begin of its records: what that one had not handed on is missing, and nobody can count it. */
    private boolean inherited;

    private long beatMono = Long.MIN_VALUE;
    private boolean filling = true;

    /**
     * Without rings as yet.
     *
     * @param epochOffset epoch time less CLOCK_MONOTONIC, one for the host: corrections of the wall clock tear no step apart
     * @param opened makes the feed of a process whose identity is known, or says null
     */
    RankProcess(Key key, NameTable names, long epochOffset, Function<RankProcess, @Nullable RankFeed> opened) {
        this.key = key;
        this.names = names;
        this.epochOffset = epochOffset;
        this.gate = new EventGate(() -> opened.apply(this));
    }

    /**
     * Takes up a ring found on the way, or notes that it is still there.
     *
     * @throws IOException if it cannot be opened
     */
    void found(Entry entry, long nowMono) throws IOException {
        hostPid = entry.hostProcess() >= 0 ? entry.hostProcess() : hostPid;
        life = entry.life();
        String path = entry.path().toString();
        if (rings.containsKey(path)) {
            return;
        }
        RingReader reader = RingReader.open(entry.path(), names, nowMono);
        RingClock clock = new RingClock(reader.header().clock(), epochOffset);
        inherited |= reader.takenBefore() > 0;
        if (!asked.isNothing()) {
            reader.control(asked.on(reader.control()));
        }
        RingEvents events = new RingEvents(reader.header(), names, clock, identity, calls, gate, gate);
        Ring ring = new Ring(reader, events, nowMono);
        if (reader.takenBefore() > 0) {
            reader.status()
                    .dropped()
                    .forEach((reason, n) -> ring.counted.put(reason.name(), n)); // told by who read before
        }
        rings.put(path, ring);
        order = rings.values().toArray(Ring[]::new);
        Arrays.sort(order, Comparator.comparing(r -> r.reader.header().producer() != RingHeader.PYTHON));
        beatMono = Long.MIN_VALUE;
    }

    /** Its rings lie in the folder no more, as after a clean-up of shared memory: they are read on, and whether it lives is asked of the system. */
    void vanished(RingDirectory directory, long nowMono) {
        for (Ring ring : rings.values()) {
            life = directory.life(
                    ring.reader.header(),
                    Math.max(0, nowMono - ring.reader.status().heartbeat()));
        }
        life = rings.isEmpty() ? ProcessLife.DEAD : life;
    }

    /**
     * Takes what the rings have.
     *
     * @param most records of each ring
     * @return records taken
     */
    int drain(int most, long nowMono) {
        int taken = 0;
        boolean beat = beatMono == Long.MIN_VALUE || nowMono - beatMono >= BEAT_NANOS;
        beatMono = beat ? nowMono : beatMono;
        for (Ring ring : order) {
            if (beat) {
                ring.reader.heartbeat(nowMono);
            }
            taken += ring.reader.drain(ring.events, most);
        }
        RankFeed feed = gate.feed();
        if (feed != null && taken > 0) {
            feed.header(identity.traceHeader(), identity.gpuUuid());
        }
        return taken;
    }

    /** True in one look of four at rings that were nearly empty at the last one: the memory that tells is the producer's, and costs a look across CPUs. */
    boolean mayBePressed(int look) {
        return filling || (look & 3) == 0;
    }

    /** True if a ring fills: it should not wait long. A look at memory for each ring. */
    boolean isPressed() {
        filling = false;
        for (Ring ring : order) {
            long backlog = ring.reader.backlog();
            long capacity = ring.reader.header().capacity();
            filling |= backlog * FILLING >= capacity;
            if (backlog * PRESSED >= capacity) {
                return true;
            }
        }
        return false;
    }

    /** Records that producers dropped or the reader refused since the last call, by reason. */
    Map<String, Long> takeLosses() {
        Map<String, Long> losses = new HashMap<>();
        gate.takeLosses();
        if (inherited) {
            losses.put(AGENT_RESTARTED, 1L);
            inherited = false;
        }
        for (Ring ring : rings.values()) {
            RingStatus status = ring.reader.status();
            status.dropped().forEach((reason, count) -> {
                long more = count - ring.counted.getOrDefault(reason.name(), 0L);
                if (more > 0) {
                    ring.counted.put(reason.name(), count);
                    losses.merge(word(reason), more, Long::sum);
                }
            });
        }
        return losses;
    }

    /** The job that it states, or the empty text; what it states once its first step has begun holds for good. */
    String job() {
        String known = job;
        return known == null ? identity.jobName() : known;
    }

    /** From now on its job is what it states now. */
    void keepJob() {
        job = identity.jobName();
    }

    /**
     * True if it is known who it is: where an earlier agent had read what the process said of itself, it says it again, in the middle of its steps.
     */
    boolean introduced(long nowMono) {
        return rings.values().stream()
                .allMatch(r -> r.reader.takenBefore() == 0
                        || r.events.introduced()
                        || nowMono - r.openedMono >= INTRODUCTION_NANOS);
    }

    /** Asks its producers to record otherwise. */
    void tune(Tuning tuning) {
        for (Ring ring : rings.values()) {
            RingControl wanted = tuning.on(ring.reader.control());
            if (!wanted.equals(ring.reader.control())) {
                ring.reader.control(wanted);
            }
        }
        asked = asked.then(tuning);
    }

    /** How it is. */
    RankReport report(double stacksPerSecond) {
        RankFeed feed = gate.feed();
        RingControl control = RingControl.INITIAL;
        Map<String, Long> lost = new HashMap<>();
        for (Ring ring : rings.values()) {
            control = ring.reader.control();
            ring.reader.status().dropped().forEach((reason, n) -> lost.merge(word(reason), n, Long::sum));
        }
        return new RankReport(
                job(),
                feed == null ? -1 : feed.attempt(),
                identity.rank(),
                hostPid,
                life.name().toLowerCase(Locale.ROOT),
                feed == null ? -1 : feed.newestStep(),
                control,
                stacksPerSecond,
                lost,
                feed == null ? Map.of() : feed.aside());
    }

    private static String word(LossReason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** True when nothing will come any more: the process is dead, or its rings were given up, and everything was taken. */
    boolean over() {
        if (rings.isEmpty()) {
            return life == ProcessLife.DEAD;
        }
        for (Ring ring : rings.values()) {
            RingStatus status = ring.reader.status();
            boolean ended = life == ProcessLife.DEAD || status.state() == RingState.GIVEN_UP;
            if (!ended || (status.backlog() > 0 && status.state() != RingState.GIVEN_UP)) {
                return false;
            }
        }
        return true;
    }

    /** True if a producer closed its ring in order: the process means to end. */
    boolean closed() {
        for (Ring ring : rings.values()) {
            if (ring.reader.status().state() == RingState.CLOSED) {
                return true;
            }
        }
        return false;
    }

    /** The readers of its rings. */
    List<RingReader> readers() {
        List<RingReader> list = new ArrayList<>();
        rings.values().forEach(r -> list.add(r.reader));
        return list;
    }

    Key key() {
        return key;
    }

    RingIdentity identity() {
        return identity;
    }

    @Nullable
    RankFeed feed() {
        return gate.feed();
    }

    /** Its process id on this host, -1 when unknown. */
    long hostPid() {
        return hostPid;
    }

    ProcessLife life() {
        return life;
    }

    @Override
    public void close() throws IOException {
        for (Ring ring : rings.values()) {
            ring.reader.close();
        }
        rings.clear();
        order = new Ring[0];
    }
}
