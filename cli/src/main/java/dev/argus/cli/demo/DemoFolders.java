package dev.argus.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folders of a demonstration, which go with it: rings in shared memory where there is room, everything else in the folder for temporary files. What an earlier
 * one left that was killed is removed as well.
 */
final class DemoFolders implements AutoCloseable {
    private static final String PREFIX = "argus-demo-";
    private static final Pattern OURS = Pattern.compile(PREFIX + "(\\d{1,10})-.*");
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final List<Path> made = new ArrayList<>();
    private final Path root;
    private final Path rings;

    /**
     * Makes them.
     *
     * @param temp folder for temporary files
     * @param ringBytes bytes that the rings will take
     */
    DemoFolders(Path temp, long ringBytes) throws IOException {
        Path memory = SHARED_MEMORY;
        boolean room = Files.isWritable(memory) && freeBytes(memory) > 2 * ringBytes;
        clean(temp);
        clean(memory);
        root = make(temp);
        rings = room ? make(memory) : root.resolve("rings");
        if (!room && freeBytes(temp) < 2 * ringBytes) {
            close();
            throw new IOException("the rings take " + (ringBytes >> 20) + " MiB, and neither " + memory + " nor " + temp
                    + " has twice as much: make room, or ask for fewer --ranks");
        }
    }

    private static long freeBytes(Path folder) {
        try {
            FileStore store = Files.getFileStore(folder);
            return store.getUsableSpace();
        } catch (IOException unknown) {
            return 0;
        }
    }

    private Path make(Path in) throws IOException {
        Path folder =
                Files.createTempDirectory(in, PREFIX + ProcessHandle.current().pid() + "-"); // mode 0700
        made.add(folder);
        return folder;
    }

    /** Removes what processes left that are gone. */
    private static void clean(Path in) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(in, PREFIX + "*")) {
            for (Path folder : all) {
                Matcher name = OURS.matcher(String.valueOf(folder.getFileName()));
                if (name.matches()
                        && Files.getOwner(folder).equals(Files.getOwner(Path.of("/proc/self")))
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                    remove(folder);
                }
            }
        } catch (IOException | UncheckedIOException left) {
            // it stays, as it would without us
        }
    }

    /** Folder of the rings. */
    Path rings() {
        return rings;
    }

    /** Folder of what the server keeps. */
    Path data() {
        return root.resolve("server");
    }

    /** Folder of what the agent keeps. */
    Path state() {
        return root.resolve("agent");
    }

    @Override
    public void close() {
        made.forEach(DemoFolders::remove);
    }

    private static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException left) {
            // the system cleans its folder for temporary files
        }
    }
}
