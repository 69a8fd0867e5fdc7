package dev.argus.transport;

import dev.argus.model.NameTable;
import dev.argus.wire.Frame;
import dev.argus.wire.FrameReader;
import dev.argus.wire.NameBook;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Shipments of one job that came on a way nobody can answer on, such as a topic: each frame once, in order within its session. What {@link FrameReceiver} would ask for again is lost here, and
 * counted by reason:
 *
 * <ul>
 *   <li>{@code frame-missing}: numbers that were stepped over; a session first met in its middle is taken from there
 *   <li>{@code names-missing}: the frame builds on names that have not come; sessions repeat all of theirs, so this ends by itself
 *   <li>{@code names-too-many}: the frame builds on names for which the job's table has no room
 *   <li>{@code names-contradict}, {@code frame-refused}, {@code frame-of-other-session}: no frame, or not one of the shipment it came in
 *   <li>{@code frame-twice}: a number that is settled already; nothing is lost
 *   <li>{@code session-forgotten}: more than {@value #MOST_SESSIONS} sessions, or one silent for a day: the one not heard of for longest
 * </ul>
 *
 * <p>Not thread-safe. State: a number and the names of each session, some 70 bytes a name in memory and 10 written down, over the job's table.
 */
public final class OneWayReceiver {
    static final int MOST_SESSIONS = 1 << 14;
    private static final long SILENT_NANOS = 86_400_000_000_000L;

    private static final class Session {
        final NameBook names;
        final String host;
        long received;
        long heardNanos;

        Session(String host, NameBook names, long received) {
            this.host = host;
            this.names = names;
            this.received = received;
        }
    }

    /** Hears what was lost. */
    @FunctionalInterface
    public interface Losses {
        /**
         * Frames were lost, or there twice.
         *
         * @param reason why
         * @param count how many
         */
        void lost(String reason, long count);
    }

    private final String job;
    private final NameTable table;
    private final BooleanSupplier room;
    private final FrameReader reader = new FrameReader();
    /** The one not heard of for longest first. */
    private final LinkedHashMap<SessionId, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

    /** Nothing received yet of a job. */
    public OneWayReceiver(String job, NameTable table) {
        this(job, table, () -> true);
    }

    /**
     * Nothing received yet of a job.
     *
     * @param room whether the table may get further names; where it may not, frames whose names are known go on
     */
    public OneWayReceiver(String job, NameTable table, BooleanSupplier room) {
        this.job = job;
        this.table = table;
        this.room = room;
    }

    /**
     * The same by another table, which gets the names of sessions that were heard lately. Other sessions bring theirs again; what they have sent stays known.
     *
     * @param itsRoom whether that table may get further names
     * @param sinceNanos sessions heard before that bring their names again
     */
    public OneWayReceiver moved(NameTable to, BooleanSupplier itsRoom, long sinceNanos) {
        OneWayReceiver moved = new OneWayReceiver(job, to, itsRoom);
        for (Map.Entry<SessionId, Session> e : sessions.sequencedEntrySet()) {
            Session s = e.getValue();
            NameBook names = s.heardNanos >= sinceNanos ? s.names.moved(to, itsRoom) : new NameBook(to, itsRoom);
            Session copy = new Session(s.host, names, s.received);
            copy.heardNanos = s.heardNanos;
            moved.sessions.put(e.getKey(), copy);
        }
        return moved;
    }

    /** Sessions known. */
    public int sessions() {
        return sessions.size();
    }

    /**
     * Takes a shipment.
     *
     * @param nowNanos when it came, never less than before
     * @param frames takes each frame that is new
     */
    public void take(Shipment shipment, long nowNanos, Consumer<Frame> frames, Losses losses) {
        if (!shipment.job().equals(job)) {
            losses.lost("frame-of-other-session", Math.max(1, shipment.frames().size()));
            return;
        }
        Session session = sessions.computeIfAbsent(
                shipment.session(), id -> new Session(shipment.host(), new NameBook(table, room), shipment.from() - 1));
        session.heardNanos = nowNanos;
        if (!session.host.equals(shipment.host())) {
            losses.lost("frame-of-other-session", Math.max(1, shipment.frames().size()));
            return;
        }
        if (!learn(session, shipment)) {
            losses.lost("names-contradict", 1);
        }
        for (Shipment.Numbered numbered : shipment.frames()) {
            take(session, shipment.session(), numbered, frames, losses);
        }
        forget(nowNanos, losses);
    }

    private static boolean learn(Session session, Shipment shipment) {
        try {
            for (byte[] block : shipment.names()) {
                session.names.learn(new WireReader(block));
            }
            return true;
        } catch (WireException contradiction) {
            return false;
        }
    }

    private void take(
            Session session, SessionId id, Shipment.Numbered numbered, Consumer<Frame> frames, Losses losses) {
        long counter = numbered.counter();
        if (counter <= session.received) {
            losses.lost("frame-twice", 1);
            return;
        }
        if (counter > session.received + 1) {
            losses.lost("frame-missing", counter - session.received - 1);
        }
        session.received = counter;
        Frame frame;
        try {
            frame = reader.read(numbered.bytes(), session.names);
        } catch (WireException noFrame) {
            losses.lost("frame-refused", 1);
            return;
        }
        if (frame == null) {
            losses.lost(room.getAsBoolean() ? "names-missing" : "names-too-many", 1);
            return;
        }
        boolean own = frame.head().session().equals(id)
                && frame.head().counter() == counter
                && frame.head().job().equals(job)
                && frame.head().host().equals(session.host);
        if (!own) {
            losses.lost("frame-of-other-session", 1);
            return;
        }
        losses.lost("record-of-unknown-kind", frame.unknown());
        losses.lost("record-damaged", frame.damaged());
        frames.accept(frame);
    }

    private void forget(long nowNanos, Losses losses) {
        Map.Entry<SessionId, Session> oldest = sessions.firstEntry();
        while (oldest != null
                && (sessions.size() > MOST_SESSIONS || nowNanos - oldest.getValue().heardNanos > SILENT_NANOS)) {
            sessions.remove(oldest.getKey());
            losses.lost("session-forgotten", 1);
            oldest = sessions.firstEntry();
        }
    }

    // ---------------------------------------------------------------- over a restart

    /** Appends how far each session is, and its names as ids of the table. */
    public void encode(WireWriter to) {
        to.writeVarint(sessions.size());
        for (Map.Entry<SessionId, Session> e : sessions.sequencedEntrySet()) {
            Session s = e.getValue();
            e.getKey().write(to);
            to.writeText(s.host).writeVarint(s.received).writeSigned(s.heardNanos);
            s.names.write(to);
        }
    }

    /**
     * Goes on where it was written down.
     *
     * @param table the job's table, with the ids it had
     * @param room whether the table may get further names
     * @throws WireException if the bytes are something else
     */
    public static OneWayReceiver decode(String job, NameTable table, BooleanSupplier room, WireReader from) {
        OneWayReceiver receiver = new OneWayReceiver(job, table, room);
        for (int n = from.readCount(21); n > 0; n--) {
            SessionId id = SessionId.read(from);
            String host = from.readText();
            long received = from.readVarint();
            long heard = from.readSigned();
            Session session = new Session(host, NameBook.read(from, table, room), received);
            session.heardNanos = heard;
            receiver.sessions.put(id, session);
        }
        return receiver;
    }
}
