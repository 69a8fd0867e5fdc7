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
        folder = Files.createTempDirectory("argus-bench-");
        atEnd = new Thread(() -> {
            try {
                delete();
            } catch (IOException e) {
                // nobody is left to be told
            }
        });
        Runtime.getRuntime().addShutdownHook(atEnd);
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
