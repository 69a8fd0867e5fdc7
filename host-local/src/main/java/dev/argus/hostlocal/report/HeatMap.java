package dev.argus.hostlocal.report;

import dev.argus.model.RankSet;
import java.util.List;

/**
 * Ranks by steps, in several measures. At most {@value #MOST_ROWS} rows and {@value #MOST_COLUMNS} columns: of a larger job each row is several
 * neighbouring ranks and each column several steps, and a cell keeps the largest value among them, so that a single bad one stays visible.
 *
 * <p>Footprint: 4 bytes a cell and measure, 6 where cells hold several; at most 0.6 MB.
 *
 * @param rows rows by rank
 * @param columnFirst first step of each column
 * @param columnLast last step of each column
 * @param ranksPerRow ranks behind each row
 * @param stepsPerColumn steps behind each column
 * @param layers measures, each with rows x columns cells, row by row
 * @param ranksLeftOut ranks of the world without a row: too many had no trace
 */
@SuppressWarnings("ArrayRecordComponent")
public record HeatMap(
        List<Row> rows,
        long[] columnFirst,
        long[] columnLast,
        int ranksPerRow,
        int stepsPerColumn,
        List<Layer> layers,
        int ranksLeftOut) {
    /** Rows kept. */
    public static final int MOST_ROWS = 256;

    /** Columns kept. */
    public static final int MOST_COLUMNS = 128;

    /** Ratio of a cell without data. */
    public static final short MISSING = Short.MIN_VALUE;

    /** Ratio of a cell whose record was cut: totals are not compared. */
    public static final short CUT = Short.MIN_VALUE + 1;

    /** Ratio of a cell without peers, or of a measure that is nothing on the typical peer. */
    public static final short NO_PEERS = Short.MIN_VALUE + 2;

    private static final double RATIO_CODES = 2048;
    private static final double NANOS_CODES = 1024;
    /** Positions in a cell that a worst one is told by. */
    private static final int PLACES = 1 << 16;

    private static final int LARGEST_RATIO = 32_000;

    /**
     * One row.
     *
     * @param ranks its ranks
     * @param host their host; empty when unknown or several
     * @param peerSet position of their peer set, or -1: none, or several
     * @param suspect true if one of them is accused
     */
    public record Row(RankSet ranks, String host, int peerSet, boolean suspect) {}

    /** What is shown of a rank's step. */
    public enum Measure {
        /** Time the rank spent on itself: compute, copies, idle gaps. */
        OWN("own"),
        /** Time with a compute kernel running. */
        COMPUTE("compute"),
        /** Exposed communication: waits for others and transfers that nothing covers. */
        COMMUNICATION("communication");

        private final String text;

        Measure(String text) {
            this.text = text;
        }

        /** Name in documents. */
        public String text() {
            return text;
        }
    }

    /**
     * One measure of all cells.
     *
     * @param measure what it is
     * @param ratios largest ratio to the median of the peers in the same step, as {@link #ratioCode}; or a marker
     * @param nanos largest value, as {@link #nanosCode}
     * @param worst where the largest ratio was: position of the rank in its row times {@link HeatMap#stepPlaces} plus that of the step in its
     *     column; empty where each cell is one rank and step
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Layer(Measure measure, short[] ratios, char[] nanos, char[] worst) {}

    /**
     * How many places of steps {@link Layer#worst} tells apart within a cell: all, where its positions suffice; else each stands for
     * several steps, and the rank stays exact.
     */
    public int stepPlaces() {
        return stepPlaces(ranksPerRow, stepsPerColumn);
    }

    static int stepPlaces(int ranksPerRow, int stepsPerColumn) {
        return Math.clamp(PLACES / ranksPerRow, 1, stepsPerColumn);
    }

    /** A ratio above 0 in 1/2048 octaves around 1, within 0.02 %; clamped at 15 octaves. */
    static short ratioCode(double ratio) {
        double code = Math.rint(RATIO_CODES * Math.log(ratio) / Math.log(2));
        return (short) Math.clamp(code, -LARGEST_RATIO, LARGEST_RATIO);
    }

    /** What a code of {@link #ratioCode} says. */
    static double ratio(short code) {
        return Math.pow(2, code / RATIO_CODES);
    }

    /** Nanoseconds in 1/1024 octaves from 1 ns on, within 0.04 %; 0 stands for no data. */
    public static char nanosCode(long nanos) {
        return (char) (1 + Math.rint(NANOS_CODES * Math.log((double) Math.max(1, nanos)) / Math.log(2)));
    }

    /** What a code of {@link #nanosCode} above 0 says. */
    public static double nanos(char code) {
        return Math.pow(2, (code - 1) / NANOS_CODES);
    }
}
