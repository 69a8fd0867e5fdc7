package dev.argus.engine;

/**
 * A detector has judged a range of steps again, and says next what it finds: what it said before about stretches within them no longer
 * holds. So of many looks at the same steps the last one counts, and not the unluckiest.
 *
 * @param attempt attempt of the job
 * @param by the detector
 * @param peerSet peer set judged, or 0 where a detector has all ranks together
 * @param kernel kernel judged, or 0
 * @param firstStep first step judged
 * @param lastStep last step judged
 */
public record Judged(int attempt, By by, int peerSet, int kernel, long firstStep, long lastStep) implements Partial {
    /** Detectors that judge stretches. */
    public enum By {
        /** Own work of ranks. */
        WORK,
        /** Launches. */
        LAUNCHES,
        /** Kernels. */
        KERNELS
    }

    /** What is judged, without the steps. */
    record Subject(By by, int peerSet, int kernel) {}

    Subject subject() {
        return new Subject(by, peerSet, kernel);
    }

    /** Says so of all steps of a matrix, if it has any. */
    static void emit(int attempt, By by, int peerSet, int kernel, StepMatrix m, Out out) {
        if (m.size() > 0) {
            out.emit(new Judged(attempt, by, peerSet, kernel, m.step(0), m.step(m.size() - 1)));
        }
    }
}
