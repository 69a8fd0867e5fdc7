package dev.argus.engine;

import dev.argus.model.IncidentKind;

/**
 * What the first rank of a job does for all: it logs, in every step, and writes checkpoints, in some, when the others are done; and where nothing says so that is an idle GPU like any other. Of this rank alone it is no
 * fault; of any other it would be one.
 */
final class FirstRank {
    /** More than this of each step is no logging. */
    private static final double BUSY_RATIO = 0.05;

    /** Share of the excess that lies behind the work of a step, or before the data of the next. */
    private static final double BETWEEN = 0.8;

    /** Checkpoints take the same time each, within this share of the longest. */
    private static final double ALIKE = 0.1;

    private FirstRank() {}

    /**
     * What a gap is called.
     *
     * @param kind what it would be of another rank
     * @param cover what the CPU did; empty when unknown
     */
    static IncidentKind kind(WorkFinding f, IncidentKind kind, String cover) {
        if (f.rank() != 0) {
            return kind;
        }
        if (isBetweenSteps(f, kind, cover)) {
            return sometimes(f) ? IncidentKind.CHECKPOINT : IncidentKind.RANK_ASYMMETRY;
        }
        boolean unsaid = kind == IncidentKind.DATA_STALL || kind == IncidentKind.CPU_STALL;
        return unsaid && isBusy(f, cover) ? IncidentKind.RANK_ASYMMETRY : kind;
    }

    /** It logs, which makes it late at every step by a little. */
    private static boolean isBusy(WorkFinding f, String cover) {
        return f.gpu() && cover.isEmpty() && !f.ownHistory() && f.meanNanos() < BUSY_RATIO * f.stepNanos();
    }

    /**
     * It does something when the others are done, and nothing says what. Where the border of steps is inferred, that lies before the input of the next step: then it may be the input that was late, unless it was in
     * some steps only and loading is not what is seen.
     */
    private static boolean isBetweenSteps(WorkFinding f, IncidentKind kind, String cover) {
        return kind == IncidentKind.CPU_STALL
                ? Math.max(f.afterWorkRatio(), f.inputRatio()) > BETWEEN
                : kind == IncidentKind.DATA_STALL
                        && f.gpu()
                        && cover.isEmpty()
                        && sometimes(f)
                        && (f.afterWorkRatio() > BETWEEN || isRegular(f));
    }

    /** In some steps only. */
    private static boolean sometimes(WorkFinding f) {
        return f.active() <= 2 + f.stepsSeen() / 3;
    }

    /** Pauses of one length, more than one, and always as many steps apart. */
    private static boolean isRegular(WorkFinding f) {
        double longest = 0;
        for (double e : f.excessNanos()) {
            longest = Math.max(longest, e);
        }
        long last = -1;
        long apart = 0;
        int pauses = 0;
        for (int i = 0; i < f.steps().length; i++) {
            double e = f.excessNanos()[i];
            if (e < ALIKE * longest) {
                continue;
            }
            long since = f.steps()[i] - last;
            if (e < (1 - ALIKE) * longest || (pauses > 0 && since < 2) || (pauses > 1 && since != apart)) {
                return false;
            }
            apart = since;
            last = f.steps()[i];
            pauses++;
        }
        return pauses >= 2;
    }
}
