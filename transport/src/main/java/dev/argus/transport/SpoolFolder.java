package dev.argus.transport;

import dev.argus.wire.SessionId;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The folder of a spool, made with mode 0700: {@code lock}, held while a process uses it; {@code acknowledged}, how far each session is;
 * and files {@code 16 hexadecimal digits.frames} in the order of their numbers. Other files are left alone.
 *
 * <p>{@code acknowledged} is written in place and never forced: when it is lost or damaged, frames are sent again, and the receiver knows them.
 */
final class SpoolFolder implements AutoCloseable {
    private static final String SUFFIX = ".frames";
    private static final int MOST_SESSIONS = 1 << 12;

    private final Path folder;
    private final FileChannel lock;
    private final FileChannel acknowledged;
    private long next;

    private SpoolFolder(Path folder, FileChannel lock, FileChannel acknowledged) {
        this.folder = folder;
        this.lock = lock;
        this.acknowledged = acknowledged;
    }

    /**
     * Opens and locks a folder, and makes it where there is none.
     *
     * @throws IOException if it cannot be, or another process uses it
     */
    static SpoolFolder open(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            boolean posix =
                    FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
            FileAttribute<?>[] attributes = posix
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                    }
                    : new FileAttribute<?>[0];
            Files.createDirectories(folder.toAbsolutePath().getParent());
            Files.createDirectory(folder, attributes);
        }
        FileChannel lock = openOwn(folder.resolve("lock"));
        try {
            FileLock held = lock.tryLock();
            if (held == null) {
                throw new OverlappingFileLockException();
            }
            return new SpoolFolder(folder, lock, openOwn(folder.resolve("acknowledged")));
        } catch (OverlappingFileLockException used) {
            lock.close();
            throw new IOException(
                    "the spool " + folder + " is used by another process; stop it, or give another folder");
        } catch (IOException unusable) {
            lock.close();
            throw unusable;
        }
    }

    private static FileChannel openOwn(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS));
    }

    /** Name of the next file. */
    Path nextFile() {
        return folder.resolve(HexFormat.of().toHexDigits(next++) + SUFFIX);
    }

    /** The files there are, oldest first. */
    List<Path> files() throws IOException {
        Map<Long, Path> found = new TreeMap<>();
        try (var list = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : list) {
                String name = file.getFileName().toString();
                if (name.matches("[0-7][0-9a-f]{15}\\.frames")) {
                    found.put(HexFormat.fromHexDigitsToLong(name, 0, 16), file);
                }
            }
        }
        found.keySet().forEach(number -> next = Math.max(next, number + 1));
        return new ArrayList<>(found.values());
    }

    /** How far each session was; empty when that is not known. */
    Map<SessionId, Long> acknowledged() {
        Map<SessionId, Long> known = new LinkedHashMap<>();
        try {
            long size = acknowledged.size();
            if (size > 0 && size < 26L * MOST_SESSIONS) {
                ByteBuffer bytes = ByteBuffer.allocate((int) size);
                while (bytes.hasRemaining() && acknowledged.read(bytes, bytes.position()) > 0) {
                    // until it is full
                }
                WireReader in = WireReader.checked(bytes.array(), "acknowledged");
                for (int n = in.readCount(17); n > 0; n--) {
                    known.put(SessionId.read(in), in.readVarint());
                }
            }
        } catch (IOException | WireException unknown) {
            known.clear();
        }
        return known;
    }

    /** Writes how far each session is, as well as the disk allows. */
    void acknowledge(Map<SessionId, Long> sessions) {
        WireWriter out = new WireWriter();
        out.writeVarint(sessions.size());
        sessions.forEach((session, counter) -> {
            session.write(out);
            out.writeVarint(counter);
        });
        byte[] bytes = out.writeChecksum(0).toByteArray();
        try {
            DiskWriter.PLAIN.writeAll(acknowledged, bytes, 0);
            if (acknowledged.size() > bytes.length) {
                acknowledged.truncate(bytes.length);
            }
        } catch (IOException notWritten) {
            // see above: frames are sent again
        }
    }

    /** Forces the names of its files to the disk, where the system can do that: a file is forced without its name. */
    void force() {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        } catch (IOException notHere) {
            // not every system opens folders; those that do not keep names by themselves
        }
    }

    /** Removes a file. */
    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            // it is met again at the next start
        }
    }

    @Override
    public void close() throws IOException {
        try {
            acknowledged.close();
        } finally {
            lock.close(); // which releases it
        }
    }
}
