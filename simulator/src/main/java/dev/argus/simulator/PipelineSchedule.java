package dev.argus.simulator;

import java.util.ArrayList;
import java.util.List;

/** The order of forward and backward passes on one stage: 1F1B, interleaved when a rank has several virtual stages. */
final class PipelineSchedule {
    /** One pass of one microbatch through one virtual stage of this rank. */
    record Pass(boolean forward, int microbatch, int chunk) {}

    private PipelineSchedule() {}

    /**
     * The passes of a stage.
     *
     * @param stage this stage
     * @param stages stages of the pipeline
     * @param chunks virtual stages per rank; above 1 the microbatches must be a multiple of the stages
     * @param microbatches microbatches of the step
     */
    static List<Pass> of(int stage, int stages, int chunks, int microbatches) {
        if (chunks > 1 && microbatches % stages != 0) {
            throw new IllegalArgumentException("microbatches are " + microbatches + ", must be a multiple of the "
                    + stages + " stages in an interleaved schedule");
        }
        int total = microbatches * chunks;
        int ahead = chunks == 1 ? stages - 1 - stage : (stages - 1 - stage) * 2 + (chunks - 1) * stages;
        int warm = Math.min(ahead, total);
        List<Pass> passes = new ArrayList<>();
        for (int k = 0; k < warm; k++) {
            passes.add(pass(true, k, stages, chunks));
        }
        for (int k = warm; k < total; k++) {
            passes.add(pass(true, k, stages, chunks));
            passes.add(pass(false, k - warm, stages, chunks));
        }
        for (int k = total - warm; k < total; k++) {
            passes.add(pass(false, k, stages, chunks));
        }
        return passes;
    }

    private static Pass pass(boolean forward, int k, int stages, int chunks) {
        if (chunks == 1) {
            return new Pass(forward, k, 0);
        }
        int round = k % (stages * chunks);
        int chunk = round / stages;
        int microbatch = k / (stages * chunks) * stages + round % stages;
        return new Pass(forward, microbatch, forward ? chunk : chunks - 1 - chunk);
    }
}
