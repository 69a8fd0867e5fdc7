package dev.argus.transport;

import dev.argus.wire.SessionId;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How far every session was at one moment, and what the host of the receiver had made of it at the same moment. To be stored together.
 *
 * <pre>
 * magic "ARGC"  version:byte=1  n  n x { session:16 bytes  job:text  host:text  received }  CRC-32C, 4 bytes little-endian
 * </pre>
 *
 * @param <T> state of the host of the receiver
 * @param sessions the sessions
 * @param state the host's state
 */
public record ReceiverSnapshot<T>(List<Cursor> sessions, T state) {
    private static final int MAGIC = 'A' | 'R' << 8 | 'G' << 16 | 'C' << 24;
    private static final int VERSION = 1;

    /**
     * How far a session was.
     *
     * @param session session
     * @param job its job
     * @param host its host
     * @param received all frames up to it were settled
     * @param durable all frames up to it were in a snapshot that was stored
     */
    public record Cursor(SessionId session, String job, String host, long received, long durable) {}

    /** Copies the list. */
    public ReceiverSnapshot {
        sessions = List.copyOf(sessions);
    }

    /**
     * The same without what cannot be stored of some jobs: their sessions are as far as is stored already, or as they were in an earlier snapshot whose state is stored now.
     *
     * @param without jobs of which nothing new is stored
     * @param earlier jobs of which an earlier moment is stored
     */
    public ReceiverSnapshot<T> but(Set<String> without, Map<String, ReceiverSnapshot<?>> earlier) {
        if (without.isEmpty() && earlier.isEmpty()) {
            return this;
        }
        Map<SessionId, Long> then = new HashMap<>();
        earlier.forEach((job, snapshot) -> snapshot.sessions().stream()
                .filter(c -> c.job().equals(job))
                .forEach(c -> then.put(c.session(), c.received())));
        List<Cursor> changed = new ArrayList<>();
        for (Cursor c : sessions) {
            boolean now = !without.contains(c.job()) && !earlier.containsKey(c.job());
            long received = now ? c.received() : then.getOrDefault(c.session(), c.durable());
            changed.add(new Cursor(c.session(), c.job(), c.host(), received, c.durable()));
        }
        return new ReceiverSnapshot<>(changed, state);
    }

    /** How far sessions were, for {@link FrameReceiver#stored}. */
    public Map<SessionId, Long> received() {
        Map<SessionId, Long> all = new HashMap<>();
        sessions.forEach(c -> all.put(c.session(), c.received()));
        return all;
    }

    /** Bytes of the cursors, for {@link FrameReceiver#restore}. */
    public byte[] cursors() {
        WireWriter out = new WireWriter();
        out.writeFixedInt(MAGIC).writeByte(VERSION).writeVarint(sessions.size());
        for (Cursor c : sessions) {
            c.session().write(out);
            out.writeText(c.job()).writeText(c.host()).writeVarint(c.received());
        }
        return out.writeChecksum(0).toByteArray();
    }

    static List<AgentSession> decode(byte[] bytes) {
        WireReader in = WireReader.checked(bytes, "cursors");
        if (in.readFixedInt() != MAGIC || in.readByte() != VERSION) {
            throw new WireException("cursors of another version, expected " + VERSION);
        }
        List<AgentSession> sessions = new ArrayList<>();
        for (int n = in.readCount(19); n > 0; n--) {
            SessionId id = SessionId.read(in);
            String job = new String(in.readBytes(), StandardCharsets.UTF_8);
            String host = new String(in.readBytes(), StandardCharsets.UTF_8);
            long received = in.readVarint();
            if (received < 0) {
                throw new WireException("cursor " + received);
            }
            sessions.add(new AgentSession(id, job, host, received));
        }
        in.expectEnd();
        return sessions;
    }
}
