package dev.argus.testkit;

import dev.argus.testkit.WrittenJob.RankFacts;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the traces of a plain data-parallel job, one file per rank, and says what is in them.
 *
 * <p>The physics: compute kernels of a layer run on stream 7, the collective of its gradients on stream 20; a
 * collective's kernel lasts from the arrival of its rank until the last member has arrived and the data is transferred,
 * so that the late rank has the shortest one and all end within 1.5 us; the CPU launches ahead of the GPU and waits for
 * it once a step. All randomness comes from the job's seed.
 *
 * <p>Cost: constant memory beside 8 bytes per collective of the job; about 250 MB/s of uncompressed bytes per core with
 * compression. Rank files are independent: {@code write(folder, job, executor)} writes as many at once as the executor
 * has threads.
 *
 * <pre>{@code
 * WrittenJob job = KinetoTraceWriter.write(folder, KinetoJob.of(8).withSlowRank(3, 1.3, 22));
 * job.ranks().get(3).busyNanos();
 * }</pre>
 */
public final class KinetoTraceWriter {
    private KinetoTraceWriter() {}

    /** Writes all files on the calling thread. */
    public static WrittenJob write(Path folder, KinetoJob job) throws IOException {
        Files.createDirectories(folder);
        JobPlan plan = JobPlan.of(job);
        List<RankFacts> ranks = new ArrayList<>();
        for (int rank = 0; rank < job.ranks(); rank++) {
            ranks.add(writeRank(folder, job, plan, rank));
        }
        return new WrittenJob(folder, ranks);
    }

    /** Writes the files on the threads of an executor and waits for them. */
    public static WrittenJob write(Path folder, KinetoJob job, ExecutorService executor)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        JobPlan plan = JobPlan.of(job);
        List<Callable<RankFacts>> work = new ArrayList<>();
        for (int rank = 0; rank < job.ranks(); rank++) {
            int own = rank;
            work.add(() -> writeRank(folder, job, plan, own));
        }
        List<RankFacts> ranks = new ArrayList<>();
        for (Future<RankFacts> done : executor.invokeAll(work)) {
            try {
                ranks.add(done.get());
            } catch (ExecutionException e) {
                throw new IOException("a rank's file could not be written under " + folder, e.getCause());
            }
        }
        return new WrittenJob(folder, ranks);
    }

    private static RankFacts writeRank(Path folder, KinetoJob job, JobPlan plan, int rank) throws IOException {
        int frames = framesPerStep(job, plan, rank);
        Path file = folder.resolve(job.fileName(rank));
        CpuHalf cpu;
        GpuHalf gpu;
        long rawBytes;
        try (OutputStream stream = open(file, job.gzip())) {
            JsonBytes out = new JsonBytes(stream);
            KinetoEvents events = new KinetoEvents(job, rank, out);
            KinetoFrame frame = new KinetoFrame(events);
            cpu = new CpuHalf(events, frames);
            gpu = new GpuHalf(events);
            frame.open();
            plan.replay(rank, job.steps(), cpu);
            plan.replay(rank, job.steps(), gpu);
            frame.close();
            out.flush();
            rawBytes = out.count();
        } catch (UncheckedIOException e) {
            throw new IOException("writing " + file, e.getCause());
        }
        return new RankFacts(
                rank,
                job.host(rank),
                file,
                gpu.kernels(),
                gpu.kernelNanos(),
                gpu.commNanos(),
                gpu.busyNanos(),
                cpu.steps(),
                gpu.firstNanos(),
                gpu.lastNanos(),
                rawBytes,
                Files.size(file));
    }

    /** Frames that fill a file up to its size: what is missing after a trial of one step into nothing. */
    private static int framesPerStep(KinetoJob job, JobPlan plan, int rank) {
        if (job.bytesPerFile() == 0) {
            return job.framesPerStep();
        }
        JsonBytes out = new JsonBytes(OutputStream.nullOutputStream());
        KinetoEvents events = new KinetoEvents(job, rank, out);
        plan.replay(rank, 1, new CpuHalf(events, 0));
        plan.replay(rank, 1, new GpuHalf(events));
        long missing = job.bytesPerFile() / job.steps() - out.count();
        return Math.toIntExact(Math.max(0, missing / PythonFrames.FRAME_BYTES));
    }

    private static OutputStream open(Path file, boolean gzip) throws IOException {
        OutputStream plain = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
        return gzip ? new FastGzip(plain) : plain;
    }

    /** Gzip at the fastest level. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
