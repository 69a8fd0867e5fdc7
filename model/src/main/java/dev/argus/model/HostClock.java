package dev.argus.model;

import org.jspecify.annotations.Nullable;

/**
 * The clock of one host against the clock of a reference host, or why it cannot be held against any.
 *
 * <p>Offset and drift are what the host's clock shows more than the reference's, and by how much it runs faster. Hosts may be put on one
 * timeline only where their reference is the same.
 *
 * @param attempt attempt of the job
 * @param host the host; never empty
 * @param reference the host whose clock it is held against: itself for a reference; empty when refused
 * @param offsetNanos the host's clock less the reference's at {@code atNanos}
 * @param driftPpm mean gain against the reference's clock, parts per million
 * @param errorNanos bound on the error of the offset wherever the host met others; 0 for a reference
 * @param driftErrorPpm bound on the error of the mean drift; 0 for a reference
 * @param atNanos middle of the time in which it met others, nanoseconds since the Unix epoch by the host's clock; 0 when it met
 *     nobody
 * @param meetings collectives that were compared on the way to the reference, on the link with fewest; of a reference, on the
 *     link with most
 * @param residualNanos standard deviation of the distance of two ends after alignment, on the worst link of the way, robustly
 *     estimated
 * @param refusal why it is not aligned; null when it is
 */
public record HostClock(
        int attempt,
        String host,
        String reference,
        long offsetNanos,
        double driftPpm,
        long errorNanos,
        double driftErrorPpm,
        long atNanos,
        int meetings,
        long residualNanos,
        @Nullable Refusal refusal) {

    /** Why a clock is not held against another. Of several reasons the last one that applies is given. */
    public enum Refusal {
        /** The trace does not say on which host it was recorded. */
        HOST_UNKNOWN("host-unknown"),
        /** It shares no collective with a rank of another host in which all members wait for each other. */
        NO_COMMON_COLLECTIVES("no-common-collectives"),
        /** There are some, but too few. */
        TOO_FEW_MEETINGS("too-few-meetings"),
        /** The ends are not common: no line of time fits them, as when a clock was set or groups are told wrongly. */
        RESIDUALS_TOO_LARGE("residuals-too-large"),
        /** No two clocks drift apart that fast. */
        DRIFT_IMPLAUSIBLE("drift-implausible");

        private final String text;

        Refusal(String text) {
            this.text = text;
        }

        /** The name in contracts, such as {@code too-few-meetings}. */
        public String text() {
            return text;
        }
    }

    /** True if it is held against a reference, or is one. */
    public boolean isAligned() {
        return refusal == null;
    }

    /** True if others are held against it. */
    public boolean isReference() {
        return host.equals(reference);
    }

    /** The same without a moment, where the traces do not tell it. */
    public HostClock withoutTime() {
        return new HostClock(
                attempt,
                host,
                reference,
                offsetNanos,
                driftPpm,
                errorNanos,
                driftErrorPpm,
                0,
                meetings,
                residualNanos,
                refusal);
    }

    /** A clock that is not held against any. */
    public static HostClock refused(int attempt, String host, Refusal why) {
        return new HostClock(attempt, host, "", 0, 0, 0, 0, 0, 0, 0, why);
    }
}
