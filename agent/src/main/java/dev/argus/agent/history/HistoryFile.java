package dev.argus.agent.history;

import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One file of the history, of one rank: blocks, each with a checksum, so that a torn end is seen.
 *
 * <pre>
 * block: magic "ARHB"  length:4 bytes  body  CRC-32C of the body:4 bytes
 * </pre>
 *
 * <p>A block is appended with one write. Written by one thread; read by another from the path.
 */
final class HistoryFile {
    static final int MAGIC = 'A' | 'R' << 8 | 'H' << 16 | 'B' << 24;
    static final int FRAME_BYTES = 12;
    static final int MOST_BLOCK_BYTES = 4 << 20;
    private static final int HEAD_BYTES = 8;
    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    final Path path;
    final HistoryAbout about;
    long bytes;
    long firstNanos = Long.MAX_VALUE;
    long lastNanos = Long.MIN_VALUE;
    private @Nullable FileChannel channel;

    private HistoryFile(Path path, HistoryAbout about, @Nullable FileChannel channel) {
        this.path = path;
        this.about = about;
        this.channel = channel;
    }

    /** Begins a file. */
    static HistoryFile create(Path path, HistoryAbout about) throws IOException {
        FileChannel channel = FileChannel.open(
                path, NEW, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        HistoryFile file = new HistoryFile(path, about, channel);
        try {
            file.append(about.encode());
            return file;
        } catch (IOException full) {
            file.delete();
            throw full;
        }
    }

    /** What an earlier process left; null when it begins with something else. Cost: reads it once. */
    static @Nullable HistoryFile recover(Path path) throws IOException {
        HistoryAbout[] about = new HistoryAbout[1];
        long[] times = {Long.MAX_VALUE, Long.MIN_VALUE};
        read(path, Long.MAX_VALUE, body -> {
            int type = body.readByte();
            if (type == HistoryAbout.TYPE) {
                about[0] = HistoryAbout.decode(body);
            } else if (type == EventBlock.TYPE) {
                times[0] = Math.min(times[0], body.readSigned());
                times[1] = Math.max(times[1], body.readSigned());
            }
        });
        if (about[0] == null) {
            return null;
        }
        HistoryFile file = new HistoryFile(path, about[0], null);
        file.bytes = Files.size(path);
        file.firstNanos = times[0];
        file.lastNanos = times[1];
        return file;
    }

    boolean isOpen() {
        return channel != null;
    }

    /** Appends a block with one write; a block that did not go in whole is cut off again. */
    void append(byte[] body) throws IOException {
        FileChannel to = channel;
        if (to == null) {
            throw new IOException("it is closed");
        }
        WireWriter out = new WireWriter();
        out.writeFixedInt(MAGIC).writeFixedInt(body.length);
        int at = out.length();
        out.writeRaw(body).writeChecksum(at);
        ByteBuffer block = ByteBuffer.wrap(out.toByteArray());
        long size = block.remaining();
        try {
            while (block.hasRemaining()) {
                to.write(block);
            }
        } catch (IOException full) {
            to.truncate(bytes);
            throw full;
        }
        bytes += size;
    }

    void close() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException ignored) {
                // what was written stays as it is
            }
        }
    }

    void delete() {
        close();
        try {
            Files.deleteIfExists(path);
        } catch (IOException ignored) {
            // tried again when the folder is opened the next time
        }
    }

    /**
     * Hands out the bodies of the blocks of a file up to a length; a torn end, or damage, ends it.
     *
     * @return true if all of it could be read
     */
    static boolean read(Path path, long length, Consumer<WireReader> to) throws IOException {
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            long at = 0;
            while (at < length) {
                byte[] head = in.readNBytes(HEAD_BYTES);
                if (head.length == 0) {
                    return true;
                }
                if (head.length < HEAD_BYTES) {
                    return false;
                }
                WireReader frame = new WireReader(head);
                int magic = frame.readFixedInt();
                int size = frame.readFixedInt();
                if (magic != MAGIC || size < 1 || size > MOST_BLOCK_BYTES) {
                    return false;
                }
                byte[] body = in.readNBytes(size + Integer.BYTES);
                if (body.length < size + Integer.BYTES) {
                    return false;
                }
                try {
                    to.accept(WireReader.checked(body, "a block of the history"));
                } catch (WireException damaged) {
                    return false;
                }
                at += FRAME_BYTES + size;
            }
            return true;
        }
    }
}
