package dev.argus.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * What an agent posts: frames of one session, in order.
 *
 * <pre>
 * magic "ARGS"  version:byte=1  session:16 bytes  job:text  host:text  floor  from
 * flags:byte(1 commands wanted)  command
 * n  n x { length, block of names }      where the receiver said that names are missing
 * n  n x { number, length, frame }
 * CRC-32C of all before, 4 bytes little-endian
 * </pre>
 *
 * @param session session that all frames are of
 * @param job the job that all frames are of
 * @param host host of the agent
 * @param floor lowest number of a frame that may still be sent: what is below and did not arrive never will; at least 1
 * @param from the frames are all that the sender has from this number up to the last one given: holes between are lost for good; at
 *     least {@code floor}
 * @param wantsCommands true from the session that lives, false from what an earlier one left
 * @param lastCommand highest id of a command done; 0 when none
 * @param names blocks of names, in order, each as {@link NameBook#learn} reads it
 * @param frames frames by ascending number, at least {@code from}
 */
public record Shipment(
        SessionId session,
        String job,
        String host,
        long floor,
        long from,
        boolean wantsCommands,
        long lastCommand,
        List<byte[]> names,
        List<Numbered> frames) {
    /**
     * A frame and its number, which the frame states too.
     *
     * @param counter number
     * @param bytes the frame as {@link FrameReader} reads it; not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Numbered(long counter, byte[] bytes) {}

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
                .writeVarint(from)
                .writeByte(wantsCommands ? 1 : 0)
                .writeVarint(lastCommand);
        out.writeVarint(names.size());
        names.forEach(out::writeBytes);
        out.writeVarint(frames.size());
        frames.forEach(f -> out.writeVarint(f.counter()).writeBytes(f.bytes()));
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
        long first = from.readVarint();
        boolean commands = from.readFlags(1) != 0;
        long last = from.readVarint();
        boolean possible = !session.equals(SessionId.NONE)
                && floor >= 1
                && first >= floor
                && first <= FrameHead.MOST_COUNTER
                && last >= 0;
        if (!possible) {
            throw new WireException("shipment of session " + session + " with floor " + floor + ", from " + first
                    + ", command " + last + ": cannot be");
        }
        List<byte[]> names = list(from);
        List<Numbered> frames = new ArrayList<>();
        long before = first - 1;
        for (int n = from.readCount(2); n > 0; n--) {
            long counter = from.readVarint();
            if (counter <= before || counter > FrameHead.MOST_COUNTER) {
                throw new WireException("frame " + counter + " behind " + before + ", expected ascending numbers");
            }
            frames.add(new Numbered(counter, from.readBytes()));
            before = counter;
        }
        from.expectEnd();
        return new Shipment(session, job, host, floor, first, commands, last, names, frames);
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
