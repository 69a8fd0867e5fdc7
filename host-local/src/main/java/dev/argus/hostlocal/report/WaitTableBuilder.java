package dev.argus.hostlocal.report;

import dev.argus.engine.WaitPairs;
import dev.argus.model.HostText;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sums waits by late rank and by who waited. Footprint: 128 bytes a rank that was ever late. */
final class WaitTableBuilder implements WaitPairs.Listener {
    private final List<String> columns = new ArrayList<>();
    private final Map<Integer, Integer> columnOf = new HashMap<>();
    private final Map<Integer, long[]> byLate = new HashMap<>();

    private final RankSet accused;

    /** @param accused ranks whose rows come first */
    WaitTableBuilder(JobShape shape, RankSet accused) {
        this.accused = accused;
        RankSet ranks = shape.ranks();
        if (ranks.size() <= WaitTable.MOST_COLUMNS) {
            ranks.stream().forEach(rank -> column(RankSet.of(rank), "rank " + rank));
        } else if (shape.hasStages() && few(shape.peerSets().size())) {
            for (int s = 0; s < shape.peerSets().size(); s++) {
                column(shape.peerSets().get(s), shape.peerLabels().get(s));
            }
        } else if (few(shape.hostCount())) {
            Map<String, List<Integer>> hosts = new LinkedHashMap<>();
            ranks.stream()
                    .forEach(r -> hosts.computeIfAbsent(shape.hostOf(r), h -> new ArrayList<>())
                            .add(r));
            hosts.forEach(
                    (host, list) -> column(RankSet.of(list), host.isEmpty() ? "unknown host" : HostText.of(host)));
        }
        blocks(ranks);
    }

    private static boolean few(int n) {
        return n > 1 && n < WaitTable.MOST_COLUMNS;
    }

    /** Ranks that no column has yet: equal blocks where there is none at all, else one column. */
    private void blocks(RankSet ranks) {
        int[] left = ranks.stream().filter(r -> !columnOf.containsKey(r)).toArray();
        int per = columns.isEmpty() ? Math.ceilDiv(Math.max(1, left.length), WaitTable.MOST_COLUMNS) : left.length;
        for (int from = 0; from < left.length; from += per) {
            RankSet block = RankSet.of(Arrays.copyOfRange(left, from, Math.min(left.length, from + per)));
            column(block, columns.isEmpty() || per < left.length ? "ranks " + block : "other ranks");
        }
    }

    private void column(RankSet members, String label) {
        members.stream().forEach(rank -> columnOf.putIfAbsent(rank, columns.size()));
        columns.add(label);
    }

    @Override
    public void waited(int late, int waiter, long nanos) {
        Integer column = columnOf.get(waiter);
        if (column != null) {
            byLate.computeIfAbsent(late, k -> new long[columns.size()])[column] += nanos;
        }
    }

    WaitTable build() {
        List<WaitTable.Row> ranks = new ArrayList<>();
        byLate.forEach((late, nanos) -> {
            if (late != WaitPairs.NOBODY) {
                ranks.add(new WaitTable.Row("rank " + late, late, nanos, accused.contains(late)));
            }
        });
        ranks.sort(
                Comparator.comparingLong((WaitTable.Row r) -> -r.totalNanos()).thenComparingInt(WaitTable.Row::rank));
        List<WaitTable.Row> rows = new ArrayList<>();
        List<WaitTable.Row> ofAccused =
                ranks.stream().filter(WaitTable.Row::accused).toList();
        some(ofAccused, WaitTable.MOST_ACCUSED, "accused rank", rows);
        int shown = Math.min(WaitTable.MOST_ACCUSED, ofAccused.size());
        some(ranks.stream().filter(r -> !r.accused()).toList(), WaitTable.MOST_ROWS - shown, "rank", rows);
        long[] nobody = byLate.get(WaitPairs.NOBODY);
        if (nobody != null) {
            rows.add(new WaitTable.Row("several together", -1, nobody));
        }
        long total = rows.stream().mapToLong(WaitTable.Row::totalNanos).sum();
        return new WaitTable(List.copyOf(columns), List.copyOf(rows), total);
    }

    /** The first of some rows, and the rest of them in one. */
    private void some(List<WaitTable.Row> all, int most, String what, List<WaitTable.Row> to) {
        to.addAll(all.subList(0, Math.min(most, all.size())));
        List<WaitTable.Row> others = all.subList(Math.min(most, all.size()), all.size());
        if (others.isEmpty()) {
            return;
        }
        long[] sum = new long[columns.size()];
        for (WaitTable.Row r : others) {
            for (int c = 0; c < sum.length; c++) {
                sum[c] += r.nanos()[c];
            }
        }
        String label = others.size() + " other " + what + (others.size() == 1 ? "" : "s");
        to.add(new WaitTable.Row(label, -1, sum, others.getFirst().accused()));
    }
}
