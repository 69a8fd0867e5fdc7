package dev.argus.storage.duck;

import dev.argus.storage.OwnFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a store, mode 0700: {@code lock}, held while a process uses it; {@code argus.duckdb} and its log; {@code state-N.bin}; {@code reserve}, room for tidying up when the disk is full; {@code export} and {@code tmp},
 * work in progress, emptied at the start.
 */
final class StoreFolder implements AutoCloseable {
    private static final String DATABASE = "argus.duckdb";

    private final Path folder;
    private final FileChannel lock;
    private @Nullable Object opened;
    private boolean withoutLog;

    private StoreFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Makes it where it is missing, and locks it for this process alone.
     *
     * @throws IOException if another process, or another store of this one, uses it
     */
    static StoreFolder own(Path folder) throws IOException {
        Path whole = OwnFolder.make(folder).toRealPath();
        FileChannel lock = FileChannel.open(
                whole.resolve("lock"),
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS));
        StoreFolder made = new StoreFolder(whole, lock);
        made.hold(false);
        made.empty("export");
        made.empty("tmp");
        return made;
    }

    /**
     * For reading, beside others that read.
     *
     * @throws IOException if there is no store, or a server uses it
     */
    static StoreFolder shared(Path folder) throws IOException {
        if (!Files.isRegularFile(folder.resolve(DATABASE), LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(folder.resolve(DATABASE).toString());
        }
        Path whole = folder.toRealPath();
        StoreFolder made = new StoreFolder(
                whole,
                FileChannel.open(whole.resolve("lock"), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
        made.hold(true);
        return made;
    }

    private void hold(boolean shared) throws IOException {
        try {
            FileLock held = lock.tryLock(0, Long.MAX_VALUE, shared);
            if (held == null) {
                throw new OverlappingFileLockException();
            }
        } catch (OverlappingFileLockException used) {
            lock.close();
            throw new IOException(
                    shared
                            ? "the store " + folder + " is used by a server that runs; ask that one"
                            : "the store " + folder + " is used by another process; stop it, or give another folder");
        } catch (IOException unusable) {
            lock.close();
            throw unusable;
        }
    }

    private void empty(String name) throws IOException {
        Path inner = OwnFolder.make(folder.resolve(name));
        try (var files = Files.list(inner)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Remembers which file the database is that was opened. */
    void opened() throws IOException {
        opened = key();
    }

    /**
     * Checks that the database that was opened is still the file of this folder: what is written into one that was deleted is gone with this process.
     *
     * @throws IOException if it was deleted, or replaced
     */
    void mustBeOpened() throws IOException {
        if (withoutLog) {
            throw lost(log());
        }
        Object now;
        try {
            now = key();
        } catch (NoSuchFileException gone) {
            throw lost(database());
        }
        if (!Objects.equals(opened, now)) {
            throw lost(database());
        }
    }

    /**
     * The same of the log, in which there must be something. Once it was not there nothing more is kept, for nothing tells what of it will be found again.
     *
     * @throws IOException if it was deleted
     */
    void mustHaveLog() throws IOException {
        if (length(log()) == 0) {
            withoutLog = true;
            throw lost(log());
        }
    }

    private @Nullable Object key() throws IOException {
        return Files.readAttributes(database(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    private static IOException lost(Path file) {
        return new IOException(file + " was deleted or replaced while it was in use; stop this process, put the folder"
                + " back from a copy, or move it away to begin anew, and start again");
    }

    Path folder() {
        return folder;
    }

    Path database() {
        return folder.resolve(DATABASE);
    }

    Path log() {
        return folder.resolve(DATABASE + ".wal");
    }

    Path export() {
        return folder.resolve("export");
    }

    Path temporary() {
        return folder.resolve("tmp");
    }

    Path reserve() {
        return folder.resolve("reserve");
    }

    /** Length of a file, 0 where there is none. */
    static long length(Path file) {
        return file.toFile().length();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
