package dev.argus.benchmarks.scale;

import dev.argus.engine.Concluded;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Horizon;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.GraphRunner;
import dev.argus.model.NameTable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** A job of a day, window after window, through the detectors as a server runs them: one conclusion a window. */
public final class SoakRun {
    /** Steps of a window of one minute: steps of 15 s. */
    public static final int STEPS = 4;

    private static final int MICROBATCHES = 2;
    private static final double STEP_SECONDS = 60.0 / STEPS;
    private static final int SERIES = 8;

    private final ScaleJob job;
    private final NameTable names = new NameTable();
    private final DigestMaker.Size size;
    private final SoakConditions conditions;
    private final KernelBank kernels;
    private final GraphRunner runner;

    /**
     * A run over fresh states.
     *
     * @param ranks size of the job, a multiple of 72
     * @param windows windows of the whole run: the faults come at its end
     * @param kernelCount compute kernels of a rank
     * @param executor runs all lanes but one
     * @param lanes threads at work at a time
     */
    public SoakRun(int ranks, int windows, int kernelCount, Executor executor, int lanes) {
        job = ScaleJob.ofRanks(ranks);
        double times = STEP_SECONDS * 1e9 / DigestMaker.Size.SECOND.stepNanos();
        size = new DigestMaker.Size(MICROBATCHES, times);
        conditions = new SoakConditions(job, windows, STEPS);
        KernelBank.Size unit = new KernelBank.Size(kernelCount, SERIES, SERIES, STEPS, 1);
        double shortest = 0.95 * size.computeNanos() / unit.nanosPerStep();
        kernels = new KernelBank(
                job, conditions, new KernelBank.Size(kernelCount, SERIES, SERIES, STEPS, shortest), names);
        runner = new GraphRunner(
                new DetectorGraph(job.shape(names), names, Thresholds.DEFAULT, Horizon.LIVE), executor, lanes);
    }

    /** The faults at the end of the run. */
    public List<PlantedFault> faults() {
        return conditions.faults();
    }

    /** Makes and takes a window; to be asked for one after the other. */
    public void take(int window) {
        long first = (long) window * STEPS;
        for (int s = 0; s < STEPS; s++) {
            DigestMaker maker = new DigestMaker(job, conditions, size, names, first + s);
            runner.takeDigests(job.ranks(), maker::of);
        }
        runner.takeWindows(job.ranks(), rank -> kernels.window(rank, window, first + STEPS - 1));
    }

    /** What the detectors say now. */
    public Concluded conclude() {
        return runner.conclude().getLast();
    }

    /** What detectors left out, by reason. */
    public Map<String, Long> losses() {
        return runner.losses();
    }

    /** Bytes of the states, by detector. */
    public Map<String, Long> stateBytes() {
        return runner.stateBytes();
    }
}
