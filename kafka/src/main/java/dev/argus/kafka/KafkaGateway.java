package dev.argus.kafka;

import dev.argus.model.AgentCommand;
import dev.argus.transport.CommandSource;
import dev.argus.transport.ReceiverStatus;
import dev.argus.transport.ShipmentReceiver;
import dev.argus.transport.ShipmentTooLargeException;
import dev.argus.transport.WayException;
import dev.argus.wire.FrameHead;
import dev.argus.wire.FrameReader;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.ShipmentReply.Verdict;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Takes shipments of agents that ship over HTTP and puts them into a topic; what it says is safe is acknowledged by the broker. It judges nothing and keeps nothing: one that is killed, or another one beside it, goes on where an
 * agent is.
 *
 * <p>Readers of the topic cannot ask for names. So it asks the agent for all of them ({@code NAMES_MISSING}) with the first frame of a session it does not know, and again so often as readers are promised.
 *
 * <p>Thread-safe; a call lasts as long as the broker takes, so it is for virtual threads. Memory: some 200 bytes a session, at most a stated number; the one not heard of for longest is forgotten, and is asked for its names
 * again when it comes back.
 */
public final class KafkaGateway implements ShipmentReceiver, AutoCloseable {
    private static final long LATER_MILLIS = 1_000;

    private final ShipmentProducer producer;
    private final CommandSource commands;
    private final int mostSessions;
    private final long namesEachNanos;
    private final LongSupplier nanoTime;
    private final Map<SessionId, Session> sessions = new ConcurrentHashMap<>();
    private final AtomicLong heard = new AtomicLong();
    private final LongAdder frames = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder missing = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder overloaded = new LongAdder();
    private final LongAdder forgotten = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final Map<String, Long> troubles = new TreeMap<>();
    private volatile String problem = "";

    /** One session. Guarded by itself. */
    private static final class Session {
        final String job;
        final String host;
        long received;
        boolean namesTold;
        long namesNanos;

        /** The frame whose names were asked for; it is not asked for again, whatever comes. */
        long askedFor;

        volatile long heard;

        Session(String job, String host, long received) {
            this.job = job;
            this.host = host;
            this.received = received;
        }
    }

    /**
     * How the way to the topic is.
     *
     * @param bytes bytes put there, before compression
     * @param troubles shipments that could not be put there, by reason
     * @param problem what is wrong now, empty when nothing is
     */
    public record Way(long bytes, Map<String, Long> troubles, String problem) {}

    /**
     * Into the topic of an address.
     *
     * @param commands what agents are to be asked; they hear it, for they ship over HTTP
     * @param mostSessions sessions remembered
     */
    public KafkaGateway(
            KafkaAddress address,
            KafkaAccess access,
            KafkaPatience patience,
            CommandSource commands,
            int mostSessions) {
        this(
                new ShipmentProducer(address, access, patience),
                patience.namesEach().toNanos(),
                commands,
                mostSessions,
                System::nanoTime);
    }

    KafkaGateway(
            ShipmentProducer producer,
            long namesEachNanos,
            CommandSource commands,
            int mostSessions,
            LongSupplier nanoTime) {
        this.producer = producer;
        this.namesEachNanos = namesEachNanos;
        this.commands = commands;
        this.mostSessions = mostSessions;
        this.nanoTime = nanoTime;
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
                0,
                0,
                forgotten.sum());
    }

    /** How the way to the topic is; from any thread. */
    public Way way() {
        synchronized (troubles) {
            return new Way(bytes.sum(), new TreeMap<>(troubles), problem);
        }
    }

    @Override
    public ShipmentReply receive(Shipment shipment) {
        try {
            Session session = sessions.computeIfAbsent(
                    shipment.session(), id -> new Session(shipment.job(), shipment.host(), shipment.floor() - 1));
            session.heard = heard.incrementAndGet();
            synchronized (session) {
                return receive(session, shipment);
            }
        } finally {
            forgetOldest();
        }
    }

    private ShipmentReply receive(Session session, Shipment shipment) {
        if (!session.job.equals(shipment.job()) || !session.host.equals(shipment.host())) {
            return ShipmentReply.refused(shipment.session(), "the session is one of another job or host");
        }
        // What is below may have been taken by another gateway: who reads the topic counts holes.
        session.received = Math.max(session.received, shipment.floor() - 1);
        if (shipment.from() > session.received + 1) {
            return reply(session, shipment, Verdict.REWIND, "", 0, 0);
        }
        List<Shipment.Numbered> fresh = new ArrayList<>();
        for (Shipment.Numbered numbered : shipment.frames()) {
            if (numbered.counter() <= session.received) {
                duplicates.increment();
                continue;
            }
            String wrong = wrong(session, shipment.session(), numbered);
            if (!wrong.isEmpty()) {
                if (fresh.isEmpty()) {
                    refused.increment();
                    return reply(session, shipment, Verdict.REFUSED, wrong, numbered.counter(), 0);
                }
                break; // what is before it is put there first; it comes again
            }
            fresh.add(numbered);
        }
        if (fresh.isEmpty()) {
            Verdict verdict = shipment.frames().isEmpty() ? Verdict.ACCEPTED : Verdict.DUPLICATE;
            return reply(session, shipment, verdict, "", 0, 0);
        }
        long first = fresh.getFirst().counter();
        boolean due = !session.namesTold || nanoTime.getAsLong() - session.namesNanos >= namesEachNanos;
        if (due && first > 1 && shipment.names().isEmpty() && session.askedFor != first) {
            session.askedFor = first;
            return reply(session, shipment, Verdict.NAMES_MISSING, "", first, 0);
        }
        return put(session, shipment, fresh);
    }

    private static String wrong(Session session, SessionId id, Shipment.Numbered numbered) {
        try {
            FrameHead head = FrameReader.head(numbered.bytes());
            boolean own = head.session().equals(id)
                    && head.counter() == numbered.counter()
                    && head.job().equals(session.job)
                    && head.host().equals(session.host);
            return own ? "" : "a frame of another session, job or host";
        } catch (WireException noFrame) {
            return String.valueOf(noFrame.getMessage());
        }
    }

    private ShipmentReply put(Session session, Shipment shipment, List<Shipment.Numbered> fresh) {
        long first = fresh.getFirst().counter();
        Shipment whole = new Shipment(
                shipment.session(),
                session.job,
                session.host,
                shipment.floor(),
                Math.max(shipment.floor(), session.received + 1),
                false,
                0,
                shipment.names(),
                fresh);
        try {
            bytes.add(producer.put(whole));
        } catch (ShipmentTooLargeException smaller) {
            trouble("record-too-large", String.valueOf(smaller.getMessage()));
            throw smaller;
        } catch (IOException later) {
            session.namesTold = false; // who reads there may begin anew, too
            String what = String.valueOf(later.getMessage());
            trouble(later instanceof WayException known ? known.trouble() : Troubles.OTHER, what);
            overloaded.increment();
            return reply(session, shipment, Verdict.OVERLOADED, what, first, LATER_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return reply(session, shipment, Verdict.OVERLOADED, "the gateway ends", first, LATER_MILLIS);
        }
        problem = "";
        long last = fresh.getLast().counter();
        missing.add(last - session.received - fresh.size());
        session.received = last;
        frames.add(fresh.size());
        if (!shipment.names().isEmpty() || first == 1 || session.askedFor == first) {
            session.namesTold = true;
            session.namesNanos = nanoTime.getAsLong();
        }
        if (last < shipment.frames().getLast().counter()) {
            return reply(session, shipment, Verdict.REWIND, "", 0, 0);
        }
        return reply(session, shipment, Verdict.ACCEPTED, "", 0, 0);
    }

    private void trouble(String word, String what) {
        synchronized (troubles) {
            troubles.merge(word, 1L, Long::sum);
            problem = what;
        }
    }

    private ShipmentReply reply(
            Session session, Shipment shipment, Verdict verdict, String reason, long at, long waitMillis) {
        List<AgentCommand> wanted = List.of();
        if (shipment.wantsCommands()) {
            List<AgentCommand> all = commands.commands(session.job, session.host, shipment.lastCommand());
            wanted = all.subList(0, Math.min(all.size(), ShipmentReply.MOST_COMMANDS));
        }
        return new ShipmentReply(
                shipment.session(), verdict, reason, session.received, session.received, at, 0, waitMillis, wanted);
    }

    private void forgetOldest() {
        while (sessions.size() > mostSessions) {
            Map.Entry<SessionId, Session> oldest = sessions.entrySet().stream()
                    .min(Comparator.comparingLong(e -> e.getValue().heard))
                    .orElse(null);
            if (oldest != null && sessions.remove(oldest.getKey(), oldest.getValue())) {
                forgotten.increment();
            }
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
