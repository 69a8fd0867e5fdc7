package dev.argus.simulator;

import java.util.Locale;

/** How strong a drawn fault is; {@link FaultTruth#costRatio()} is what costs are measured by. */
public enum Severity {
    /** Costs at least 2 %. */
    STRONG(0.02, 40),
    /** Costs between 0.5 and 2 %. */
    WEAK(0.006, 0.019),
    /** Makes the own work of its ranks 3 to 8 % slower, whatever that costs. */
    MILD(0, 40);

    final double least;
    final double most;

    Severity(double least, double most) {
        this.least = least;
        this.most = most;
    }

    /** True when faults of a kind can be of this severity: mild are only those which make compute slower. */
    public boolean fits(ScenarioKind kind) {
        return this != MILD
                || switch (kind) {
                    case COMPUTE, HALF, REPAIRED, COMPUTE_FLAPPING -> true;
                    default -> false;
                };
    }

    /** As written on a command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
