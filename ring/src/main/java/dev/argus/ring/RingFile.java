package dev.argus.ring;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A new ring file: made under a hidden name, its space reserved, mapped, given its header, then renamed, so that nobody sees it unfinished.
 *
 * @param path where it lies
 * @param bytes the whole file
 * @param arena holds the mapping
 */
record RingFile(Path path, MemorySegment bytes, Arena arena) {
    private static final int ZEROS = 1 << 16;

    /**
     * Makes a file.
     *
     * @throws RingException if there is no room or the name is taken
     */
    @SuppressWarnings("MustBeClosedChecker") // the arena goes with the result, or is closed
    static RingFile create(Path folder, RingHeader header) throws IOException {
        if (!RingLayout.isCapacity(header.capacity())) {
            throw new IllegalArgumentException(
                    "capacity " + header.capacity() + ": expected a power of two from 1024 to 67108864");
        }
        RingFolder.prepare(folder);
        Path path = folder.resolve(header.fileName());
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new RingException(path + " exists: this process already has a ring of this producer");
        }
        Path hidden = folder.resolve("." + header.fileName());
        Files.deleteIfExists(hidden);
        long size = RingLayout.fileBytes(header.capacity());
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(
                hidden,
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            reserve(channel, size, folder);
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            header.write(bytes);
            Files.move(hidden, path, StandardCopyOption.ATOMIC_MOVE);
            return new RingFile(path, bytes, arena);
        } catch (IOException | RuntimeException e) {
            arena.close();
            Files.deleteIfExists(hidden);
            throw e;
        }
    }

    /** Takes the space by writing zeros, which is what posix_fallocate does where the system cannot do better. */
    private static void reserve(FileChannel channel, long size, Path folder) throws RingException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
        long done = 0;
        try {
            while (done < size) {
                zeros.clear().limit((int) Math.min(ZEROS, size - done));
                done += channel.write(zeros, done);
            }
        } catch (IOException e) {
            throw new RingException("no room for a ring of " + size + " bytes in " + folder + " (" + e.getMessage()
                    + " after " + done + "): recording stays off; make /dev/shm larger or the ring smaller");
        }
    }
}
