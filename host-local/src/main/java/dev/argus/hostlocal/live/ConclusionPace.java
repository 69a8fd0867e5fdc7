package dev.argus.hostlocal.live;

import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;

/**
 * When detectors are asked: they cost the same whatever they say, and of a large job that is seconds. One part in {@value #SHARE} of the time may go into conclusions. While all
 * steps are alike they are {@value #QUIET} times rarer, and what is not spent is saved up for {@value #BURST} conclusions: what begins then is looked at step by step, and not when the next one
 * is due.
 *
 * <p>Deterministic: time and costs are told.
 */
final class ConclusionPace {
    /** Of the time of one core. */
    static final int SHARE = 4;

    /** While all steps are alike conclusions lie so many times as far apart. */
    static final int QUIET = 20;

    /** Conclusions that may follow each other at once after a quiet time. */
    static final int BURST = 4;

    /** What a conclusion is taken to cost for each rank until it was measured. */
    static final long RANK_NANOS = 250_000;

    private static final long MOST_APART = 60_000_000_000L;

    private final long leastNanos;
    private long concludedNanos = Long.MIN_VALUE;
    private long seenNanos = Long.MIN_VALUE;
    private long spentNanos;
    private long savedNanos;

    /** @param leastNanos least time from one conclusion to the next, whatever it costs */
    ConclusionPace(long leastNanos) {
        this.leastNanos = leastNanos;
    }

    /** Takes what a conclusion has cost. */
    void spent(long nanos) {
        if (nanos > 0) {
            spentNanos = spentNanos == 0 ? nanos : spentNanos + (nanos - spentNanos) / 4;
        }
    }

    private long cost(int ranks) {
        return Math.min(MOST_APART, spentNanos > 0 ? spentNanos : ranks * RANK_NANOS);
    }

    /**
     * True if it is time for a conclusion; to be asked with every tick.
     *
     * @param stirred unless all steps are alike
     */
    boolean due(int ranks, boolean stirred, long nowNanos) {
        long cost = cost(ranks);
        if (seenNanos != Long.MIN_VALUE) {
            savedNanos = Math.min(BURST * cost, savedNanos + Math.max(0, nowNanos - seenNanos) / SHARE);
        }
        seenNanos = nowNanos;
        if (concludedNanos == Long.MIN_VALUE) {
            return true;
        }
        long since = nowNanos - concludedNanos;
        long apart = Math.max(leastNanos, SHARE * cost);
        boolean often = stirred && savedNanos >= cost;
        return since >= leastNanos && (often || since >= Math.min(QUIET * apart, Math.max(leastNanos, MOST_APART)));
    }

    /** A conclusion was drawn. */
    void concluded(int ranks, long nowNanos) {
        savedNanos = Math.max(0, savedNanos - cost(ranks));
        concludedNanos = nowNanos;
    }

    /** Another attempt: its first conclusion waits for nothing. */
    void restart() {
        concludedNanos = Long.MIN_VALUE;
    }

    // ---------------------------------------------------------------- state

    void encode(WireWriter to) {
        to.writeSigned(concludedNanos)
                .writeSigned(seenNanos)
                .writeSigned(spentNanos)
                .writeSigned(savedNanos);
    }

    void decode(WireReader from) {
        concludedNanos = from.readSigned();
        seenNanos = from.readSigned();
        spentNanos = from.readSigned();
        savedNanos = from.readSigned();
    }
}
