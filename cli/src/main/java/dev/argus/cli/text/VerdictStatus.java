package dev.argus.cli.text;

import dev.argus.model.Verdict;
import org.jspecify.annotations.Nullable;

/** What the headline says, for programs. */
public enum VerdictStatus {
    /** All was looked at that could be, and nothing is wrong. */
    OK("ok"),
    /** Incidents were found. */
    FAULTS("faults"),
    /** Much time was lost, and no fault was found. */
    SLOW_WITHOUT_FAULT("slow-without-fault"),
    /** The data does not tell whether the job is slow, or nothing was analysed: neither a good nor a bad sign. */
    CANNOT_BE_JUDGED("cannot-be-judged");

    private final String text;

    VerdictStatus(String text) {
        this.text = text;
    }

    /** The word in {@code argus.verdict/1}. */
    public String text() {
        return text;
    }

    /**
     * The status of a job.
     *
     * @param verdict the answer
     * @param failure why nothing could be analysed, or null when something was
     */
    public static VerdictStatus of(Verdict verdict, @Nullable String failure) {
        if (failure != null) {
            return CANNOT_BE_JUDGED;
        }
        if (!verdict.incidents().isEmpty()) {
            return FAULTS;
        }
        if (DataText.withoutTimelines(verdict)
                || (DataText.nothingToCompare(verdict) && !DataText.isLog(verdict))
                || verdict.openCollectives() != null) {
            return CANNOT_BE_JUDGED;
        }
        return CardText.isSlowWithoutFault(verdict) ? SLOW_WITHOUT_FAULT : OK;
    }
}
