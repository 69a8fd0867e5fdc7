package dev.argus.agent.ship;

import dev.argus.wire.FrameHead;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Names of jobs and hosts as frames can hold them: 1 to {@value FrameHead#MOST_NAME_BYTES} bytes of UTF-8. */
final class FrameNames {
    /** What a job is called that has no name. */
    static final String UNNAMED = "unnamed";

    private static final int MARK_BYTES = 17;
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private FrameNames() {}

    /** The name itself where it fits; one that is too long is cut at a character, with a hash of the whole behind it. */
    static String of(String name) {
        if (name.isEmpty()) {
            return UNNAMED;
        }
        if (name.getBytes(StandardCharsets.UTF_8).length <= FrameHead.MOST_NAME_BYTES) {
            return name;
        }
        int end = 0;
        int bytes = 0;
        while (end < name.length()) {
            int c = name.codePointAt(end);
            bytes += Character.toString(c).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > FrameHead.MOST_NAME_BYTES - MARK_BYTES) {
                break;
            }
            end += Character.charCount(c);
        }
        return name.substring(0, end) + "#" + HexFormat.of().toHexDigits(hash(name));
    }

    /** FNV-1a of the UTF-8, 64 bits. */
    static long hash(String text) {
        long hash = FNV_BASIS;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
        }
        return hash;
    }
}
