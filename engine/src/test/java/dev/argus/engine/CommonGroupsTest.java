package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The members of a group that are slow together are one incident. */
class CommonGroupsTest {
    /** One rank on each of eight hosts: the replicas of one set of experts. */
    private static final RankSet REPLICAS =
            RankSet.of(IntStream.range(0, 8).map(h -> 4 * h + 1).toArray());

    private static FakeJob job(int slow) {
        return FakeJob.of(32, 7).perHost(4).group("edp", REPLICAS).fault(c -> {
            int at = REPLICAS.indexOf(c.rank);
            c.compute(at >= 0 && at < slow ? 1.2 : 1);
        });
    }

    private static List<Incident> incidents(FakeJob job) {
        return job.diagnose().incidents();
    }

    @Test
    void aSlowGroupIsOneIncident() {
        assertThat(incidents(job(8))).singleElement().satisfies(i -> {
            assertThat(i.scope()).isEqualTo(Scope.GROUP);
            assertThat(i.ranks()).isEqualTo(REPLICAS);
            assertThat(i.groups())
                    .singleElement()
                    .satisfies(g -> assertThat(g.dimension()).isEqualTo("edp"));
            assertThat(i.summary()).startsWith("edp group of ranks 1,5,9");
        });
    }

    /** A GPU that is slow keeps its CPU waiting: slow launches of one member are no trouble of their own. */
    @RepeatedTest(6)
    void whatSlowsTheGroupExplainsTheLaunchesOfItsMembers(RepetitionInfo run) {
        FakeJob job = FakeJob.of(32, run.getCurrentRepetition() + 3)
                .perHost(4)
                .group("edp", REPLICAS)
                .fault(c -> c.compute(REPLICAS.contains(c.rank) ? 1.2 : 1));

        assertThat(incidents(job)).as("seed %d", run.getCurrentRepetition() + 3).hasSize(1);
    }

    @Test
    void oneMemberThatIsWellIsNotNamed() {
        assertThat(incidents(job(7))).singleElement().satisfies(i -> {
            assertThat(i.scope()).isEqualTo(Scope.GROUP);
            assertThat(i.ranks()).isEqualTo(REPLICAS.minus(RankSet.of(29)));
        });
    }

    @Test
    void aPartOfAGroupIsSoManyRanks() {
        assertThat(incidents(job(5)))
                .hasSize(5)
                .allSatisfy(i -> assertThat(i.scope()).isEqualTo(Scope.RANK));
    }

    @Test
    void membersThatAreSlowAtDifferentTimesHaveNothingInCommon() {
        FakeJob job = FakeJob.of(32, 7)
                .perHost(4)
                .steps(100, 40)
                .group("edp", REPLICAS)
                .fault(c -> {
                    int at = REPLICAS.indexOf(c.rank);
                    c.compute(at >= 0 && (c.step - 100) / 5 == at ? 1.3 : 1);
                });

        assertThat(incidents(job))
                .isNotEmpty()
                .allSatisfy(i -> assertThat(i.scope()).isEqualTo(Scope.RANK));
    }

    /** Half of the ranks of two hosts: the copy of the model explains both, no host does. */
    @Test
    void aReplicaIsOneIncidentAlsoWhereItIsHalfOfItsHosts() {
        RankSet copy = RankSet.of(4, 5, 20, 21);

        assertThat(incidents(copies().fault(c -> c.compute(copy.contains(c.rank) ? 1.2 : 1))))
                .singleElement()
                .satisfies(i -> {
                    assertThat(i.scope()).isEqualTo(Scope.GROUP);
                    assertThat(i.ranks()).isEqualTo(copy);
                    assertThat(i.summary()).startsWith("data-parallel replica of ranks 4-5,20-21");
                });
    }

    @Test
    void aPartOfAReplicaOnOneHostIsThatHosts() {
        assertThat(incidents(copies().fault(c -> c.compute(c.rank == 4 || c.rank == 5 ? 1.2 : 1))))
                .singleElement()
                .satisfies(i -> {
                    assertThat(i.scope()).isEqualTo(Scope.HOST);
                    assertThat(i.ranks()).isEqualTo(RankSet.of(4, 5));
                });
    }

    /** Two tensor ranks, eight copies, two stages; four ranks a host. */
    private static FakeJob copies() {
        return FakeJob.of(32, 7)
                .perHost(4)
                .stages(2)
                .topology(new Topology(
                        List.of(
                                new Topology.Dimension("tp", 2),
                                new Topology.Dimension("dp", 8),
                                new Topology.Dimension("pp", 2)),
                        "given"));
    }

    @Test
    void twoOfAPairAreTwoRanks() {
        FakeJob job = FakeJob.of(32, 7).perHost(4).fault(c -> c.compute(c.rank == 2 || c.rank == 6 ? 1.2 : 1));

        assertThat(incidents(job))
                .hasSize(2)
                .allSatisfy(i -> assertThat(i.scope()).isEqualTo(Scope.RANK));
    }
}
