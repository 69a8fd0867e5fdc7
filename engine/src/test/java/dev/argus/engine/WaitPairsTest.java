package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pairs of the ledger: they must sum to what the detectors have. */
class WaitPairsTest {
    private static final long MS = 1_000_000;
    private static final int RANKS = 6;

    private final NameTable names = new NameTable();
    private final int dp = names.id("dp");
    private final int tp = names.id("tp");
    private final JobShape shape = shape();
    private final DetectorGraph graph = new DetectorGraph(shape, names, Thresholds.DEFAULT);

    private JobShape shape() {
        RankSet all = RankSet.range(0, RANKS - 1);
        Map<Integer, String> hosts = new HashMap<>();
        Map<Integer, Map<Integer, Integer>> groupOf = new HashMap<>();
        all.stream().forEach(r -> {
            hosts.put(r, "host" + r / 2);
            groupOf.put(r, Map.of(dp, 0, tp, 1 + r / 2));
        });
        List<ParallelGroup> groups = List.of(
                new ParallelGroup("dp", all),
                new ParallelGroup("tp", RankSet.of(0, 1)),
                new ParallelGroup("tp", RankSet.of(2, 3)),
                new ParallelGroup("tp", RankSet.of(4, 5)));
        return new JobShape(
                0, RANKS, all, hosts, Map.of(), Map.of(), Topology.UNKNOWN, groups, groupOf, List.of(all), List.of(""));
    }

    private static StepDigest digest(int rank, List<CollectiveStat> collectives) {
        OwnTime own = new OwnTime(MS, 0, 0, 0, 0);
        return new StepDigest(
                0, rank, 7, 0, MS, false, false, true, own, 0, 0, 1, 1, List.of(), collectives, List.of());
    }

    private CollectiveStat reduce(int group, long sequence, long nanos) {
        return new CollectiveStat(CollectiveOp.ALL_REDUCE, group, sequence, 1024, -1, 20, 0, nanos, nanos, false);
    }

    private record Pair(int late, int waiter) {}

    private Map<Pair, Long> told(List<StepDigest> digests) {
        Map<Pair, Long> pairs = new HashMap<>();
        new WaitPairs(shape, graph)
                .tell(digests, (late, waiter, nanos) -> pairs.merge(new Pair(late, waiter), nanos, Long::sum));
        return pairs;
    }

    @Test
    void saysWhoWaitedForWhomInEachCollective() {
        long[] durations = {53, 3, 50, 53, 53, 53};
        List<StepDigest> digests = new ArrayList<>();
        for (int r = 0; r < RANKS; r++) {
            digests.add(digest(r, List.of(reduce(dp, 1, durations[r] * MS))));
        }
        Map<Pair, Long> pairs = told(digests);
        assertThat(pairs).containsEntry(new Pair(1, 0), 50 * MS).containsEntry(new Pair(1, 2), 47 * MS);
        assertThat(pairs.keySet()).noneMatch(p -> p.waiter() == 1).allMatch(p -> p.late() == 1);
    }

    @Test
    void namesNobodyWhereTwoCameTogether() {
        List<StepDigest> digests = List.of(
                digest(0, List.of(reduce(dp, 1, 50 * MS))),
                digest(1, List.of(reduce(dp, 1, 3 * MS))),
                digest(2, List.of(reduce(dp, 1, 3 * MS + 5_000))));
        Map<Pair, Long> pairs = told(digests);
        assertThat(pairs.keySet()).allMatch(p -> p.late() == WaitPairs.NOBODY);
        assertThat(pairs).containsEntry(new Pair(WaitPairs.NOBODY, 0), 47 * MS);
    }

    @Test
    void tellsNothingOfARankAlone() {
        assertThat(told(List.of(digest(0, List.of(reduce(dp, 1, 50 * MS)))))).isEmpty();
    }

    /** The detectors' sums, by the same random step: per waiter and per late rank. */
    @Test
    void sumsToTheLedgerOfTheDetectors() {
        Random random = new Random(5);
        List<StepDigest> digests = new ArrayList<>();
        for (int r = 0; r < RANKS; r++) {
            List<CollectiveStat> own = new ArrayList<>();
            for (int s = 0; s < 20; s++) {
                own.add(reduce(dp, s, MS + random.nextInt(40) * 10_000L));
                own.add(reduce(tp, s, MS + random.nextInt(40) * 10_000L));
            }
            digests.add(digest(r, own));
        }
        Map<Integer, Long> suffered = new TreeMap<>();
        Map<Integer, Long> caused = new TreeMap<>();
        GroupWaitsTest.Collector out = new GroupWaitsTest.Collector();
        GroupWaits waits = new GroupWaits(shape);
        Map<Long, GroupWaits.State> states = new TreeMap<>();
        for (StepDigest d : digests) {
            for (GroupStep g : graph.groupSteps(d)) {
                waits.onRecord(states.computeIfAbsent(waits.key(g), waits::fresh), g, out);
            }
        }
        for (WaitPartial p : out.of(WaitPartial.class)) {
            for (int i = 0; i < p.ranks().length; i++) {
                suffered.merge(p.ranks()[i], p.sufferedNanos()[i], Long::sum);
                caused.merge(p.ranks()[i], p.causedNanos()[i], Long::sum);
            }
        }
        Map<Integer, Long> waited = new TreeMap<>();
        Map<Integer, Long> late = new TreeMap<>();
        for (int r = 0; r < RANKS; r++) {
            waited.put(r, 0L);
            late.put(r, 0L);
        }
        told(digests).forEach((pair, nanos) -> {
            waited.merge(pair.waiter(), nanos, Long::sum);
            if (pair.late() != WaitPairs.NOBODY) {
                late.merge(pair.late(), nanos, Long::sum);
            }
        });
        assertThat(waited).isEqualTo(suffered);
        assertThat(late).isEqualTo(caused);
    }
}
