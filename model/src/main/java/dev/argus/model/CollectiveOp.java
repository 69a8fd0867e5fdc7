package dev.argus.model;

/**
 * Operation of a collective or point-to-point call.
 *
 * <p>{@link #isBarrier()} states the one property the ledger of waits rests on: no member can finish before the last one
 * has arrived, hence the last to arrive has the shortest duration. It does not hold for rooted and point-to-point
 * operations, nor for an all-to-all of uneven sizes.
 */
public enum CollectiveOp {
    ALL_REDUCE(true),
    ALL_GATHER(true),
    REDUCE_SCATTER(true),
    /** Balanced by its declaration; a call with uneven splits is {@link #ALL_TO_ALL_V}. */
    ALL_TO_ALL(true),
    ALL_TO_ALL_V(false),
    BARRIER(true),
    BROADCAST(false),
    REDUCE(false),
    GATHER(false),
    SCATTER(false),
    SEND(false),
    RECV(false),
    /** One kernel that may carry sends and receives, or a coalesced batch of them. */
    SEND_RECV(false),
    UNKNOWN(false);

    private final boolean barrier;

    CollectiveOp(boolean barrier) {
        this.barrier = barrier;
    }

    /** True if every member waits for the last to arrive. */
    public boolean isBarrier() {
        return barrier;
    }

    /** True for point-to-point operations. */
    public boolean isPointToPoint() {
        return this == SEND || this == RECV || this == SEND_RECV;
    }
}
