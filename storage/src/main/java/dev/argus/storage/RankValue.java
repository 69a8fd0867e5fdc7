package dev.argus.storage;

/** What of a step of a rank a {@link RankMap} has. */
public enum RankValue {
    /** Its length. */
    DURATION,
    /** Compute, copies and idle gaps. */
    OWN,
    /** Communication that nothing covers. */
    WAIT
}
