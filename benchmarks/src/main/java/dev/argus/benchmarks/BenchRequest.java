package dev.argus.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for.
 *
 * @param full the long form, which may take minutes
 * @param paths data to measure on; empty = data the benchmark makes
 * @param progress takes one line on what is going on
 * @param window what is one window, where a benchmark has windows
 * @param rebuilt file to write what summaries rebuild; null = none
 */
record BenchRequest(
        boolean full,
        List<Path> paths,
        Consumer<String> progress,
        Window window,
        @Nullable Path rebuilt) {
    /** What is one window. */
    enum Window {
        trace,
        step
    }

    BenchRequest {
        paths = List.copyOf(paths);
    }

    BenchRequest(boolean full, List<Path> paths, Consumer<String> progress) {
        this(full, paths, progress, Window.trace, null);
    }
}
