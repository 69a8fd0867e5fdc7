package dev.argus.wire;

import dev.argus.model.AgentCommand;
import dev.argus.model.SafeText;
import java.util.List;

/**
 * What the receiver answers.
 *
 * <pre>
 * magic "ARGR"  version:byte=1  session:16 bytes  verdict:byte  reason:text  received  durable  at  names  wait
 * n  n x { kind:byte, length, content }   commands
 * CRC-32C of all before, 4 bytes little-endian
 * </pre>
 *
 * @param session session that it answers, so that a reply to somebody else is not believed; {@link SessionId#NONE} when none could be read
 * @param verdict what became of the frames
 * @param reason why, in words; empty when there is nothing to say
 * @param received all frames up to this number are settled: taken, or known to be lost; the next to send is the one behind
 * @param durable all frames up to this number survive the receiver's death, and may be forgotten by the sender; at most {@code received}
 * @param at the frame that the verdict is about, where it is not about all; 0 otherwise
 * @param names names of the session that the receiver knows
 * @param waitMillis least time to wait before the next shipment, 0 to {@value #MOST_WAIT_MILLIS}
 * @param commands what the agent is asked to do
 */
public record ShipmentReply(
        SessionId session,
        Verdict verdict,
        String reason,
        long received,
        long durable,
        long at,
        int names,
        long waitMillis,
        List<AgentCommand> commands) {
    /** Most bytes of a reply. */
    public static final int MOST_BYTES = 1 << 20;

    /** Most commands in one reply. */
    public static final int MOST_COMMANDS = 64;

    /** Longest wait that may be asked for: ten minutes. */
    public static final long MOST_WAIT_MILLIS = 600_000;

    static final int MAGIC = 'A' | 'R' << 8 | 'G' << 16 | 'R' << 24;
    private static final int VERSION = 1;
    private static final Verdict[] VERDICTS = Verdict.values();

    /** What becomes of frames. */
    public enum Verdict {
        /** All taken, or there were none. */
        ACCEPTED,
        /** All were known already: nothing was counted twice. */
        DUPLICATE,
        /** Frame {@code at} and those behind it were not taken, for names are missing from {@code names} on: send them along. */
        NAMES_MISSING,
        /** Nothing was taken: frames from {@code received + 1} on must come first, as after a restart of the receiver. */
        REWIND,
        /** Frame {@code at} and those behind it were not taken: send them again, later. */
        OVERLOADED,
        /** Frame {@code at}, or the whole where it is 0, will never be taken: do not send it again. */
        REFUSED
    }

    /** Copies defensively. */
    public ShipmentReply {
        commands = List.copyOf(commands);
    }

    /** A refusal of what is not even a shipment, or of who may not send. */
    public static ShipmentReply refused(SessionId session, String reason) {
        return new ShipmentReply(session, Verdict.REFUSED, reason, 0, 0, 0, 0, 0, List.of());
    }

    /** The bytes of it. */
    public byte[] encode() {
        WireWriter out = new WireWriter();
        out.writeFixedInt(MAGIC).writeByte(VERSION);
        session.write(out);
        out.writeByte(verdict.ordinal())
                .writeText(SafeText.sentence(reason))
                .writeVarint(received)
                .writeVarint(durable)
                .writeVarint(at)
                .writeVarint(names)
                .writeVarint(waitMillis)
                .writeVarint(commands.size());
        commands.forEach(c -> AgentCommandCodec.encode(c, out));
        return out.writeChecksum(0).toByteArray();
    }

    /**
     * Reads a reply. Commands of kinds that are not known are stepped over.
     *
     * @throws WireException if the bytes are no reply, or say what cannot be
     */
    public static ShipmentReply decode(byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            throw new WireException("reply of " + bytes.length + " bytes, expected at most " + MOST_BYTES);
        }
        WireReader from = WireReader.checked(bytes, "reply");
        from.expectMagic(MAGIC, VERSION, "reply");
        SessionId session = SessionId.read(from);
        Verdict verdict = VERDICTS[StepDigestCodec.ordinal(from.readByte(), VERDICTS.length, "verdict")];
        String reason = SafeText.sentence(from.readText());
        long received = from.readVarint();
        long durable = from.readVarint();
        long at = from.readVarint();
        int names = from.readInt();
        long wait = from.readVarint();
        boolean possible = received >= 0
                && received <= FrameHead.MOST_COUNTER
                && durable >= 0
                && durable <= received
                && at >= 0
                && at <= FrameHead.MOST_COUNTER
                && wait >= 0
                && wait <= MOST_WAIT_MILLIS;
        if (!possible) {
            throw new WireException("reply with received " + received + ", durable " + durable + ", frame " + at
                    + ", wait " + wait + ": cannot be");
        }
        List<AgentCommand> commands = AgentCommandCodec.decodeAll(from, MOST_COMMANDS);
        from.expectEnd();
        return new ShipmentReply(session, verdict, reason, received, durable, at, names, wait, commands);
    }
}
