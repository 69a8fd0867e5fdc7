package dev.argus.storage;

/**
 * A value of ranks in steps.
 *
 * @param ranks global rank of each row, ascending
 * @param steps number of each column, ascending
 * @param nanos value of row r and column c at {@code r * steps.length + c}, nanoseconds; -1 where nothing was reported. Not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record RankMap(int[] ranks, long[] steps, long[] nanos) {
    /** Nothing is kept. */
    public static final RankMap EMPTY = new RankMap(new int[0], new long[0], new long[0]);
}
