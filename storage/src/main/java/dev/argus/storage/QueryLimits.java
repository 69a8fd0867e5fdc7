package dev.argus.storage;

/**
 * What a question may take.
 *
 * @param rows most rows
 * @param bytes most bytes of the answer, about
 * @param millis longest time
 */
public record QueryLimits(int rows, long bytes, long millis) {
    /** 10,000 rows, 16 MiB, 10 s. */
    public static final QueryLimits DEFAULT = new QueryLimits(10_000, 16L << 20, 10_000);
}
