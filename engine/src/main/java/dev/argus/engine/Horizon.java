package dev.argus.engine;

/**
 * How far back the diagnosis of an attempt looks, and how much it keeps at most.
 *
 * @param steps newest steps of which series are kept; what ended before them is forgotten
 * @param linkSteps the same for transfers, of which there are many: 32 B a step for each group or pair and kind
 * @param findings most findings kept of each kind; of more, those that ended first are forgotten and counted
 * @param live true where one conclusion follows the other: then an incident must last or have cost its share of the whole horizon
 */
public record Horizon(int steps, int linkSteps, int findings, boolean live) {
    /** A recording, judged as a whole. */
    public static final Horizon RECORDING = new Horizon(4096, 256, 1 << 16, false);

    /** A job that goes on: two hours of steps of 15 s, half an hour of steps of 4 s. */
    public static final Horizon LIVE = new Horizon(512, 64, 1 << 14, true);

    /** Refuses horizons that hold less than the detectors judge at once. */
    public Horizon {
        if (steps < RankWork.STEPS || linkSteps < 1 || findings < 1) {
            throw new IllegalArgumentException("horizon of " + steps + " steps, " + linkSteps + " of links, " + findings
                    + " findings: expected at least " + RankWork.STEPS + ", 1 and 1");
        }
    }
}
