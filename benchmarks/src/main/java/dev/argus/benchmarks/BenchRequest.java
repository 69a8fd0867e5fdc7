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
 * @param trials which scenarios to try
 * @param ranks size of the job, where a benchmark has one; 0 = the benchmark's own sizes
 * @param windows length of a long run, in windows of a minute; 0 = the benchmark's own
 * @param details takes what is to be read below the figures
 */
record BenchRequest(
        boolean full,
        List<Path> paths,
        Consumer<String> progress,
        Window window,
        @Nullable Path rebuilt,
        Trials trials,
        int ranks,
        int windows,
        Consumer<String> details) {
    /** What is one window. */
    enum Window {
        trace,
        step
    }

    /**
     * Which scenarios to try.
     *
     * @param seed first seed; null = the benchmark's own
     * @param only kinds, by their words; empty = all
     * @param perKind seeds of every kind and severity; 0 = the benchmark's own choice
     * @param threads scenarios at a time
     * @param misses true to list what went wrong
     * @param page file to write the results to, for people; null = none
     * @param published true for the published situations instead
     */
    record Trials(
            @Nullable Long seed,
            List<String> only,
            int perKind,
            int threads,
            boolean misses,
            @Nullable Path page,
            boolean published) {
        static final Trials DEFAULT =
                new Trials(null, List.of(), 0, Runtime.getRuntime().availableProcessors(), false, null, false);

        Trials {
            only = List.copyOf(only);
        }
    }

    BenchRequest {
        paths = List.copyOf(paths);
    }

    BenchRequest(boolean full, List<Path> paths, Consumer<String> progress) {
        this(full, paths, progress, Window.trace, null, Trials.DEFAULT, 0, 0, line -> {});
    }
}
