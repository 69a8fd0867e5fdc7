package dev.argus.storage.duck;

import dev.argus.storage.RankMap;
import dev.argus.storage.RankValue;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads how all ranks spent the newest steps of a range. */
final class RankMaps {
    private static final long MISSING = -1;

    private RankMaps() {}

    private record Kept(long step, int ranks) {}

    static RankMap read(
            Connection on, String job, int attempt, RankValue value, long from, long to, int most, int mostCells)
            throws SQLException {
        List<Kept> newest = Sql.list(
                on,
                "SELECT step, ranks FROM kept.all_steps" + RowReader.SOME + " ORDER BY step DESC LIMIT ?",
                r -> new Kept(r.getLong(1), r.getInt(2)),
                job,
                attempt,
                from,
                to,
                most);
        int widest = newest.stream().mapToInt(Kept::ranks).max().orElse(0);
        int columns = Math.min(newest.size(), mostCells / Math.max(1, widest));
        if (columns == 0) {
            return RankMap.EMPTY;
        }
        long[] steps = newest.stream()
                .limit(columns)
                .mapToLong(Kept::step)
                .sorted()
                .distinct()
                .toArray();
        int mostRanks = Math.max(widest, mostCells / steps.length);
        Map<Integer, long[]> rows = new TreeMap<>();
        Sql.each(
                on,
                "SELECT step, rank, " + column(value) + " FROM kept.all_rank_steps" + RowReader.SOME,
                r -> {
                    int at = Arrays.binarySearch(steps, r.getLong(1));
                    int rank = r.getInt(2);
                    if (at >= 0 && (rows.size() < mostRanks || rows.containsKey(rank))) {
                        rows.computeIfAbsent(rank, k -> missing(steps.length))[at] = r.getLong(3);
                    }
                },
                job,
                attempt,
                steps[0],
                steps[steps.length - 1]);
        long[] nanos = new long[rows.size() * steps.length];
        int row = 0;
        for (long[] of : rows.values()) {
            System.arraycopy(of, 0, nanos, row++ * steps.length, steps.length);
        }
        return new RankMap(rows.keySet().stream().mapToInt(Integer::intValue).toArray(), steps, nanos);
    }

    private static long[] missing(int columns) {
        long[] row = new long[columns];
        Arrays.fill(row, MISSING);
        return row;
    }

    private static String column(RankValue value) {
        return switch (value) {
            case DURATION -> "duration_nanos";
            case OWN -> "duration_nanos - exposed_comm_nanos - rest_nanos";
            case WAIT -> "exposed_comm_nanos";
        };
    }
}
