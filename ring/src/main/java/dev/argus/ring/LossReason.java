package dev.argus.ring;

import org.jspecify.annotations.Nullable;

/** Why something is missing from a ring, as its producer says it; the ordinal is the number in the file. */
public enum LossReason {
    /** The ring was full. */
    RING_FULL("the ring was full: the agent reads too rarely, or the ring is too small"),
    /** The driver dropped activity records. */
    DRIVER("the driver dropped records"),
    /** The producer had no free buffer for the driver. */
    NO_BUFFER("the producer had no free buffer for the driver"),
    /** A record that cannot be, such as one that ends before it starts. */
    IMPOSSIBLE("the driver's record was impossible, as one that ends before it starts"),
    /** The producer's table of names is full. */
    NAME_TABLE_FULL("the producer's table of names was full"),
    /** Another owner took the profiler. */
    PROFILER_TAKEN("another owner held the profiler"),
    /** A collective whose parts did not come together. */
    NOT_JOINED("a collective could not be joined with its call"),
    /** The producer failed and went on. */
    INTERNAL("the producer had an internal error"),
    /** Deliberately not recorded; counted in steps. */
    NOT_RECORDED("deliberately not recorded, counted in steps"),
    /** Reserved. */
    RESERVED_9("reason 9, unknown to this version"),
    /** Reserved. */
    RESERVED_10("reason 10, unknown to this version"),
    /** Reserved. */
    RESERVED_11("reason 11, unknown to this version");

    private static final LossReason[] ALL = values();

    private final String sentence;

    LossReason(String sentence) {
        this.sentence = sentence;
    }

    /** What happened, in half a sentence. */
    public String sentence() {
        return sentence;
    }

    /** The reason of a number in a file, or null when there is none. */
    static @Nullable LossReason of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : null;
    }
}
