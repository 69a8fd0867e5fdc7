package dev.argus.trace;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A text file as lines: UTF-8, or UTF-16 where it begins with its mark; lines end with LF, CRLF or CR. */
final class SideText {
    private SideText() {}

    /**
     * All lines of a file, without their ends.
     *
     * @throws IOException if it cannot be read, or is too large to be such a file
     */
    static List<String> lines(TraceFile file) throws IOException {
        return decode(SideBytes.of(file)).lines().toList();
    }

    /** The text of bytes; what is not valid is replaced. */
    static String decode(byte[] bytes) {
        int skip = 0;
        Charset charset = StandardCharsets.UTF_8;
        if (bytes.length >= 2 && bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF) {
            charset = StandardCharsets.UTF_16BE;
            skip = 2;
        } else if (bytes.length >= 2 && bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE) {
            charset = StandardCharsets.UTF_16LE;
            skip = 2;
        } else if (bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF) {
            skip = 3;
        }
        return new String(bytes, skip, bytes.length - skip, charset);
    }
}
