package dev.argus.engine;

/**
 * Whether a stretch of steps is evidence, and of what.
 *
 * @param holds true when the stretch is evidence
 * @param thresholdNanos mean demanded
 * @param sigma noise of such a mean
 * @param ownHistory true when the rank was like its peers at other steps
 * @param weight what it is good for
 */
record WorkJudgement(boolean holds, double thresholdNanos, double sigma, boolean ownHistory, Weight weight) {
    WorkJudgement(boolean holds, double thresholdNanos, double sigma, boolean ownHistory) {
        this(holds, thresholdNanos, sigma, ownHistory, Weight.ACCUSES);
    }
}
