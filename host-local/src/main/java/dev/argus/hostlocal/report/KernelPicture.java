package dev.argus.hostlocal.report;

import java.util.List;

/**
 * The durations of one compute kernel on a suspect and on ranks that do the same work. Bounded: at most {@value #MOST_RANKS} ranks, {@value #MOST_CURVES}
 * curves and {@value #BINS} bins.
 *
 * @param incident id of the incident
 * @param kernel its exact name; hostile
 * @param concerned true if the incident names it; false for a kernel shown because it costs the suspect most
 * @param firstStep first step looked at
 * @param lastStep last step looked at
 * @param steps how many of these steps were looked at
 * @param ranks suspects first, then peers
 * @param lowNanos lower edge of the first bin
 * @param highNanos upper edge of the last bin; bins are equal on a log axis
 * @param peerLow share of events in each bin: tenth percentile over the peers, or the least of fewer than five
 * @param peerMid median over the peers
 * @param peerHigh ninetieth percentile over the peers, or the most of fewer than five
 * @param curves the same of suspects
 */
@SuppressWarnings("ArrayRecordComponent")
public record KernelPicture(
        String incident,
        String kernel,
        boolean concerned,
        long firstStep,
        long lastStep,
        int steps,
        List<Member> ranks,
        double lowNanos,
        double highNanos,
        float[] peerLow,
        float[] peerMid,
        float[] peerHigh,
        List<Curve> curves) {
    /** Suspects and peers looked at. */
    public static final int MOST_RANKS = 32;

    /** Suspects drawn. */
    public static final int MOST_CURVES = 4;

    /** Bins of a curve. */
    public static final int BINS = 64;

    /**
     * One rank.
     *
     * @param rank the rank
     * @param suspect true if it is accused
     * @param count launches in the steps looked at
     * @param meanNanos their mean duration
     * @param signedRatio signed W1 distance to the peers' centre over the centre's mean: above 0 it is slower
     * @param movedRatio share of its distribution that moved that way, 0..1
     * @param modeRatio how far its duration mode that moved most lies from the nearest of a typical peer, as a ratio less 1
     */
    public record Member(
            int rank,
            boolean suspect,
            long count,
            double meanNanos,
            double signedRatio,
            double movedRatio,
            double modeRatio) {}

    /**
     * The distribution of one suspect.
     *
     * @param rank the rank
     * @param share share of its events in each bin
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Curve(int rank, float[] share) {}
}
