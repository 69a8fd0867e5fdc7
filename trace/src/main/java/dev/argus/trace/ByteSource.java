package dev.argus.trace;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;

/**
 * A file as uncompressed bytes: what it is compressed with is told by its first bytes, never by its name.
 *
 * <p>gzip (also several members in a row, and garbage behind the last), zstd, or plain. Memory: some 100 KiB, whatever the
 * ratio of compression.
 */
final class ByteSource {
    private static final int CHUNK = 64 << 10;
    private static final int GZIP = 0x8B1F;
    private static final int ZSTD = 0xFD2FB528;
    private static final int ZSTD_SKIPPABLE = 0x184D2A50;

    private ByteSource() {}

    /**
     * Opens the file.
     *
     * @param bytesRead told how many more bytes of the file were taken, compressed as they are
     */
    static InputStream open(Path path, LongConsumer bytesRead) throws IOException {
        InputStream raw = Files.newInputStream(path);
        try {
            return decompress(new Counting(raw, bytesRead));
        } catch (IOException | RuntimeException broken) {
            raw.close();
            throw broken;
        }
    }

    private static InputStream decompress(InputStream stored) throws IOException {
        byte[] head = stored.readNBytes(4);
        InputStream in = new SequenceInputStream(new ByteArrayInputStream(head), stored);
        int magic = 0;
        for (int i = 0; i < head.length; i++) {
            magic |= (head[i] & 0xFF) << (8 * i);
        }
        if (head.length >= 2 && (magic & 0xFFFF) == GZIP) {
            return new GZIPInputStream(in, CHUNK);
        }
        if (head.length == 4 && (magic == ZSTD || (magic & 0xFFFF_FFF0) == ZSTD_SKIPPABLE)) {
            return new ZstdInputStreamNoFinalizer(in);
        }
        return in;
    }

    private static final class Counting extends FilterInputStream {
        private final LongConsumer bytesRead;

        Counting(InputStream in, LongConsumer bytesRead) {
            super(in);
            this.bytesRead = bytesRead;
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            if (b >= 0) {
                bytesRead.accept(1);
            }
            return b;
        }

        @Override
        public int read(byte[] to, int off, int len) throws IOException {
            int got = super.read(to, off, len);
            if (got > 0) {
                bytesRead.accept(got);
            }
            return got;
        }
    }
}
