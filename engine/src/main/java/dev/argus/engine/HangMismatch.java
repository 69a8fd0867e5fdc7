package dev.argus.engine;

import dev.argus.engine.HangGroup.Progress;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Members that called different operations under one number of one group: the fewer are odd; of two sides alike in size both are.
 *
 * @param group the group
 * @param odd the call of the fewer
 * @param usual the call of the others
 * @param ranks who is odd
 * @param others how many made the usual call
 */
record HangMismatch(HangGroup group, Call odd, Call usual, RankSet ranks, int others) {
    /** Calls under one number: coalesced calls share it, so a side is the set of what was called. */
    private record Side(List<Integer> ranks, Call call) {}

    /** The earliest number of any group where calls differ; null when they agree wherever several rings hold them. */
    static @Nullable HangMismatch find(List<HangGroup> groups) {
        return groups.stream()
                .map(HangMismatch::in)
                .flatMap(List::stream)
                .min(Comparator.comparingLong((HangMismatch m) -> m.odd.createdNanos())
                        .thenComparing(m -> m.group.label)
                        .thenComparing(m -> m.group.members))
                .orElse(null);
    }

    private static List<HangMismatch> in(HangGroup g) {
        Map<Long, Map<TreeSet<Integer>, Side>> numbers = new TreeMap<>();
        for (Map.Entry<Integer, Progress> e : g.progress.entrySet()) {
            byNumber(e.getValue().collectives()).forEach((number, calls) -> {
                TreeSet<Integer> words = new TreeSet<>();
                calls.forEach(c -> words.add(c.name()));
                Map<TreeSet<Integer>, Side> sides =
                        numbers.computeIfAbsent(number, n -> new TreeMap<>(Comparator.comparing(TreeSet::toString)));
                sides.computeIfAbsent(words, w -> new Side(new ArrayList<>(), calls.getFirst()))
                        .ranks
                        .add(e.getKey());
            });
        }
        for (Map<TreeSet<Integer>, Side> sides : numbers.values()) {
            if (sides.size() > 1) {
                return List.of(of(g, new ArrayList<>(sides.values())));
            }
        }
        return List.of();
    }

    private static Map<Long, List<Call>> byNumber(List<Call> calls) {
        Map<Long, List<Call>> map = new TreeMap<>();
        calls.forEach(
                c -> map.computeIfAbsent(c.sequence(), s -> new ArrayList<>()).add(c));
        if (map.size() > 1) {
            // Of the last number kept there may be calls that were not.
            map.remove(calls.getLast().sequence());
        }
        return map;
    }

    private static HangMismatch of(HangGroup g, List<Side> sides) {
        sides.sort(Comparator.comparingInt((Side s) -> s.ranks.size()).thenComparingInt(s -> -s.ranks.getFirst()));
        Side odd = sides.getFirst();
        Side usual = sides.getLast();
        List<Integer> ranks = new ArrayList<>(odd.ranks);
        if (odd.ranks.size() == usual.ranks.size()) {
            ranks.addAll(usual.ranks);
        }
        RankSet set = RankSet.of(ranks.stream().mapToInt(r -> r).toArray());
        return new HangMismatch(g, odd.call, usual.call, set, usual.ranks.size());
    }
}
