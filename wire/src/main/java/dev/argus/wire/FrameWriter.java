package dev.argus.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.model.AgentRecord;
import dev.argus.model.NameTable;

/**
 * Writes the frames of one session. {@code add} records, take the {@link #frame}, put it where it is safe, say {@link #stored}: only then the counter
 * moves on and the names it brings count as sent, so that a frame which could not be kept leaves no hole.
 *
 * <pre>
 * magic "ARGF"  version:byte=1  session:16 bytes  counter  job:text  attempt  host:text  made(s)
 * names: length, then base, hash, n x name ({@link SessionNames})
 * n records, each {@code kind:byte length content} ({@code AgentRecordCodec})
 * CRC-32C of all before, 4 bytes little-endian
 * </pre>
 *
 * <p>Varints throughout, (s) zigzag. Belongs to one thread. Cost: a frame holds at most {@value FrameHead#MOST_BYTES} bytes.
 */
public final class FrameWriter {
    static final int MAGIC = 'A' | 'R' << 8 | 'G' << 16 | 'F' << 24;
    static final int VERSION = 1;

    /** Left for the head, the checksum and the lengths. */
    private static final int HEAD_BYTES = 1024;

    /** What became of a record. */
    public enum Added {
        /** It is in the frame. */
        YES,
        /** There is no room, for it or for the names it brings, which then go first: take the frame, then add it again, more than once where the names are many. */
        FULL,
        /** No frame could hold it, or no reader would take it. */
        NEVER
    }

    private final SessionId session;
    private final String job;
    private final String host;
    private final SessionNames names;
    private final AgentRecordCodec codec = new AgentRecordCodec();
    private final WireWriter records = new WireWriter();
    private final WireWriter one = new WireWriter();
    private final WireWriter block = new WireWriter();
    private int count;
    private int sentNames;

    /** Behind the last name that the frame brings: of its records, or of one that is still to come. */
    private int frameNames;

    private long counter = 1;

    /**
     * For a session that begins.
     *
     * @param session 128 random bits
     * @param job the job, at most {@value FrameHead#MOST_NAME_BYTES} bytes
     * @param host the host, at most {@value FrameHead#MOST_NAME_BYTES} bytes
     * @param table table of the records' name ids
     */
    public FrameWriter(SessionId session, String job, String host, NameTable table) {
        this.session = session;
        this.job = checked(job, "job");
        this.host = checked(host, "host");
        this.names = new SessionNames(table);
    }

    private static String checked(String name, String what) {
        int n = name.getBytes(UTF_8).length;
        if (n == 0 || n > FrameHead.MOST_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "name of the " + what + " of " + n + " bytes, expected 1 to " + FrameHead.MOST_NAME_BYTES);
        }
        return name;
    }

    /** The session. */
    public SessionId session() {
        return session;
    }

    /** Number of the frame that is being filled. */
    public long counter() {
        return counter;
    }

    /** Records in the frame that is being filled. */
    public int count() {
        return count;
    }

    /** True when the frame brings something: records, or names of one that is still to come. */
    public boolean hasContent() {
        return count > 0 || frameNames > sentNames;
    }

    /** True when the dictionary is full and a new session should begin. */
    public boolean isFull() {
        return names.isFull();
    }

    /** Adds a record. */
    public Added add(AgentRecord record) {
        one.reset();
        try {
            codec.encode(record, names::number, one);
        } catch (IllegalArgumentException unfit) {
            return Added.NEVER;
        }
        if (names.isOver()) {
            return count == 0 ? Added.NEVER : Added.FULL;
        }
        block.reset();
        names.write(sentNames, block);
        long room = FrameHead.MOST_BYTES - HEAD_BYTES - (long) one.length();
        if (block.length() + records.length() <= room) {
            records.writeRaw(one.toByteArray());
            count++;
            frameNames = names.size();
            return Added.YES;
        }
        if (count == 0 && room < 0) {
            return Added.NEVER;
        }
        if (count == 0) {
            frameNames = names.fitting(sentNames, FrameHead.MOST_BYTES - HEAD_BYTES);
        }
        return Added.FULL;
    }

    /**
     * The frame of the records added. The same again until {@link #stored}, if nothing is added.
     *
     * @param attempt attempt of the job
     * @param madeNanos now, nanoseconds since the Unix epoch
     */
    public byte[] frame(int attempt, long madeNanos) {
        WireWriter out = new WireWriter();
        out.writeFixedInt(MAGIC).writeByte(VERSION);
        session.write(out);
        out.writeVarint(counter)
                .writeText(job)
                .writeVarint(attempt)
                .writeText(host)
                .writeSigned(madeNanos);
        block.reset();
        names.write(sentNames, frameNames, block);
        out.writeBytes(block.toByteArray());
        out.writeVarint(count).writeRaw(records.toByteArray()).writeChecksum(0);
        return out.toByteArray();
    }

    /** The frame is where it is safe: begins the next one. */
    public void stored() {
        sentNames = frameNames;
        counter++;
        discard();
    }

    /** Forgets the records of the frame that is being filled. */
    public void discard() {
        records.reset();
        count = 0;
        frameNames = sentNames;
    }

    /** The names that frames stored so far have brought, as one block from 0 on. */
    public byte[] names() {
        WireWriter out = new WireWriter();
        names.write(0, sentNames, out);
        return out.toByteArray();
    }
}
