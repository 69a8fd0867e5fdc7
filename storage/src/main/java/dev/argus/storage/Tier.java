package dev.argus.storage;

import java.time.Duration;

/**
 * What is kept for how long, and how much of the disk budget it may take: the one place that says so. Where a tier is over its age or its share, its oldest part goes first. What the shares leave is headroom for the log of the
 * database, the state of the server, blocks that are free for reuse, and work in progress.
 */
public enum Tier {
    /** Steps of ranks, in the database; moved on to {@link #PARQUET}. */
    RANK_STEPS("rank-steps", Duration.ofHours(6), 0.25),
    /** Steps of ranks as Parquet files, in the object store. */
    PARQUET("parquet", Duration.ofDays(7), 0.25),
    /** Timelines and stacks, in the object store. */
    OBJECTS("objects", Duration.ofDays(30), 0.20),
    /** Steps, phases and kernels of jobs, losses. */
    STEPS("steps", Duration.ofDays(28), 0.10),
    /** Changes of incidents and what their pictures are drawn from, attempts of jobs, where ranks ran. */
    INCIDENTS("incidents", Duration.ofDays(365), 0.05);

    private final String text;
    private final Duration age;
    private final double share;

    Tier(String text, Duration age, double share) {
        this.text = text;
        this.age = age;
        this.share = share;
    }

    /** Its word in {@link StoreStatus}. */
    public String text() {
        return text;
    }

    /** How old its parts become at most. */
    public Duration age() {
        return age;
    }

    /** Bytes it may take of a budget. */
    public long bytesOf(long budgetBytes) {
        return (long) (budgetBytes * share);
    }
}
