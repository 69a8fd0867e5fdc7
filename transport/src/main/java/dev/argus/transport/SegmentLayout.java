package dev.argus.transport;

import dev.argus.wire.FrameHead;
import dev.argus.wire.SessionId;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file of the spool: frames of one session, and all names that the session had when the file was begun.
 *
 * <pre>
 *  +-----------+---------+-----------+--------+----------------+--------+
 *  | magic     | version | session   | length | block of names | CRC-32C|    header
 *  | "ARGQ"  4 | 1 byte  | 16 bytes  | 4      |                | 4      |
 *  +-----------+---------+-----------+--------+----------------+--------+
 *  | magic     | length  | number    | frame                   | CRC-32C|    entry, and so on to the end
 *  | "ARGE"  4 | 4       | 8         |                         | 4      |
 *  +-----------+---------+-----------+-------------------------+--------+
 * </pre>
 *
 * <p>Fixed-size numbers little-endian; each checksum covers all of its header or entry before it.
 */
final class SegmentLayout {
    static final int HEADER_BYTES = 29;
    static final int ENTRY_BYTES = 20;

    /** Most bytes of a header: a dictionary is smaller. */
    static final int MOST_HEADER_BYTES = 17 << 20;

    private static final int HEADER_MAGIC = 'A' | 'R' << 8 | 'G' << 16 | 'Q' << 24;
    private static final int ENTRY_MAGIC = 'A' | 'R' << 8 | 'G' << 16 | 'E' << 24;
    private static final int VERSION = 1;

    private SegmentLayout() {}

    static byte[] header(SessionId session, byte[] names) {
        WireWriter out = new WireWriter();
        out.writeFixedInt(HEADER_MAGIC).writeByte(VERSION);
        session.write(out);
        return out.writeFixedInt(names.length).writeRaw(names).writeChecksum(0).toByteArray();
    }

    static byte[] entry(long counter, byte[] frame) {
        WireWriter out = new WireWriter();
        return out.writeFixedInt(ENTRY_MAGIC)
                .writeFixedInt(frame.length)
                .writeLong(counter)
                .writeRaw(frame)
                .writeChecksum(0)
                .toByteArray();
    }

    /** A header as read. */
    record Header(SessionId session, int bytes) {}

    /** The header that a file begins with, or null. */
    static @Nullable Header header(byte[] file) {
        if (file.length < HEADER_BYTES) {
            return null;
        }
        WireReader in = new WireReader(file);
        boolean known = in.readFixedInt() == HEADER_MAGIC && in.readByte() == VERSION;
        SessionId session = SessionId.read(in);
        int names = in.readFixedInt();
        if (!known || names < 0 || names > MOST_HEADER_BYTES || names > file.length - HEADER_BYTES) {
            return null;
        }
        int bytes = HEADER_BYTES + names;
        return isChecked(file, 0, bytes) ? new Header(session, bytes) : null;
    }

    /** The block of names of a header. */
    static byte[] names(byte[] header) {
        return Arrays.copyOfRange(header, HEADER_BYTES - 4, header.length - 4);
    }

    /** The number of the entry at a place, or -1 where there is none. */
    static long counter(byte[] bytes, int at) {
        int size = size(bytes, at);
        if (size < 0 || !isChecked(bytes, at, size)) {
            return -1;
        }
        WireReader in = new WireReader(Arrays.copyOfRange(bytes, at + 8, at + 16));
        long counter = in.readLong();
        return counter >= 1 && counter <= FrameHead.MOST_COUNTER ? counter : -1;
    }

    /** Bytes that an entry at a place says it has, or -1 where none begins or it would not fit. */
    static int size(byte[] bytes, int at) {
        if (bytes.length - at < ENTRY_BYTES) {
            return -1;
        }
        WireReader in = new WireReader(Arrays.copyOfRange(bytes, at, at + 8));
        boolean begins = in.readFixedInt() == ENTRY_MAGIC;
        int length = in.readFixedInt();
        boolean fits = length >= 0 && length <= FrameHead.MOST_BYTES && length <= bytes.length - at - ENTRY_BYTES;
        return begins && fits ? ENTRY_BYTES + length : -1;
    }

    /** The frame of an entry that is all of the bytes. */
    static byte[] frame(byte[] entry) {
        return Arrays.copyOfRange(entry, ENTRY_BYTES - 4, entry.length - 4);
    }

    private static boolean isChecked(byte[] bytes, int at, int size) {
        try {
            WireReader.checked(Arrays.copyOfRange(bytes, at, at + size), "part of a spool file");
            return true;
        } catch (WireException damaged) {
            return false;
        }
    }
}
