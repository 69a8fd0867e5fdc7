package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.OwnTime;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The collectives of a digest by group, against picking them one group after the other. */
class GroupStepsTest {
    private static final int UNKNOWN = 9;

    /** Names 5 and 6 mean one group, as after a new communicator for the same ranks. */
    private static final Map<Integer, Integer> GROUPS = Map.of(4, 1, 5, 0, 6, 0);

    private static final RankSet BOTH = RankSet.range(0, 1);
    private static final JobShape SHAPE = new JobShape(
            0,
            2,
            BOTH,
            Map.of(),
            Map.of(),
            Map.of(),
            Topology.UNKNOWN,
            List.of(new ParallelGroup("tp", BOTH), new ParallelGroup("dp", BOTH)),
            Map.of(0, GROUPS, 1, GROUPS),
            List.of(BOTH),
            List.of("all"));

    private static List<CollectiveStat> named(int... names) {
        List<CollectiveStat> list = new ArrayList<>();
        for (int name : names) {
            list.add(new CollectiveStat(
                    CollectiveOp.ALL_REDUCE, name, list.size(), 64, -1, 7, 100L * list.size(), 50, 40, false));
        }
        return list;
    }

    private static List<GroupStep> divided(List<CollectiveStat> collectives) {
        OwnTime own = new OwnTime(1, 0, 0, 0, 0);
        return GroupSteps.of(
                SHAPE,
                new StepDigest(
                        0, 1, 3, 0, 1000, false, false, true, own, 0, 0, 1, 1, List.of(), collectives, List.of()));
    }

    private static void check(List<CollectiveStat> collectives) {
        List<GroupStep> steps = divided(collectives);
        for (int group = 0; group < 2; group++) {
            int wanted = group;
            List<CollectiveStat> own = collectives.stream()
                    .filter(c -> GROUPS.getOrDefault(c.group(), -1) == wanted)
                    .toList();
            List<GroupStep> found =
                    steps.stream().filter(s -> s.group() == wanted).toList();
            assertThat(found).hasSize(own.isEmpty() ? 0 : 1);
            found.forEach(s -> {
                assertThat(s.rank()).isOne();
                assertThat(s.step()).isEqualTo(3);
                assertThat(s.collectives()).isEqualTo(own);
            });
        }
    }

    @Test
    void groupsInARow() {
        check(named());
        check(named(4));
        check(named(4, 4, 5, 5, 5));
        check(named(UNKNOWN, 4, UNKNOWN, UNKNOWN, 5));
        check(named(UNKNOWN));
    }

    @Test
    void groupsThatAlternate() {
        check(named(4, 5, 4, 5));
        check(named(5, 6));
        check(named(6, 4, UNKNOWN, 5, 4));
        Random random = new Random(3);
        for (int i = 0; i < 200; i++) {
            int[] names = random.ints(random.nextInt(30), 4, 8)
                    .map(n -> n == 7 ? UNKNOWN : n)
                    .toArray();
            check(named(names));
        }
    }

    @Test
    void inTheOrderInWhichTheyCome() {
        assertThat(divided(named(5, 4, 5))).extracting(GroupStep::group).containsExactly(0, 1);
        assertThat(divided(named(4, 5))).extracting(GroupStep::group).containsExactly(1, 0);
    }
}
