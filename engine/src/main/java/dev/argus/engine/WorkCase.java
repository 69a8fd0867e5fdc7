package dev.argus.engine;

/**
 * What one judgement looks at: one part of own time of one rank among its peers. Arrays are shared and not changed.
 *
 * @param m all measures
 * @param ranks the peers, in the order of the rows
 * @param r row of the rank judged
 * @param c part of own time
 * @param x that part, [rank][step], nanoseconds; NaN where missing
 * @param noise centre and noise of it
 * @param typicalStep typical length of a step, nanoseconds
 * @param gpu true when most of the peers have GPUs
 * @param work threads launched, [rank][step]
 */
@SuppressWarnings("ArrayRecordComponent")
record WorkCase(
        int attempt,
        int peerSet,
        StepMatrix m,
        int[] ranks,
        int r,
        OwnComponent c,
        double[][] x,
        WorkNoise noise,
        double typicalStep,
        boolean gpu,
        double[][] work) {}
