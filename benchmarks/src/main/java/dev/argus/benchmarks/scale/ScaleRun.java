package dev.argus.benchmarks.scale;

import dev.argus.engine.Concluded;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.GraphRunner;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.wire.KernelWindowDecoder;
import dev.argus.wire.StepDigestCodec;
import dev.argus.wire.WireReader;
import java.util.List;
import java.util.concurrent.Executor;

/** Takes the frames of a job from memory through the detectors; holds what a server holds between windows. */
public final class ScaleRun {
    private final ScaleData data;
    private final JobShape shape;
    private final KernelWindowDecoder[] decoders;
    private final Executor executor;
    private final int lanes;
    private GraphRunner runner;

    /**
     * Over frames in memory.
     *
     * @param data the frames
     * @param executor runs all lanes but one
     * @param lanes threads at work at a time
     */
    public ScaleRun(ScaleData data, Executor executor, int lanes) {
        this.data = data;
        this.executor = executor;
        this.lanes = lanes;
        shape = data.job.shape(data.names);
        decoders = new KernelWindowDecoder[data.job.ranks()];
        for (int r = 0; r < decoders.length; r++) {
            decoders[r] = new KernelWindowDecoder(data.names);
        }
        runner = fresh();
    }

    private GraphRunner fresh() {
        return new GraphRunner(new DetectorGraph(shape, data.names, Thresholds.DEFAULT), executor, lanes);
    }

    /** Forgets what the detectors know; the streams of frames go on. */
    public void restart() {
        runner = fresh();
    }

    /** Reads the frames of a window without diagnosing them, so that the streams are where the next window expects them. */
    public void skip(int window) {
        for (int r = 0; r < decoders.length; r++) {
            decode(window, r);
        }
    }

    /** Decodes and takes the digests of a window's steps and its kernels. */
    public void take(int window) {
        for (int s = 0; s < ScaleData.STEPS; s++) {
            int step = s;
            runner.takeDigests(decoders.length, rank -> digest(step, rank));
        }
        runner.takeWindows(decoders.length, rank -> decode(window, rank));
    }

    /** What the detectors conclude. */
    public Concluded conclude() {
        List<Concluded> all = runner.finish();
        return all.getLast();
    }

    private StepDigest digest(int step, int rank) {
        return StepDigestCodec.decode(new WireReader(data.digest(step, rank)));
    }

    private KernelWindow decode(int window, int rank) {
        return decoders[rank].decode(data.kernels(window, rank));
    }

    /** The ranks that the incidents name. */
    public static RankSet named(Concluded concluded) {
        RankSet named = RankSet.EMPTY;
        for (Incident i : concluded.incidents()) {
            named = named.union(i.ranks());
        }
        return named;
    }
}
