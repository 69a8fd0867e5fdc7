package dev.argus.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * What an agent posts: frames of one session, in order.
 *
 * <pre>
 * magic "ARGS"  version:byte=1  session:16 bytes  job:text  host:text  floor  flags:byte(1 commands wanted)  command
 * n  n x { length, block of names }      where the receiver said that names are missing
 * n  n x { length, frame }
 * CRC-32C of all before, 4 bytes little-endian
 * </pre>
 *
 * @param session session that all frames are of
 * @param job the job that all frames are of
 * @param host host of the agent
 * @param floor lowest number of a frame that may still be sent: what is below and did not arrive never will; at least 1
 * @param wantsCommands true from the session that lives, false from what an earlier one left
 * @param lastCommand highest id of a command done; 0 when none
 * @param names blocks of names, in order, each as {@link NameBook#learn} reads it
 * @param frames frames by ascending number, each as {@link FrameReader} reads it
 */
public record Shipment(
        SessionId session,
        String job,
        String host,
        long floor,
        boolean wantsCommands,
        long lastCommand,
        List<byte[]> names,
        List<byte[]> frames) {
    /** Most bytes of a shipment, not compressed. */
    public static final int MOST_BYTES = 16 << 20;

    static final int MAGIC = 'A' | 'R' << 8 | 'G' << 16 | 'S' << 24;
    private static final int VERSION = 1;

    /** Copies the lists, not the arrays. */
    public Shipment {
        names = List.copyOf(names);
        frames = List.copyOf(frames);
    }

    /** The bytes of it. */
    public byte[] encode() {
        WireWriter out = new WireWriter();
        out.writeFixedInt(MAGIC).writeByte(VERSION);
        session.write(out);
        out.writeText(job)
                .writeText(host)
                .writeVarint(floor)
                .writeByte(wantsCommands ? 1 : 0)
                .writeVarint(lastCommand);
        out.writeVarint(names.size());
        names.forEach(out::writeBytes);
        out.writeVarint(frames.size());
        frames.forEach(out::writeBytes);
        return out.writeChecksum(0).toByteArray();
    }

    /**
     * Reads a shipment; its frames are not looked into.
     *
     * @throws WireException if the bytes are no shipment
     */
    public static Shipment decode(byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            throw new WireException("shipment of " + bytes.length + " bytes, expected at most " + MOST_BYTES);
        }
        WireReader from = WireReader.checked(bytes, "shipment");
        from.expectMagic(MAGIC, VERSION, "shipment");
        SessionId session = SessionId.read(from);
        String job = FrameReader.name(from);
        String host = FrameReader.name(from);
        long floor = from.readVarint();
        if (session.equals(SessionId.NONE) || floor < 1 || floor > FrameHead.MOST_COUNTER) {
            throw new WireException("shipment of session " + session + " with floor " + floor
                    + ", expected a session and 1 to " + FrameHead.MOST_COUNTER);
        }
        boolean commands = from.readFlags(1) != 0;
        long last = from.readVarint();
        if (last < 0) {
            throw new WireException("command " + Long.toUnsignedString(last) + ", expected below 2^63");
        }
        List<byte[]> names = list(from);
        List<byte[]> frames = list(from);
        from.expectEnd();
        return new Shipment(session, job, host, floor, commands, last, names, frames);
    }

    private static List<byte[]> list(WireReader from) {
        int n = from.readCount(1);
        List<byte[]> list = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            list.add(from.readBytes());
        }
        return list;
    }
}
