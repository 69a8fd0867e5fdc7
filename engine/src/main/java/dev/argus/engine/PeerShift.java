package dev.argus.engine;

import dev.argus.model.RankSet;

/**
 * Own history: many ranks of a peer set compute longer since the same step, at the same work.
 *
 * @param attempt attempt of the job
 * @param peerSet position of the peer set
 * @param firstStep first slow step
 * @param lastStep last step seen
 * @param ratio compute after over before, median of the ranks that changed
 * @param nanos excess a step, median of the ranks that changed
 * @param changed ranks that changed
 * @param ranks number of ranks of the peer set
 * @param sigmas the change over its noise
 * @param sameWork true when the work is known to be the same, false when nothing is known of it
 */
public record PeerShift(
        int attempt,
        int peerSet,
        long firstStep,
        long lastStep,
        double ratio,
        double nanos,
        RankSet changed,
        int ranks,
        double sigmas,
        boolean sameWork)
        implements Partial {}
