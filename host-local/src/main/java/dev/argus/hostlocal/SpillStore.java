package dev.argus.hostlocal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Byte strings that come rank by rank and are read back step by step: in memory up to a limit, behind it in a file that the
 * operating system deletes when it is closed.
 *
 * <p>Thread-safe for {@link #append}; {@link #read} after all appends. Footprint: the limit.
 */
final class SpillStore implements AutoCloseable {
    private final long memoryLimit;
    private final List<byte[]> inMemory = new ArrayList<>();
    private long memoryBytes;
    private @Nullable FileChannel file;
    private long fileBytes;

    SpillStore(long memoryLimit) {
        this.memoryLimit = memoryLimit;
    }

    /**
     * Keeps the bytes and returns where they are.
     *
     * @throws UncheckedIOException if the temporary folder cannot take them
     */
    synchronized Ref append(byte[] bytes) {
        if (memoryBytes + bytes.length <= memoryLimit) {
            memoryBytes += bytes.length;
            inMemory.add(bytes);
            return new Ref(-(long) inMemory.size(), bytes.length);
        }
        try {
            FileChannel to = file;
            if (to == null) {
                Path path = Files.createTempFile("argus-", ".digests");
                to = FileChannel.open(
                        path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
                file = to;
            }
            Ref ref = new Ref(fileBytes, bytes.length);
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                fileBytes += to.write(buffer, fileBytes);
            }
            return ref;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot write digests to the temporary folder (" + System.getProperty("java.io.tmpdir")
                            + "); free space there or set -Djava.io.tmpdir",
                    e);
        }
    }

    synchronized byte[] read(Ref ref) {
        if (ref.position() < 0) {
            return inMemory.get((int) (-ref.position() - 1));
        }
        FileChannel from = file;
        if (from == null) {
            throw new IllegalStateException("nothing was spilled, yet position " + ref.position() + " is asked for");
        }
        try {
            ByteBuffer buffer = ByteBuffer.allocate(ref.length());
            while (buffer.hasRemaining()) {
                if (from.read(buffer, ref.position() + buffer.position()) < 0) {
                    throw new IOException("the temporary file of digests was cut");
                }
            }
            return buffer.array();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read digests back from the temporary folder", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        inMemory.clear();
        if (file != null) {
            file.close();
        }
    }

    /**
     * Where bytes are.
     *
     * @param position below 0: number of the string in memory; else offset in the file
     * @param length number of bytes
     */
    record Ref(long position, int length) {}
}
