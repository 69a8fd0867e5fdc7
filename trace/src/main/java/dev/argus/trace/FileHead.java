package dev.argus.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Arrays;

/** The first bytes of a file, uncompressed: they tell which formats it may be, whatever it is called. */
final class FileHead {
    /** Bytes looked at. */
    static final int ROOM = 64 << 10;

    private final byte[] bytes;

    private FileHead(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The first bytes, left in the stream; those before where it fails, which the scanner will say. */
    static FileHead of(BufferedInputStream in) throws IOException {
        in.mark(ROOM);
        byte[] head = new byte[ROOM];
        int n = 0;
        try {
            for (int got = 0; got >= 0 && n < ROOM; n += Math.max(got, 0)) {
                got = in.read(head, n, ROOM - n);
            }
        } catch (IOException broken) {
            // What came before it counts.
        }
        in.reset();
        return new FileHead(Arrays.copyOf(head, n));
    }

    byte[] bytes() {
        return bytes;
    }

    String text() {
        return SideText.decode(bytes);
    }

    /** True if these are all bytes of the file. */
    boolean isWhole() {
        return bytes.length < ROOM;
    }

    /** True if it begins as an object of JSON does, or as a list and not as a log. */
    boolean isJson() {
        return first() == '{' || (first() == '[' && !isLog());
    }

    /** Formats whose words stand in the first bytes: their files are read whole, which no other JSON must be. */
    int hints() {
        String text = text();
        boolean flight =
                text.contains("\"pg_config\"") || text.contains("\"pg_status\"") || text.contains("\"profiling_name\"");
        boolean profiles = text.contains("speedscope") || text.contains("\"frames\"") || text.contains("\"samples\"");
        return (flight ? 1 << TraceMembers.FLIGHT : 0)
                | (profiles ? 1 << TraceMembers.PROFILES : 0)
                | (text.contains("\"resultType\"") ? 1 << TraceMembers.PROMETHEUS : 0);
    }

    /** The first byte that is neither white space nor a byte order mark; -1 if there is none. */
    int first() {
        for (byte b : bytes) {
            if (b > ' ' || (b < 0 && b != (byte) 0xEF && b != (byte) 0xBB && b != (byte) 0xBF)) {
                return b;
            }
        }
        return -1;
    }

    /** True if what begins like a list of JSON goes on as no JSON does: logs begin with a time, a rank or a colour in brackets. */
    boolean isLog() {
        int at = 0;
        while (bytes[at] != '[') {
            at++;
        }
        for (at++; at < bytes.length && (bytes[at] == ' ' || bytes[at] == '\t'); at++) {
            // the first byte inside decides
        }
        int c = at < bytes.length ? bytes[at] : ']';
        boolean small = c >= 'a' && c <= 'z' && c != 'n' && c != 't' && c != 'f';
        boolean large = c >= 'A' && c <= 'Z' && c != 'N' && c != 'I';
        boolean date = at + 4 < bytes.length && isDigit(bytes[at]) && isDigit(bytes[at + 3]) && bytes[at + 4] == '-';
        return small || large || date || c == 0x1B;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
