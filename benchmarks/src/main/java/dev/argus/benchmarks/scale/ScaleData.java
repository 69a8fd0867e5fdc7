package dev.argus.benchmarks.scale;

import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.wire.KernelWindowEncoder;
import dev.argus.wire.StepDigestCodec;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The encoded frames of a job: windows of kernels in a stream of differences, and the digests of the steps in between. */
public final class ScaleData {
    /** Steps of one window. */
    public static final int STEPS = 15;

    private static final int KERNELS = 100;
    private static final int FIRST_STEP = 1000;

    /** A stream begins anew every so many frames. */
    static final int KEY_FRAME_EVERY = 50;

    final ScaleJob job;
    final NameTable names = new NameTable();

    /** By window and rank. */
    private final byte[][][] kernels;

    /** By step of a window and rank. */
    private final byte[][][] digests = new byte[STEPS][][];

    /**
     * Makes the frames of kernels of all windows, and the digests of the last one.
     *
     * @param job the job
     * @param windows number of windows, 2 or more: the first is the key frame the others build on
     */
    public ScaleData(ScaleJob job, int windows) {
        this.job = job;
        kernels = new byte[windows][job.ranks()][];
        KernelBank bank = new KernelBank(job, job, new KernelBank.Size(KERNELS, 32, windows, STEPS, 20_000), names);
        IntStream.range(0, job.ranks()).parallel().forEach(rank -> {
            KernelWindowEncoder encoder = new KernelWindowEncoder(names);
            for (int w = 0; w < windows; w++) {
                boolean key = w == 0 || (rank + w) % KEY_FRAME_EVERY == 0;
                kernels[w][rank] = encoder.encode(bank.window(rank, w, lastStep(w)), key);
            }
        });
        makeDigests(windows - 1);
    }

    static long firstStep(int window) {
        return FIRST_STEP + (long) window * STEPS;
    }

    private static long lastStep(int window) {
        return firstStep(window + 1) - 1;
    }

    /** Replaces the digests by those of another window. */
    public void makeDigests(int window) {
        for (int s = 0; s < STEPS; s++) {
            DigestMaker maker = new DigestMaker(job, job, DigestMaker.Size.SECOND, names, firstStep(window) + s);
            byte[][] frames = new byte[job.ranks()][];
            IntStream.range(0, job.ranks()).parallel().forEach(rank -> {
                WireWriter to = new WireWriter();
                StepDigestCodec.encode(maker.of(rank), to);
                frames[rank] = to.toByteArray();
            });
            digests[s] = frames;
        }
    }

    byte[] kernels(int window, int rank) {
        return kernels[window][rank];
    }

    byte[] digest(int step, int rank) {
        return digests[step][rank];
    }

    /** Number of ranks. */
    public int ranks() {
        return job.ranks();
    }

    /** The ranks that are slow. */
    public RankSet slow() {
        return job.slow();
    }

    /** Bytes of the frames of a window, digests of its steps included. */
    public long bytes(int window) {
        List<byte[]> all = new ArrayList<>(List.of(kernels[window]));
        for (byte[][] step : digests) {
            all.addAll(List.of(step));
        }
        return all.stream().mapToLong(b -> b.length).sum();
    }

    /** Bytes of the frames of kernels of a window. */
    public long kernelBytes(int window) {
        return List.of(kernels[window]).stream().mapToLong(b -> b.length).sum();
    }
}
