package dev.argus.trace;

import java.io.IOException;
import java.io.InputStream;

/** Small files as a whole: formats that are no streams of events. */
final class SideBytes {
    /** Most bytes of such a file, uncompressed. */
    static final int MAX_BYTES = 64 << 20;

    private SideBytes() {}

    /**
     * The uncompressed bytes of a file.
     *
     * @throws IOException if it cannot be read, or is larger than {@link #MAX_BYTES}
     */
    static byte[] of(TraceFile file) throws IOException {
        try (InputStream in = ByteSource.open(file.path(), n -> {})) {
            byte[] bytes = in.readNBytes(MAX_BYTES);
            if (bytes.length == MAX_BYTES && in.read() >= 0) {
                throw new IOException("more than " + (MAX_BYTES >> 20) + " MiB uncompressed");
            }
            return bytes;
        }
    }
}
