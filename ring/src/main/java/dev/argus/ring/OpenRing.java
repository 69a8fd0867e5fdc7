package dev.argus.ring;

import dev.argus.model.SafeText;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A ring that was found safe, locked for one reader, and mapped.
 *
 * <p>The lock is one of POSIX: the system drops it as soon as this process closes the file once, through whatever channel. So while a ring is open here, whoever
 * wants its header reads it through {@link #channelOf}, and nobody opens it again.
 *
 * @param path absolute
 * @param channel holds the lock
 * @param arena holds the mapping
 * @param bytes the whole file
 * @param header read from {@code copy}
 * @param copy of the part of the header that is used
 */
record OpenRing(
        Path path, FileChannel channel, Arena arena, MemorySegment bytes, RingHeader header, MemorySegment copy) {
    /** The rings that this process has open, by path. */
    private static final Map<Path, FileChannel> OPEN = new ConcurrentHashMap<>();

    /** The channel of a ring that this process reads, or null. */
    static @Nullable FileChannel channelOf(Path path) {
        return OPEN.get(absolute(path));
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    /**
     * Opens a file.
     *
     * @throws RingException if it is not safe, no ring, of another major version, or read by another agent
     */
    @SuppressWarnings("MustBeClosedChecker") // the arena goes with the result, or is closed
    static OpenRing open(Path path) throws IOException {
        String wrong = RingFolder.wrongFile(path);
        if (wrong != null) {
            throw new RingException(shown(path) + " " + wrong);
        }
        if (channelOf(path) != null) {
            throw another(path);
        }
        FileChannel channel = FileChannel.open(
                path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        Arena arena = Arena.ofShared();
        try {
            MemorySegment copy = RingHeaders.copy(path, channel);
            lock(path, channel);
            RingHeader header = RingHeader.read(copy);
            MemorySegment bytes =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, RingLayout.fileBytes(header.capacity()), arena);
            OPEN.put(absolute(path), channel);
            return new OpenRing(absolute(path), channel, arena, bytes, header, copy);
        } catch (IOException | RuntimeException e) {
            arena.close();
            channel.close();
            throw e;
        }
    }

    private static void lock(Path path, FileChannel channel) throws IOException {
        boolean ours;
        try {
            ours = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            ours = false;
        }
        if (!ours) {
            throw another(path);
        }
    }

    private static RingException another(Path path) {
        return new RingException(shown(path) + " is read by another agent: end it first, or give it another folder");
    }

    static String shown(Path path) {
        return SafeText.of(String.valueOf(path.getFileName()));
    }

    void close() throws IOException {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        OPEN.remove(path, channel);
        channel.close();
    }
}
