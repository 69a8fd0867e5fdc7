package dev.argus.simulator;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Writes simulated jobs as folders of compressed traces, one file per rank. */
public final class KinetoOutput {
    private KinetoOutput() {}

    /** Hears of every file. */
    public interface Listener {
        /** The file of a rank is complete. */
        void written(int rank, Path file) throws IOException;
    }

    /**
     * Writes one file per rank into a folder, which is created.
     */
    public static void write(SimulatedJob job, Path folder) throws IOException {
        write(job, folder, (rank, file) -> {});
    }

    /**
     * Writes one file per rank into a folder, but for ranks whose traces are missing.
     *
     * <p>Cost: about 0.4 us per event on one core; one rank's text in memory at a time, 64 KiB of it.
     */
    public static void write(SimulatedJob job, Path folder, Listener written) throws IOException {
        Files.createDirectories(folder);
        Damage damage = job.scenario().damage();
        Set<Integer> missing = damage.missingRanks(job.scenario());
        for (int rank = 0; rank < job.scenario().layout().world(); rank++) {
            if (missing.contains(rank)) {
                continue;
            }
            Path file = folder.resolve(String.format(Locale.ROOT, "rank%05d.pt.trace.json.gz", rank));
            try (Writer out = new BufferedWriter(
                    new OutputStreamWriter(new FastGzip(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
                KinetoRecorder recorder = new KinetoRecorder(job.scenario(), rank, out);
                recorder.open();
                damage.tell(job, rank, recorder);
                recorder.close();
            }
            written.written(rank, file);
        }
    }

    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(java.io.OutputStream out) throws IOException {
            super(out, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
