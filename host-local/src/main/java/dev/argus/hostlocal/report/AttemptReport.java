package dev.argus.hostlocal.report;

import java.util.List;

/**
 * One attempt of a job.
 *
 * @param attempt attempt of the job
 * @param peerLabels what each peer set is, in words; position as in {@link HeatMap.Row#peerSet()}
 * @param steps time of each step
 * @param events steps in which the whole job did something else, by the detector of steps
 * @param heat ranks by steps
 * @param waits who waited for whom
 * @param kernels kernels of suspects beside their peers', most costly suspect first
 */
public record AttemptReport(
        int attempt,
        List<String> peerLabels,
        StepSeries steps,
        List<StepEvent> events,
        HeatMap heat,
        WaitTable waits,
        List<KernelPicture> kernels) {

    /** Stretches of events shown. */
    public static final int MOST_EVENTS = 200;

    /**
     * Steps in a row that were no usual training.
     *
     * @param kind kind of the observation, in its text form
     * @param firstStep first step
     * @param lastStep last step, inclusive
     */
    public record StepEvent(String kind, long firstStep, long lastStep) {}
}
