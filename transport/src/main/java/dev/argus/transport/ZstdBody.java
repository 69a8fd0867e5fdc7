package dev.argus.transport;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks bodies that came packed by Zstandard.
 *
 * <p>Who packs a whole body at once, as agents do, says its length in front: such a one is unpacked at once into that many bytes. A stream makes buffers of 128 KiB first, which for a shipment of some
 * kilobytes took more time than all that is done with it. What does not say its length, or is not what it says, goes through a stream.
 */
final class ZstdBody {
    /** A window of 16 MiB, as large as a shipment: more would only cost memory. */
    private static final int WINDOW_LOG = 24;

    private ZstdBody() {}

    /**
     * The bytes that were packed; at most one more than the bound, which tells that there are more.
     *
     * @throws IOException if the body is cut or damaged
     */
    static byte[] unpacked(byte[] body, int most) throws IOException {
        long stated = Zstd.getFrameContentSize(body);
        if (stated > 0 && stated <= most) {
            byte[] plain = atOnce(body, (int) stated);
            if (plain != null) {
                return plain;
            }
        }
        try (InputStream plain = new ZstdInputStreamNoFinalizer(
                        new ByteArrayInputStream(body), RecyclingBufferPool.INSTANCE)
                .setLongMax(WINDOW_LOG)) {
            return plain.readNBytes(most + 1);
        }
    }

    /** Null where it is not as long as it says; the stream tells whether it is damaged, or several behind each other. */
    private static byte @Nullable [] atOnce(byte[] body, int length) {
        byte[] plain = new byte[length];
        try {
            return Zstd.decompressByteArray(plain, 0, length, body, 0, body.length) == length ? plain : null;
        } catch (ZstdException other) {
            return null;
        }
    }
}
