package dev.argus.hostlocal.metrics;

import dev.argus.model.SafeText;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names from outside as labels of metrics and alerts: printable, at most some 100 characters, and different where the names are.
 *
 * <p>A name that is escaped or cut gets 64 bits of its SHA-256 behind a tilde, and so does one that already looks like that: no name can be chosen so that it
 * becomes the label of another. Metrics and alerts of a job carry the same label. Cost: O(length), and a hash where one is needed.
 */
public final class LabelText {
    /** Most characters of a name that are shown. */
    public static final int LIMIT = 64;

    private static final int HASH_BYTES = 8;
    private static final String MARK = "~";

    private LabelText() {}

    /** The label of a name. */
    public static String of(String name) {
        String shown = SafeText.of(name, LIMIT);
        return !shown.isEmpty() && shown.equals(name) && !isMarked(name) ? name : shown + MARK + hash(name);
    }

    private static boolean isMarked(String name) {
        int at = name.length() - 2 * HASH_BYTES - 1;
        return at >= 0 && name.startsWith(MARK, at) && name.substring(at + 1).matches("[0-9a-f]+");
    }

    private static String hash(String name) {
        try {
            ByteBuffer bytes = ByteBuffer.allocate(2 * name.length());
            name.chars().forEach(c -> bytes.putChar((char) c)); // no charset: it would make all lone surrogates one
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(bytes.array());
            return HexFormat.of().formatHex(sum, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
