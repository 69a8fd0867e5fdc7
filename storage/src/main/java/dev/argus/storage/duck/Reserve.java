package dev.argus.storage.duck;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that only takes room, to be given up when the disk is full: removing rows needs room, too. */
final class Reserve {
    private static final int BLOCK = 1 << 16;

    private final Path file;
    private final long bytes;

    Reserve(Path file, long bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Takes the room, where there is room for it twice. */
    void take() throws IOException {
        if (StoreFolder.length(file) == bytes
                || Files.getFileStore(file.getParent()).getUsableSpace() < 2 * bytes) {
            return;
        }
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
            for (long at = 0; at < bytes; at += block.capacity()) {
                block.clear().limit((int) Math.min(block.capacity(), bytes - at));
                while (block.hasRemaining()) {
                    out.write(block);
                }
            }
        } catch (IOException tight) {
            Files.deleteIfExists(file);
        }
    }

    /** Gives it up. */
    void release() throws IOException {
        Files.deleteIfExists(file);
    }
}
