package dev.argus.storage.object;

import dev.argus.storage.ObjectStore;
import dev.argus.storage.OwnFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Objects as files of a folder of mode 0700, a key being a path in it. An object is written beside the others, forced to the disk and renamed, so it is there as a whole or not at all. Links are not followed: neither that of a
 * folder nor that of an object.
 *
 * <p>Thread-safe. {@link #list} costs a look at each file below the last {@code /} of its prefix.
 */
public final class FolderObjects implements ObjectStore {
    private static final String UNFINISHED = ".unfinished";

    private final Path folder;
    private final Path unfinished;
    private final AtomicLong next = new AtomicLong();

    /**
     * Opens a folder, and makes it where there is none. What a death left unfinished is removed.
     *
     * @throws IOException if it cannot be made or is a link
     */
    public FolderObjects(Path folder) throws IOException {
        this.folder = OwnFolder.make(folder);
        this.unfinished = OwnFolder.make(this.folder.resolve(UNFINISHED));
        try (Stream<Path> left = Files.list(unfinished)) {
            for (Path file : left.toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public void put(String key, Path file) throws IOException {
        Path target = path(key);
        Path written = unfinished.resolve(Long.toString(next.incrementAndGet()));
        try {
            try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
                    FileChannel to =
                            FileChannel.open(written, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                long size = from.size();
                for (long at = 0; at < size; ) {
                    long moved = from.transferTo(at, size - at, to);
                    if (moved <= 0) {
                        throw new IOException("'" + file.getFileName() + "' became shorter while it was read");
                    }
                    at += moved;
                }
                to.force(true);
            }
            Path parent = makeParents(target);
            Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
            OwnFolder.force(parent);
        } catch (AtomicMoveNotSupportedException odd) {
            throw new IOException("the folder of objects must be one file system: " + odd.getReason(), odd);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /** Each folder on the way, one by one, so that none is reached through a link. */
    private Path makeParents(Path target) throws IOException {
        Path at = folder;
        Path parents = folder.relativize(target).getParent();
        if (parents == null) {
            return at;
        }
        for (Path part : parents) {
            at = at.resolve(part);
            OwnFolder.make(at);
        }
        return at;
    }

    @Override
    public Optional<InputStream> get(String key) throws IOException {
        Path file = path(key);
        if (attributes(file).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<Head> head(String key) throws IOException {
        return attributes(path(key)).map(a -> head(key, a));
    }

    private static Head head(String key, BasicFileAttributes about) {
        return new Head(key, about.size(), about.lastModifiedTime().toMillis());
    }

    /** Of a plain file that is reached without any link. */
    private Optional<BasicFileAttributes> attributes(Path file) throws IOException {
        Path at = folder;
        Path way = folder.relativize(file);
        for (int i = 0; i < way.getNameCount(); i++) {
            at = at.resolve(way.getName(i));
            try {
                BasicFileAttributes about =
                        Files.readAttributes(at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                boolean last = i == way.getNameCount() - 1;
                if (last ? !about.isRegularFile() : !about.isDirectory()) {
                    return Optional.empty();
                }
                if (last) {
                    return Optional.of(about);
                }
            } catch (NoSuchFileException none) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    @Override
    public List<Head> list(String prefix, String after, int most) throws IOException {
        ObjectKeys.checkPrefix(prefix);
        int slash = prefix.lastIndexOf('/');
        Path from = slash < 0 ? folder : folder.resolve(prefix.substring(0, slash));
        List<Head> found = new ArrayList<>();
        collect(from, prefix, after, found);
        found.sort(Comparator.comparing(Head::key));
        return found.size() <= most ? found : List.copyOf(found.subList(0, Math.max(0, most)));
    }

    private void collect(Path at, String prefix, String after, List<Head> into) throws IOException {
        if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> children;
        try (Stream<Path> list = Files.list(at)) {
            children = list.toList();
        } catch (NoSuchFileException gone) {
            return;
        }
        for (Path child : children) {
            if (child.equals(unfinished)) {
                continue;
            }
            String key = folder.relativize(child).toString().replace('\\', '/');
            if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                if (prefix.startsWith(key + "/") || (key + "/").startsWith(prefix)) {
                    collect(child, prefix, after, into);
                }
            } else if (key.startsWith(prefix) && key.compareTo(after) > 0) {
                attributes(child).ifPresent(about -> into.add(head(key, about)));
            }
        }
    }

    @Override
    public void delete(String key) throws IOException {
        Path file = path(key);
        if (attributes(file).isEmpty()) {
            return;
        }
        Files.deleteIfExists(file);
        for (Path parent = file.getParent(); parent != null && !parent.equals(folder); parent = parent.getParent()) {
            try {
                Files.delete(parent);
            } catch (IOException notEmpty) {
                return;
            }
        }
    }

    private Path path(String key) {
        ObjectKeys.check(key);
        if (key.equals(UNFINISHED) || key.startsWith(UNFINISHED + "/")) {
            throw new IllegalArgumentException("key '" + key + "': reserved");
        }
        return folder.resolve(key);
    }

    @Override
    public void close() {
        // nothing is held
    }
}
