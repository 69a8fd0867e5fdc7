package dev.argus.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.model.AgentRecord;
import dev.argus.model.RankDeclaration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link FrameWriter} wrote. Content is taken as hostile: what is not a frame is a {@link WireException}; a record that cannot
 * be read is stepped over and counted, and so is one of a kind that is not known. Memory is bounded by the bytes read: some hundred times of
 * them, and at most 8 MiB for sets of ranks written as runs.
 *
 * <p>Belongs to one thread.
 */
public final class FrameReader {
    /** Ranks that all sets of a frame written as runs may have together. */
    private static final long MOST_MEMBERS = 1 << 21;

    private final AgentRecordCodec codec = new AgentRecordCodec();

    /**
     * Whose frame it is, without its records; the checksum is verified.
     *
     * @throws WireException if the bytes are no frame
     */
    public static FrameHead head(byte[] bytes) {
        return head(open(bytes));
    }

    /**
     * The block of names that a frame brings, as {@link NameBook#learn} reads it.
     *
     * @throws WireException if the bytes are no frame
     */
    public static byte[] names(byte[] bytes) {
        WireReader from = open(bytes);
        head(from);
        return from.readBytes();
    }

    /**
     * Reads a frame and learns the names it brings.
     *
     * @param bytes the frame
     * @param names names of its session
     * @return the frame, or null when names it builds on are missing; nothing was learnt then
     * @throws WireException if the bytes are no frame, or its names contradict those known
     */
    public @Nullable Frame read(byte[] bytes, NameBook names) {
        WireReader from = open(bytes);
        FrameHead head = head(from);
        WireReader block = new WireReader(from.readBytes());
        int n = from.readCount(2);
        int[] kinds = new int[n];
        byte[][] contents = new byte[n][];
        for (int i = 0; i < n; i++) {
            kinds[i] = from.readByte();
            contents[i] = from.readBytes();
        }
        from.expectEnd();
        if (!names.learn(block)) {
            return null;
        }
        block.expectEnd();
        List<AgentRecord> records = new ArrayList<>(n);
        int unknown = 0;
        int damaged = 0;
        long members = MOST_MEMBERS;
        for (int i = 0; i < n; i++) {
            if (!AgentRecordCodec.knows(kinds[i])) {
                unknown++;
                continue;
            }
            try {
                AgentRecord record = codec.decode(kinds[i], contents[i], names::id, members);
                if (record instanceof RankDeclaration d) {
                    members -= RankDeclarationCodec.members(d);
                }
                records.add(record);
            } catch (WireException cannotBeRead) {
                damaged++;
            }
        }
        return new Frame(head, records, unknown, damaged);
    }

    private static WireReader open(byte[] bytes) {
        if (bytes.length > FrameHead.MOST_BYTES) {
            throw new WireException("frame of " + bytes.length + " bytes, expected at most " + FrameHead.MOST_BYTES);
        }
        WireReader from = WireReader.checked(bytes, "frame");
        from.expectMagic(FrameWriter.MAGIC, FrameWriter.VERSION, "frame");
        return from;
    }

    private static FrameHead head(WireReader from) {
        SessionId session = SessionId.read(from);
        long counter = from.readVarint();
        if (counter < 1 || counter > FrameHead.MOST_COUNTER) {
            throw new WireException("frame " + counter + ", expected 1 to " + FrameHead.MOST_COUNTER);
        }
        return new FrameHead(session, counter, name(from), from.readInt(), name(from), from.readSigned());
    }

    /** The name of a job or host. */
    static String name(WireReader from) {
        byte[] utf8 = from.readBytes();
        if (utf8.length == 0 || utf8.length > FrameHead.MOST_NAME_BYTES) {
            throw new WireException("name of " + utf8.length + " bytes, expected 1 to " + FrameHead.MOST_NAME_BYTES);
        }
        return new String(utf8, UTF_8);
    }
}
