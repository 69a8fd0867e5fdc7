package dev.argus.hostlocal;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A diagnosis as tests start it: two files at a time, default options. */
final class Diagnosing {
    private Diagnosing() {}

    static Diagnosis of(Path... paths) {
        return of(List.of(paths));
    }

    static Diagnosis of(List<Path> paths) {
        return of(paths, new DiagnoseOptions(null, DiagnoseOptions.DEFAULT_INCIDENT_FLOOR_RATIO, false));
    }

    static Diagnosis of(List<Path> paths, DiagnoseOptions options) {
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            return new LocalDiagnosis(executor, 2, Progress.NONE).diagnose(paths, options);
        }
    }
}
