package dev.argus.trace;

import dev.argus.model.NameTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts that are no JSON: which format they are, by what stands in their first lines. */
final class TextRead {
    private TextRead() {}

    /**
     * Reads a file if it is one of the texts known.
     *
     * @param head its first bytes, uncompressed
     * @param whole true if there are no more
     * @return null if it is none of them
     */
    static @Nullable ReadOutcome read(TraceFile file, NameTable names, SinkFactory sinks, byte[] head, boolean whole) {
        if (isBinary(head)) {
            return null;
        }
        String text = SideText.decode(head);
        boolean dump = PySpyRead.recognises(text);
        try {
            if (!dump && DcgmText.recognises(text)) {
                return new DcgmText(file, names).run(SideText.lines(file));
            }
            if (!dump && !CollapsedRead.recognises(text, whole)) {
                return IterationLog.read(file, names, sinks); // its lines may begin late
            }
            List<String> lines = SideText.lines(file);
            return dump ? new PySpyRead(file, names, "py-spy").text(lines) : new CollapsedRead(file, names).run(lines);
        } catch (IOException broken) {
            return new SideOutcome(file, "text").failed("unreadable: " + FileRead.reason(broken));
        }
    }

    /** True for bytes that no text has, UTF-16 with its mark aside. */
    private static boolean isBinary(byte[] head) {
        boolean wide = head.length >= 2
                && ((head[0] == (byte) 0xFE && head[1] == (byte) 0xFF)
                        || (head[0] == (byte) 0xFF && head[1] == (byte) 0xFE));
        byte[] looked = Arrays.copyOf(head, Math.min(head.length, 1024));
        for (byte b : looked) {
            if (b == 0 && !wide) {
                return true;
            }
        }
        return head.length == 0;
    }
}
