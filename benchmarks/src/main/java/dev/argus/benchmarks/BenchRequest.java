package dev.argus.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the user asked for.
 *
 * @param full the long form, which may take minutes
 * @param paths data to measure on; empty = data the benchmark makes
 * @param progress takes one line on what is going on
 */
record BenchRequest(boolean full, List<Path> paths, Consumer<String> progress) {
    BenchRequest {
        paths = List.copyOf(paths);
    }
}
