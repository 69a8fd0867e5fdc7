package dev.argus.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CommunicatorTrail;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Communicators that do not say who their members are. */
class CommunicatorsTest {
    private static final int STEPS = 6;

    private final Random random = new Random(7);
    private final Map<Integer, List<CommunicatorTrail>> trails = new TreeMap<>();
    private final Map<Integer, String> hosts = new HashMap<>();
    private final Map<Integer, Integer> names = new HashMap<>();

    private void hosts(int world, int perHost) {
        for (int r = 0; r < world; r++) {
            hosts.put(r, "h" + r / perHost);
            trails.put(r, new ArrayList<>());
        }
    }

    /** Offset and drift of a host's clock. */
    private long clock(int rank, long at) {
        int host = rank / 4;
        return at + host * 31_000_000L + Math.round(at * host * 3e-6);
    }

    /**
     * Calls of groups that end together.
     *
     * @param kind tells kinds of communicators apart, as their numbers of calls do
     * @param apart how far the ends of different groups are from lock step, standard deviation in nanoseconds
     * @param jitter the same of members of one
     */
    private void calls(int kind, boolean pairs, List<RankSet> groups, double apart, double jitter) {
        for (RankSet g : groups) {
            List<long[]> ends = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                long[] of = new long[8];
                for (int i = 0; i < of.length; i++) {
                    of[i] = 1_000_000_000L * step + 90_000_000L * i + Math.round(apart * random.nextGaussian());
                }
                ends.add(of);
            }
            for (int r : g.toArray()) {
                if (!trails.containsKey(r)) {
                    continue;
                }
                List<CommunicatorTrail.Step> steps = new ArrayList<>();
                for (int step = 0; step < STEPS; step++) {
                    long[] own = ends.get(step).clone();
                    for (int i = 0; i < own.length; i++) {
                        own[i] = clock(r, own[i]) + Math.round(jitter * random.nextGaussian());
                    }
                    steps.add(new CommunicatorTrail.Step(step, 8 * kind, 77, own));
                }
                int name = names.merge(r, 1, Integer::sum);
                trails.get(r).add(new CommunicatorTrail(name, pairs, steps));
            }
        }
    }

    private Communicators communicators(int world) {
        return new Communicators(trails, hosts, world);
    }

    private static List<RankSet> groups(Topology t, String dimension) {
        return java.util.stream.IntStream.range(0, t.worldSize())
                .mapToObj((IntFunction<RankSet>) r -> t.group(r, dimension))
                .distinct()
                .toList();
    }

    private static Topology layout() {
        return new Topology(
                List.of(
                        new Topology.Dimension("tp", 4),
                        new Topology.Dimension("pp", 2),
                        new Topology.Dimension("dp", 3)),
                "test");
    }

    @Test
    void findsTheGroupsOfALayoutWhateverTheClocks() {
        Topology t = layout();
        hosts(24, 4);
        calls(5, false, groups(t, "tp"), 40_000, 2_000);
        calls(1, false, groups(t, "dp"), 40_000, 2_000);
        calls(2, true, groups(t, "pp"), 10_000, 1_000);
        Communicators found = communicators(24);
        for (int r = 0; r < 24; r++) {
            assertThat(found.members(r, 1)).isEqualTo(t.group(r, "tp"));
            assertThat(found.members(r, 2)).isEqualTo(t.group(r, "dp"));
            assertThat(found.members(r, 3)).isEqualTo(t.group(r, "pp"));
        }
    }

    @Test
    void aRankWithoutATraceIsAMemberWhereThePatternSaysSo() {
        Topology t = layout();
        hosts(24, 4);
        trails.remove(13);
        calls(5, false, groups(t, "tp"), 40_000, 2_000);
        assertThat(communicators(24).members(12, 1)).isEqualTo(RankSet.of(12, 13, 14, 15));
    }

    @Test
    void groupsThatAreNoPatternOfRanksAreNotBelieved() {
        hosts(8, 4);
        calls(1, false, List.of(RankSet.of(0, 3, 5), RankSet.of(1, 2, 7), RankSet.of(4, 6)), 40_000, 1_000);
        Communicators found = communicators(8);
        for (int r = 0; r < 8; r++) {
            assertThat(found.members(r, 1).isEmpty()).isTrue();
        }
    }

    @Test
    void pairsInLockStepAreNotGuessed() {
        Topology t = layout();
        hosts(24, 4);
        calls(2, true, groups(t, "pp"), 0, 2_000);
        Communicators found = communicators(24);
        int wrong = 0;
        for (int r = 0; r < 24; r++) {
            RankSet set = found.members(r, 1);
            wrong += set.isEmpty() || set.equals(t.group(r, "pp")) ? 0 : 1;
        }
        assertThat(wrong).isZero();
    }

    @Test
    void aGroupOfAllIsOne() {
        hosts(8, 4);
        calls(1, false, List.of(RankSet.range(0, 7)), 0, 3_000);
        assertThat(communicators(8).members(5, 1)).isEqualTo(RankSet.range(0, 7));
    }

    @Test
    void fewCallsAndOtherOperationsTellNothing() {
        hosts(4, 4);
        calls(1, false, List.of(RankSet.of(0, 1)), 40_000, 1_000);
        calls(3, false, List.of(RankSet.of(2, 3)), 40_000, 1_000);
        trails.replaceAll((r, list) -> List.of(new CommunicatorTrail(
                1,
                false,
                list.getFirst().steps().subList(0, 1).stream()
                        .map(s -> new CommunicatorTrail.Step(
                                s.step(), s.calls(), s.operations(), new long[] {s.ends()[0]}))
                        .toList())));
        Communicators found = communicators(4);
        for (int r = 0; r < 4; r++) {
            assertThat(found.members(r, 1).isEmpty()).isTrue();
        }
    }
}
