package dev.argus.hostlocal;

import dev.argus.model.Topology;
import dev.argus.model.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** Reads folders of traces and says who makes the job slow. */
public final class LocalDiagnosis {
    /**
     * Composes a diagnosis.
     *
     * @param executor runs the work
     * @param parallelism tasks at a time
     * @param progress hears how far it is
     */
    public LocalDiagnosis(ExecutorService executor, int parallelism, Progress progress) {}

    /**
     * Reads and judges.
     *
     * @param paths folders and files of one job
     * @param options the user's choices
     */
    public Diagnosis diagnose(List<Path> paths, DiagnoseOptions options) {
        Verdict.Job job = new Verdict.Job(0, 0, -1, -1, Topology.UNKNOWN, 0);
        Verdict.Quality quality = new Verdict.Quality(0, 0, List.of());
        Verdict verdict = new Verdict(job, List.of(), quality, List.of(), List.of(), List.of(), 0);
        return new Diagnosis(verdict, false, "This build cannot read traces yet.", List.of());
    }
}
