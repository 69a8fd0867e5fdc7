package dev.argus.engine;

import java.util.List;

/**
 * Every threshold of the detectors, with its unit and the reason it has this value. One instance serves a whole run.
 *
 * @param incidentFloorRatio share of the job's step time from which a fault is an incident; below, an observation
 * @param computeStepRatio excess over the peers' typical compute that keeps a step in a suspect's stretch of time
 * @param computeLastingRatio least mean excess of a stretch judged against the spread between ranks: the worst healthy
 *     GPU of thousands is 1 to 3 % off for ever
 * @param computeObservedRatio least mean excess worth an observation: nothing to act on by itself, and all wait for it
 * @param computeShiftRatio least mean excess of a stretch judged against the rank's own history
 * @param spreadRatio least standard deviation assumed between healthy GPUs of one model, of their compute time
 * @param familySigmas standard deviations demanded beyond what the worst of all ranks reaches by chance
 * @param gapStepRatio least mean gap, of the step, for a stretch of several steps
 * @param gapSingleRatio least gap, of the step, for a single step: one hiccup is a fact of life
 * @param gapTailFactor gaps must exceed the peers' own worst gaps by this factor, and a stretch the peers' best stretches
 * @param pauseRatio least pause, of the step, that counts towards a habit of the job
 * @param copyRatio least ratio of copy time to the peers'
 * @param kernelRatio least ratio of a kernel's duration to the peers'
 * @param transferRatio least ratio of a group's transfer to groups of its kind
 * @param stageRatio least ratio of a stage's compute to the other stages' to be called uneven
 * @param eventRatio least ratio of a step to the typical one to be looked at as an event of the whole job
 */
public record Thresholds(
        double incidentFloorRatio,
        double computeStepRatio,
        double computeLastingRatio,
        double computeObservedRatio,
        double computeShiftRatio,
        double spreadRatio,
        double familySigmas,
        double gapStepRatio,
        double gapSingleRatio,
        double gapTailFactor,
        double pauseRatio,
        double copyRatio,
        double kernelRatio,
        double transferRatio,
        double stageRatio,
        double eventRatio) {

    /** The values used unless told otherwise. */
    public static final Thresholds DEFAULT = new Thresholds(
            0.005, 0.012, 0.03, 0.015, 0.012, 0.006, 2.5, 0.02, 0.3, 4.0, 0.08, 1.3, 1.03, 1.25, 1.2, 1.1);

    /** The same with another floor for incidents. */
    public Thresholds withIncidentFloor(double ratio) {
        return new Thresholds(
                ratio,
                computeStepRatio,
                computeLastingRatio,
                computeObservedRatio,
                computeShiftRatio,
                spreadRatio,
                familySigmas,
                gapStepRatio,
                gapSingleRatio,
                gapTailFactor,
                pauseRatio,
                copyRatio,
                kernelRatio,
                transferRatio,
                stageRatio,
                eventRatio);
    }

    /** The table as lines for people. */
    public List<String> lines() {
        return List.of(
                line("incident floor", incidentFloorRatio, "of the step time"),
                line("compute: step belongs to a stretch", computeStepRatio, "above the peers' typical compute"),
                line("compute: lasting excess", computeLastingRatio, "above the peers, and beyond their spread"),
                line(
                        "compute: lasting excess to observe",
                        computeObservedRatio,
                        "above the peers, and beyond their spread"),
                line("compute: change against own history", computeShiftRatio, "above before, and beyond the noise"),
                line("compute: least spread assumed between ranks", spreadRatio, "standard deviation"),
                line("family-wise margin", familySigmas, "sigmas beyond the worst of n by chance"),
                line("gaps: several steps", gapStepRatio, "of the step, mean"),
                line("gaps: a single step", gapSingleRatio, "of the step"),
                line("gaps: against the peers' own gaps", gapTailFactor, "x a healthy rank's upper quartile"),
                line("gaps: a pause that counts towards a habit", pauseRatio, "of the step"),
                line("copies", copyRatio, "x the peers'"),
                line("kernels", kernelRatio, "x the peers'"),
                line("transfers", transferRatio, "x groups of the same kind"),
                line("stages", stageRatio, "x the other stages"),
                line("events of the whole job", eventRatio, "x the typical step"));
    }

    private static String line(String what, double value, String unit) {
        return what + ": " + value + " " + unit;
    }
}
