package dev.argus.transport;

import dev.argus.model.AgentCommand;
import dev.argus.model.NameTable;
import dev.argus.wire.Frame;
import dev.argus.wire.FrameReader;
import dev.argus.wire.NameBook;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.ShipmentReply.Verdict;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server's side: shipments in, records out to a {@link FrameSink}, each frame once and in order within its session, whatever is repeated,
 * reordered or lost on the way. Knows nothing of HTTP ({@link FrameHandler} does).
 *
 * <p>Two numbers a session do it. {@code received}: all frames up to it are settled, so a frame at or below it is a duplicate. {@code durable}: what
 * {@code received} was when the last stored {@link #snapshot} was taken; only then the agent may forget them. A receiver that is killed and restored from its
 * snapshot is back at {@code durable}, says so, and gets everything behind it again: nothing is lost, nothing is counted twice.
 *
 * <p>Thread-safe; shipments of different sessions are received at the same time. Memory: some 300 bytes a session and what
 * {@link NameBook} says of its names; at most a stated number of sessions: beyond it the one not heard of for longest is forgotten. Names of all sessions of a
 * job take at most half of what those of others leave of a bound ({@link SessionNamesBound}): beyond it those of the session not heard of for longest are
 * forgotten, and asked for again. Names of sessions silent for ten minutes are forgotten, and sessions silent for two days.
 */
public final class FrameReceiver implements ShipmentReceiver {
    /** Sessions remembered, unless said otherwise. */
    public static final int MOST_SESSIONS = 1 << 16;

    /** How long an agent is told to wait when there is no room. */
    private static final long OVERLOAD_WAIT_MILLIS = 1_000;

    /** Of a session silent for longer nothing is known any more: what it ships again is counted again. */
    static final long SILENT_NANOS = 2 * 86_400_000_000_000L;

    static final long NAMES_NANOS = 600_000_000_000L;

    private final FrameSink sink;
    private final CommandSource commands;
    private final boolean sinkIsDurable;
    private final int mostSessions;
    private final Map<SessionId, AgentSession> sessions = new ConcurrentHashMap<>();
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
    private final AtomicLong clock = new AtomicLong();
    private final SessionNamesBound namesBound;
    private final LongSupplier nanoTime;
    private final LongAdder frames = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder missing = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder overloaded = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder damaged = new LongAdder();
    private final LongAdder forgotten = new LongAdder();

    /**
     * In front of a sink.
     *
     * @param commands what agents are to be asked
     * @param sinkIsDurable true when what {@link FrameSink#take} took survives the death of this process together with the cursor, so that agents may forget it at
     *     once; false when only {@link #stored} snapshots do
     * @param mostSessions sessions remembered
     */
    public FrameReceiver(FrameSink sink, CommandSource commands, boolean sinkIsDurable, int mostSessions) {
        this(sink, commands, sinkIsDurable, mostSessions, SessionNamesBound.usual(), System::nanoTime);
    }

    /**
     * With bounds of one's own.
     *
     * @param mostNamesBytes bytes that names of all sessions may take
     * @param nanoTime a clock that is never set
     */
    FrameReceiver(
            FrameSink sink,
            CommandSource commands,
            boolean sinkIsDurable,
            int mostSessions,
            long mostNamesBytes,
            LongSupplier nanoTime) {
        this.namesBound = new SessionNamesBound(mostNamesBytes);
        this.nanoTime = nanoTime;
        this.sink = sink;
        this.commands = commands;
        this.sinkIsDurable = sinkIsDurable;
        this.mostSessions = mostSessions;
    }

    @Override
    public ReceiverStatus status() {
        return new ReceiverStatus(
                sessions.size(),
                frames.sum(),
                duplicates.sum(),
                missing.sum(),
                refused.sum(),
                overloaded.sum(),
                unknown.sum(),
                damaged.sum(),
                forgotten.sum());
    }

    @Override
    public ShipmentReply receive(Shipment shipment) {
        NameTable table = sink.names(shipment.job());
        if (table == null) {
            return ShipmentReply.refused(
                    shipment.session(),
                    "no room for this job: the server watches as many jobs, or keeps as many names of this one, as it may;"
                            + " keep the records and send them again");
        }
        gate.readLock().lock();
        try {
            AgentSession session = sessions.computeIfAbsent(
                    shipment.session(),
                    id -> new AgentSession(id, shipment.job(), shipment.host(), shipment.floor() - 1));
            session.heard = clock.incrementAndGet();
            session.heardNanos = nanoTime.getAsLong();
            synchronized (session) {
                NameBook names = session.names(table);
                try {
                    return receive(session, shipment, names);
                } finally {
                    namesBound.changed(session);
                }
            }
        } finally {
            gate.readLock().unlock();
            forgetOldest();
            namesBound.keep(shipment.job(), sessions.values());
        }
    }

    private ShipmentReply receive(AgentSession session, Shipment shipment, NameBook names) {
        if (!session.job.equals(shipment.job()) || !session.host.equals(shipment.host())) {
            return ShipmentReply.refused(shipment.session(), "the session is one of another job or host");
        }
        lose(session, shipment.floor() - 1);
        if (shipment.from() > session.received + 1) {
            return reply(session, shipment, Verdict.REWIND, "", 0, 0);
        }
        try {
            for (byte[] block : shipment.names()) {
                names.learn(new WireReader(block));
            }
        } catch (WireException contradiction) {
            long first = shipment.frames().isEmpty()
                    ? 0
                    : shipment.frames().getFirst().counter();
            return reply(session, shipment, Verdict.REFUSED, String.valueOf(contradiction.getMessage()), first, 0);
        }
        FrameReader reader = new FrameReader();
        boolean fresh = shipment.frames().isEmpty();
        for (Shipment.Numbered numbered : shipment.frames()) {
            if (numbered.counter() <= session.received) {
                duplicates.increment();
                continue;
            }
            fresh = true;
            ShipmentReply stopped = take(session, shipment, numbered, reader, names);
            if (stopped != null) {
                return stopped;
            }
        }
        return reply(session, shipment, fresh ? Verdict.ACCEPTED : Verdict.DUPLICATE, "", 0, 0);
    }

    /** Takes one frame that is new; null when it was taken, else what to say. */
    private @Nullable ShipmentReply take(
            AgentSession session, Shipment shipment, Shipment.Numbered numbered, FrameReader reader, NameBook names) {
        long counter = numbered.counter();
        Frame frame;
        try {
            frame = reader.read(numbered.bytes(), names);
        } catch (WireException noFrame) {
            refused.increment();
            return reply(session, shipment, Verdict.REFUSED, String.valueOf(noFrame.getMessage()), counter, 0);
        }
        if (frame == null) {
            return reply(session, shipment, Verdict.NAMES_MISSING, "", counter, 0);
        }
        boolean own = frame.head().session().equals(session.id)
                && frame.head().counter() == counter
                && frame.head().job().equals(session.job)
                && frame.head().host().equals(session.host);
        if (!own) {
            refused.increment();
            return reply(session, shipment, Verdict.REFUSED, "a frame of another session, job or host", counter, 0);
        }
        lose(session, counter - 1);
        if (!sink.take(frame)) {
            overloaded.increment();
            return reply(session, shipment, Verdict.OVERLOADED, "too much to do", counter, OVERLOAD_WAIT_MILLIS);
        }
        session.received = counter;
        frames.increment();
        unknown.add(frame.unknown());
        damaged.add(frame.damaged());
        return null;
    }

    /** Frames up to a number that have not come never will. */
    private void lose(AgentSession session, long through) {
        if (through > session.received) {
            sink.missing(session.id, session.job, session.host, session.received + 1, through);
            missing.add(through - session.received);
            session.received = through;
        }
    }

    private ShipmentReply reply(
            AgentSession session, Shipment shipment, Verdict verdict, String reason, long at, long waitMillis) {
        List<AgentCommand> wanted = List.of();
        if (shipment.wantsCommands()) {
            List<AgentCommand> all = commands.commands(session.job, session.host, shipment.lastCommand());
            wanted = all.subList(0, Math.min(all.size(), ShipmentReply.MOST_COMMANDS));
        }
        long durable = sinkIsDurable ? session.received : session.durable;
        return new ShipmentReply(
                session.id, verdict, reason, session.received, durable, at, session.namesKnown(), waitMillis, wanted);
    }

    /**
     * Takes a snapshot of the cursors and of the host's state at one moment: no frame is being taken meanwhile.
     *
     * @param state gives the host's state; short, for nothing is received until it returns
     */
    public <T> ReceiverSnapshot<T> snapshot(Supplier<T> state) {
        gate.writeLock().lock();
        try {
            forgetSilent();
            List<ReceiverSnapshot.Cursor> all = new ArrayList<>();
            for (AgentSession s : sessions.values()) {
                synchronized (s) {
                    all.add(new ReceiverSnapshot.Cursor(s.id, s.job, s.host, s.received, s.durable));
                }
            }
            return new ReceiverSnapshot<>(all, state.get());
        } finally {
            gate.writeLock().unlock();
        }
    }

    /** The snapshot, cursors and state together, is where it survives the death of this process: agents may forget what is in it. */
    public void stored(ReceiverSnapshot<?> snapshot) {
        snapshot.received().forEach((id, received) -> {
            AgentSession session = sessions.get(id);
            if (session != null) {
                synchronized (session) {
                    session.durable = Math.max(session.durable, received);
                }
            }
        });
    }

    /**
     * Goes on where a stored snapshot was taken. To be called before anything is received.
     *
     * @param cursors {@link ReceiverSnapshot#cursors}
     * @throws WireException if the bytes are something else
     */
    public void restore(byte[] cursors) {
        for (AgentSession session : ReceiverSnapshot.decode(cursors)) {
            session.heard = clock.incrementAndGet();
            session.heardNanos = nanoTime.getAsLong();
            sessions.put(session.id, session);
        }
    }

    private void forgetOldest() {
        while (sessions.size() > mostSessions) {
            AgentSession oldest = sessions.values().stream()
                    .min(Comparator.comparingLong(s -> s.heard))
                    .orElse(null);
            if (oldest != null) {
                forget(oldest);
            }
        }
    }

    private void forgetSilent() {
        long now = nanoTime.getAsLong();
        for (AgentSession session : sessions.values()) {
            long silent = now - session.heardNanos;
            if (silent > SILENT_NANOS) {
                forget(session);
            } else if (silent > NAMES_NANOS && session.namesBytes > 0) {
                namesBound.forget(session);
            }
        }
    }

    private void forget(AgentSession session) {
        if (sessions.remove(session.id) != null) {
            namesBound.forget(session);
            forgotten.increment();
        }
    }

    /** Bytes that names of all sessions take, about. */
    long namesBytes() {
        return namesBound.bytes();
    }
}
