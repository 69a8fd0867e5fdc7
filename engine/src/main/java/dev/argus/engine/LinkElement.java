package dev.argus.engine;

import dev.argus.model.RankSet;
import java.util.List;

/**
 * A part of the network that may be slow, and what passes it. Parts that the same traffic passes cannot be told apart, so they
 * are one element with all their ranks.
 *
 * @param form what it is
 * @param ranks whose it is; empty for everything
 * @param hosts whose it is
 * @param traffic positions of the traffic that passes it, ascending
 * @param prior how much is paid for choosing it: the logarithm of the number of its like
 */
record LinkElement(Form form, RankSet ranks, List<String> hosts, List<Integer> traffic, double prior) {
    /** Forms of elements. */
    enum Form {
        /** Everything there is: nobody to accuse. */
        ALL,
        /** The interface of one GPU. */
        RAIL,
        /** The interfaces of a host, or its links inside. */
        HOST,
        /** The way between two hosts. */
        PAIR,
        /** Several hosts at once: their switch. */
        LEAF
    }
}
