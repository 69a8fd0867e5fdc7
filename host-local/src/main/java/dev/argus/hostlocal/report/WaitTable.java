package dev.argus.hostlocal.report;

import java.util.List;

/**
 * Who made whom wait: exposed waits in collectives in which all wait for the last. The cells sum to the total, exactly; at most
 * {@value #MOST_ROWS} late ranks and {@value #MOST_COLUMNS} columns, the rest together.
 *
 * @param columns who waited: {@code rank 3}, {@code stage 1 of 4}, {@code host n17}, or a range of ranks
 * @param rows late ranks: accused ones first, then others, of each those that caused most first and the rest together; then where several came last together
 * @param totalNanos all waits, nanoseconds summed over ranks
 */
public record WaitTable(List<String> columns, List<Row> rows, long totalNanos) {
    /** Late ranks shown one by one. */
    public static final int MOST_ROWS = 10;

    /** Of these, accused ones at most: beside them stand some that are not. */
    public static final int MOST_ACCUSED = 7;

    /** Columns shown. */
    public static final int MOST_COLUMNS = 16;

    /**
     * What one late rank caused.
     *
     * @param late who was last: {@code rank 3}, {@code 12 other ranks}, {@code several together}
     * @param rank the rank, or -1
     * @param nanos waits of each column
     * @param accused true if an incident in question accuses it
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Row(String late, int rank, long[] nanos, boolean accused) {
        /** Of nobody who is accused. */
        public Row(String late, int rank, long[] nanos) {
            this(late, rank, nanos, false);
        }

        /** Sum over the columns. */
        public long totalNanos() {
            long sum = 0;
            for (long n : nanos) {
                sum += n;
            }
            return sum;
        }
    }
}
