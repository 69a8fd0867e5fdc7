package dev.argus.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for data that is made; gone with everything in it when closed, or when the JVM is told to stop. */
final class Scratch implements AutoCloseable {
    private final Path folder;
    private final Thread atEnd;

    Scratch() throws IOException {
        this(Files.createTempDirectory("argus-bench-"));
    }

    private Scratch(Path folder) {
        this.folder = folder;
        atEnd = new Thread(() -> {
            try {
                delete();
            } catch (IOException e) {
                // nobody is left to be told
            }
        });
        Runtime.getRuntime().addShutdownHook(atEnd);
    }

    /** In memory, where the system has such a place. */
    static Scratch inMemory() throws IOException {
        Path shared = Path.of("/dev/shm");
        return Files.isWritable(shared)
                ? new Scratch(Files.createTempDirectory(shared, "argus-bench-"))
                : new Scratch();
    }

    /** A path inside, which is not made. */
    Path path(String name) {
        return folder.resolve(name);
    }

    Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    @Override
    public void close() throws IOException {
        Runtime.getRuntime().removeShutdownHook(atEnd);
        delete();
    }

    private void delete() throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
