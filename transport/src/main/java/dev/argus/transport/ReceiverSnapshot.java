package dev.argus.transport;

import dev.argus.wire.SessionId;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How far every session was at one moment, and what the host of the receiver had made of it at the same moment. To be stored together.
 *
 * <pre>
 * magic "ARGC"  version:byte=1  n  n x { session:16 bytes  job:text  host:text  received }  CRC-32C, 4 bytes little-endian
 * </pre>
 *
 * @param <T> state of the host of the receiver
 * @param cursors bytes of the cursors; not copied
 * @param state the host's state
 * @param received the cursors, for {@link FrameReceiver#stored}
 */
@SuppressWarnings("ArrayRecordComponent")
public record ReceiverSnapshot<T>(byte[] cursors, T state, Map<SessionId, Long> received) {
    private static final int MAGIC = 'A' | 'R' << 8 | 'G' << 16 | 'C' << 24;
    private static final int VERSION = 1;

    /** Copies the map. */
    public ReceiverSnapshot {
        received = Map.copyOf(received);
    }

    static byte[] encode(List<AgentSession> sessions) {
        WireWriter out = new WireWriter();
        out.writeFixedInt(MAGIC).writeByte(VERSION).writeVarint(sessions.size());
        for (AgentSession s : sessions) {
            s.id.write(out);
            out.writeText(s.job).writeText(s.host).writeVarint(s.received);
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
