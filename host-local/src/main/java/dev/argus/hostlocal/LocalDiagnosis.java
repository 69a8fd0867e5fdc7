package dev.argus.hostlocal;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.TraceLoader.LoadedFile;
import dev.argus.model.DataProblem;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.model.Verdict;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * Reads folders of traces and says who makes the job slow.
 *
 * <p>Files are read in parallel, each in one pass; their digests lie in memory or, behind a share of the heap, in a temporary
 * file, and are judged step by step. A file that cannot be read never stops the others. Files are admitted by the memory they
 * may need, so that the heap does not limit the size of a folder.
 */
public final class LocalDiagnosis {
    private static final long KIB = 1024;

    /** A trace in JSON shrinks to about this much less in gzip or zstd. */
    private static final long COMPRESSION = 16;

    /** Rows of a database say as much in so much fewer bytes. */
    private static final long DENSE_ROWS = 4;

    /** Bytes of JSON behind one byte of packed events, with a margin. */
    private static final long JSON_PER_PACKED = 8;

    private final ExecutorService executor;
    private final int parallelism;
    private final Progress progress;

    /**
     * Composes a diagnosis.
     *
     * @param executor runs the work
     * @param parallelism files read at a time
     * @param progress hears how far it is
     */
    public LocalDiagnosis(ExecutorService executor, int parallelism, Progress progress) {
        this.executor = executor;
        this.parallelism = parallelism;
        this.progress = progress;
    }

    /**
     * Reads and judges.
     *
     * @param paths folders and files of one job
     * @param options the user's choices
     * @throws UncheckedIOException if the temporary folder cannot take the digests of a large job
     */
    public Diagnosis diagnose(List<Path> paths, DiagnoseOptions options) {
        TraceInputs inputs = TraceInputs.find(paths);
        if (inputs.files().isEmpty()) {
            return failed(
                    inputs.problems(),
                    inputs.problems().isEmpty()
                            ? "no file was found; expected a folder or file with the traces of one job"
                            : inputs.problems().getFirst().detail());
        }
        long heap = Runtime.getRuntime().maxMemory();
        try (SpillStore store = new SpillStore(heap / 6)) {
            NameTable names = new NameTable();
            SummaryLoss loss = options.explain() ? new SummaryLoss() : null;
            List<LoadedFile> files = load(inputs.files(), new TraceLoader(names, store, loss), heap);
            progress.phase("judging");
            Thresholds thresholds = Thresholds.DEFAULT.withIncidentFloor(options.incidentFloorRatio());
            Diagnosis diagnosis = new JobDiagnosis(
                            files,
                            inputs.problems(),
                            names,
                            store,
                            thresholds,
                            options,
                            new Lanes(executor, Math.max(1, parallelism)))
                    .run();
            return loss == null ? diagnosis : diagnosis.explainedFurther(loss.lines());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the temporary file of digests", e);
        }
    }

    private List<LoadedFile> load(List<TraceFile> files, TraceLoader loader, long heap) {
        progress.phase("reading traces");
        progress.totalBytes(files.stream().mapToLong(TraceFile::bytes).sum());
        int budget = (int) Math.min(Integer.MAX_VALUE, Math.max(1, heap / 2 / KIB));
        Semaphore memory = new Semaphore(budget, true);
        Semaphore slots = new Semaphore(parallelism, true);
        List<Future<LoadedFile>> futures = new ArrayList<>();
        for (TraceFile file : files) {
            int need = (int) Math.min(budget, 1 + file.bytes() * expansion(file) / JSON_PER_PACKED / KIB);
            acquire(slots, 1);
            acquire(memory, need);
            futures.add(executor.submit(() -> {
                try {
                    return loader.load(file, progress::readBytes);
                } finally {
                    memory.release(need);
                    slots.release();
                }
            }));
        }
        List<LoadedFile> loaded = new ArrayList<>();
        for (Future<LoadedFile> f : futures) {
            loaded.add(get(f));
        }
        return loaded;
    }

    private static long expansion(TraceFile file) {
        byte[] magic = new byte[4];
        try (InputStream in = Files.newInputStream(file.path())) {
            int n = in.readNBytes(magic, 0, magic.length);
            boolean gzip = n >= 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
            boolean zstd = n == 4 && magic[0] == 0x28 && magic[1] == (byte) 0xb5;
            boolean rows = n == 4 && magic[0] == 'S' && magic[1] == 'Q' && magic[2] == 'L';
            return gzip || zstd ? COMPRESSION : rows ? DENSE_ROWS : 1;
        } catch (IOException e) {
            return 1; // The reader will say what is wrong with it.
        }
    }

    private static void acquire(Semaphore semaphore, int permits) {
        semaphore.acquireUninterruptibly(permits);
    }

    private static LoadedFile get(Future<LoadedFile> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading traces", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException r) {
                throw r;
            }
            if (e.getCause() instanceof Error r) {
                throw r;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    static Diagnosis failed(List<DataProblem> problems, String why) {
        Verdict.Job job = new Verdict.Job(0, 0, -1, -1, Topology.UNKNOWN, 0);
        Verdict.Quality quality = new Verdict.Quality(0, 0, problems);
        Verdict verdict = new Verdict(job, List.of(), quality, List.of(), List.of(), List.of(), 0);
        return new Diagnosis(verdict, false, why, List.of());
    }

    /** A problem that concerns no rank in particular. */
    static DataProblem problem(String kind, String detail) {
        return new DataProblem(kind, RankSet.EMPTY, detail);
    }
}
