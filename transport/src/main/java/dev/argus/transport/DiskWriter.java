package dev.argus.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** How bytes get to a file: replaced by tests that need a disk which is full, or breaks. */
@FunctionalInterface
interface DiskWriter {
    /** As the system does it. */
    DiskWriter PLAIN = FileChannel::write;

    /** Writes some of the bytes at a place, as {@link FileChannel#write(ByteBuffer, long)} does. */
    int write(FileChannel to, ByteBuffer from, long at) throws IOException;

    /** Forces what was written to a file to the disk. */
    default void force(FileChannel of) throws IOException {
        of.force(false);
    }

    /** Writes all of the bytes at a place. */
    default void writeAll(FileChannel to, byte[] bytes, long at) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        while (from.hasRemaining()) {
            int n = write(to, from, at + from.position());
            if (n <= 0) {
                throw new IOException("the disk took " + n + " of " + from.remaining() + " bytes");
            }
        }
    }
}
