package dev.argus.cli;

import dev.argus.hostlocal.DiagnoseOptions;
import dev.argus.hostlocal.Diagnosis;
import dev.argus.hostlocal.LocalDiagnosis;
import dev.argus.hostlocal.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Does the analysis; tests put their own in its place. */
interface Diagnoser {
    /** The real one: threads of its own, gone at the end; daemons, so that an interrupt ends the process at once. */
    Diagnoser LOCAL = (paths, options, threads, progress) -> {
        ExecutorService executor = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("argus-", 0).factory());
        try {
            return new LocalDiagnosis(executor, threads, progress).diagnose(paths, options);
        } finally {
            executor.shutdownNow();
        }
    };

    /** Reads and judges. */
    Diagnosis diagnose(List<Path> paths, DiagnoseOptions options, int threads, Progress progress);
}
