package dev.argus.benchmarks.accuracy;

import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Severity;
import dev.argus.simulator.Wish;

/**
 * One scenario of the matrix; everything else about it is drawn from its seed.
 *
 * @param kind what is wrong, or only looks wrong
 * @param severity how much it costs
 * @param seed seed
 * @param maxRanks ranks of the job, at most
 * @param recording how well it was recorded
 * @param way how the diagnosis gets it
 */
public record Cell(ScenarioKind kind, Severity severity, long seed, int maxRanks, Recording recording, Way way) {
    /** How the diagnosis gets what happened. */
    public enum Way {
        /** Digests and summaries, straight into the detectors. */
        RECORDS,
        /** A folder of traces, read as {@code diagnose} reads it. */
        FILES
    }

    /** The set of the bars that it counts in. */
    public JobSet set() {
        return recording != Recording.SOUND ? JobSet.POOR : JobSet.of(kind, severity);
    }

    /** Kind and severity, for people. */
    public String label() {
        String label = kind.faulty() ? kind.word() + " " + severity.word() : kind.word();
        return recording == Recording.SOUND ? label : label + " " + recording.options();
    }

    /** What is wanted of the simulator. */
    public Wish wish() {
        return recording.applyTo(Wish.of(seed, kind).severity(severity).maxRanks(maxRanks));
    }

    /** The command that writes the same job as a folder. */
    public String command() {
        String severe = kind.faulty() ? " --severity " + severity.word() : "";
        severe += recording == Recording.SOUND ? "" : " " + recording.options();
        return "./argus simulate --kind " + kind.word() + severe + " --seed " + seed + " --max-ranks " + maxRanks
                + " --out " + kind.word() + "-" + seed;
    }
}
