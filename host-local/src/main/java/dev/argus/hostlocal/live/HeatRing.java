package dev.argus.hostlocal.live;

import dev.argus.model.StepDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How each rank spent each of the newest steps of a job, within a number of bytes: what a heat map shows.
 *
 * <p>Values are log-quantised to 16 bits, {@value #PER_OCTAVE} an octave: relative error at most {@value #ERROR_RATIO}, from 1 ns to 78 hours; 6 bytes a step of a rank, so 12,960 ranks
 * keep 1,234 steps in 96 MB; 8 bytes where phases are recorded, 925 steps. The oldest steps give way. Everything before is forgotten with another attempt, and when steps are counted anew. Not written down over a restart: a map
 * then begins empty, and nothing else depends on it.
 *
 * <p>Thread-safe: one writer, any number of readers; a reader copies what it wants while the writer waits. Cost: O(1) a value.
 */
public final class HeatRing {
    /** What of a step of a rank is kept. */
    public enum Measure {
        /** Its length. */
        DURATION,
        /** Compute, copies and idle gaps. */
        OWN,
        /** Communication that nothing covers. */
        WAIT,
        /** What no phase covers; the last, for only steps in which phases were recorded have it. */
        OUTSIDE;

        private long of(StepDigest d) {
            return switch (this) {
                case DURATION -> d.durationNanos();
                case OWN -> d.own().ownNanos();
                case WAIT -> d.own().exposedCommNanos();
                case OUTSIDE -> d.outsidePhasesNanos();
            };
        }

        private char code(StepDigest d) {
            long nanos = of(d);
            return (char) (nanos < 0 && this == OUTSIDE ? MISSING : HeatRing.code(nanos));
        }
    }

    /**
     * Values of ranks and steps.
     *
     * @param attempt attempt of the job, -1 when nothing is kept
     * @param ranks global rank of each row, ascending
     * @param steps number of each column, ascending
     * @param seconds value of row r and column c at {@code r * steps.length + c}; NaN where nothing was reported. Not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Cells(int attempt, int[] ranks, long[] steps, float[] seconds) {}

    static final int PER_OCTAVE = 1365;

    /** Half of the distance of two values: 2^(1/2730) - 1. */
    static final double ERROR_RATIO = 0.00026;

    private static final Measure[] MEASURES = Measure.values();
    private static final int MISSING = 0;
    private static final int ZERO = 1;
    private static final int FIRST = 2;
    private static final int LAST = 0xFFFF;
    private static final double LOG_2 = Math.log(2);

    /** Bytes of a step beside its values. */
    private static final int OVERHEAD = 64;

    /** @param cells values of a measure one behind the other, by number of the rank */
    @SuppressWarnings("ArrayRecordComponent")
    private record Column(long step, int rows, char[] cells) {
        int measures() {
            return rows == 0 ? 0 : cells.length / rows;
        }

        long bytes() {
            return 2L * cells.length + OVERHEAD;
        }
    }

    private final long mostBytes;
    private final Deque<Column> columns = new ArrayDeque<>();
    private final Map<Long, Column> byStep = new HashMap<>();
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private int attempt = -1;
    private long bytes;

    /** @param mostBytes bytes of all values together; the newest step is kept whatever it takes */
    public HeatRing(long mostBytes) {
        if (mostBytes < 1) {
            throw new IllegalArgumentException(mostBytes + " bytes, expected 1 or more");
        }
        this.mostBytes = mostBytes;
    }

    /** Takes the next step of the job. */
    public synchronized void add(JobStep step) {
        if (step.attempt() != attempt
                || (!columns.isEmpty() && step.step() <= columns.getLast().step())) {
            columns.clear();
            byStep.clear();
            numbers.clear();
            bytes = 0;
            attempt = step.attempt();
        }
        for (RankStep s : step.ranks()) {
            numbers.putIfAbsent(s.digest().rank(), numbers.size());
        }
        int rows = numbers.size();
        boolean phases =
                step.ranks().stream().anyMatch(s -> !s.digest().phases().isEmpty());
        int measures = phases ? MEASURES.length : Measure.OUTSIDE.ordinal();
        char[] cells = new char[rows * measures];
        for (RankStep s : step.ranks()) {
            int row = numbers.getOrDefault(s.digest().rank(), 0);
            for (int m = 0; m < measures; m++) {
                cells[m * rows + row] = MEASURES[m].code(s.digest());
            }
        }
        Column column = new Column(step.step(), rows, cells);
        columns.addLast(column);
        byStep.put(column.step(), column);
        bytes += column.bytes();
        while (bytes > mostBytes && columns.size() > 1) {
            Column oldest = columns.removeFirst();
            byStep.remove(oldest.step());
            bytes -= oldest.bytes();
        }
    }

    /** Takes a step of a rank that its step went on without: nothing where that is kept no more, or the rank was not known when it went on. */
    public synchronized void addLate(int of, RankStep late) {
        Integer row = numbers.get(late.digest().rank());
        if (of != attempt || row == null) {
            return;
        }
        Column c = byStep.get(late.digest().step());
        if (c != null && row < c.rows()) {
            for (int m = 0; m < c.measures(); m++) {
                c.cells()[m * c.rows() + row] = MEASURES[m].code(late.digest());
            }
        }
    }

    /**
     * What is kept of some steps.
     *
     * @param measure which value
     * @param from first step wanted
     * @param to last step wanted
     * @param mostColumns steps given at most, the newest of those wanted
     */
    public synchronized Cells read(Measure measure, long from, long to, int mostColumns) {
        List<Column> wanted = new ArrayList<>();
        for (var all = columns.descendingIterator(); all.hasNext() && wanted.size() < mostColumns; ) {
            Column c = all.next();
            if (c.step() >= from && c.step() <= to) {
                wanted.addFirst(c);
            }
        }
        int[] ranks = numbers.keySet().stream().mapToInt(r -> r).sorted().toArray();
        int[] rows = IntStream.of(ranks).map(r -> numbers.getOrDefault(r, 0)).toArray();
        long[] steps = wanted.stream().mapToLong(Column::step).toArray();
        float[] seconds = new float[Math.multiplyExact(ranks.length, steps.length)];
        Arrays.fill(seconds, Float.NaN);
        for (int c = 0; c < steps.length; c++) {
            Column column = wanted.get(c);
            int begin = measure.ordinal() * column.rows();
            for (int r = 0; r < rows.length && measure.ordinal() < column.measures(); r++) {
                if (rows[r] < column.rows()) {
                    seconds[r * steps.length + c] = seconds(column.cells()[begin + rows[r]]);
                }
            }
        }
        return new Cells(attempt, ranks, steps, seconds);
    }

    /** Bytes of all values now. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Steps kept now. */
    public synchronized int steps() {
        return columns.size();
    }

    private static int code(long nanos) {
        return nanos <= 0
                ? ZERO
                : (int) Math.min(LAST, FIRST + Math.round(Math.log((double) nanos) / LOG_2 * PER_OCTAVE));
    }

    /** What each code says: a map of a large job has some ten million. */
    private static final float[] SECONDS = new float[LAST + 1];

    static {
        for (int code = 0; code <= LAST; code++) {
            SECONDS[code] = decoded(code);
        }
    }

    private static float seconds(int code) {
        return SECONDS[code];
    }

    private static float decoded(int code) {
        return switch (code) {
            case MISSING -> Float.NaN;
            case ZERO -> 0;
            default -> (float) (Math.exp((code - FIRST) * LOG_2 / PER_OCTAVE) / 1e9);
        };
    }
}
