package dev.argus.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Incident;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.StepDigest;
import dev.argus.simulator.Simulation;
import dev.argus.stats.Robust;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The published situations, small: each is named, the same job without its fault is not, and each is what it says it is. */
class PublishedTest {
    private static final long STEP = 25;

    private static final Map<Published, PublishedTrial> TRIALS = new EnumMap<>(Published.class);

    private static synchronized PublishedTrial trial(Published situation) {
        return TRIALS.computeIfAbsent(situation, s -> PublishedTrial.run(s, false));
    }

    private static List<StepDigest> digests(Published situation) {
        return JobRecords.of(Simulation.run(situation.scenario(false))).digests(STEP);
    }

    @ParameterizedTest
    @EnumSource
    void isNamedExactly(Published situation) {
        PublishedTrial trial = trial(situation);

        assertThat(trial.named())
                .as(
                        "%s, missed %s, false alarms %s",
                        trial.answer(), trial.missed(), trial.score().falseAlarms())
                .isTrue();
        assertThat(trial.healthyAlarms())
                .extracting(Incident::summary)
                .as("without the fault")
                .isEmpty();
    }

    @Test
    void theAttentionOfTheReplicaIsNamed() {
        assertThat(trial(Published.ATTENTION).said()).singleElement().satisfies(i -> {
            assertThat(i.ranks()).isEqualTo(RankSet.of(44, 45, 46, 47, 108, 109, 110, 111));
            assertThat(i.kernels()).hasSize(2).allMatch(k -> k.contains("flash::flash_"));
        });
    }

    @Test
    void theSlowGroupIsSteadySoNoStepDiffers() {
        for (Published steady : List.of(Published.EXPERT_GROUP, Published.EXPERT_WORK)) {
            assertThat(trial(steady).said()).singleElement().satisfies(i -> {
                assertThat(i.levels()).doesNotContain(Level.L1);
                assertThat(i.groups()).anyMatch(g -> g.ranks().equals(i.ranks()));
            });
        }
    }

    @Test
    void theTotalsOfTheLastStageAreAlignedButNotItsOwnWork() {
        List<StepDigest> last = digests(Published.LAST_STAGE).stream()
                .filter(d -> d.rank() >= 96)
                .toList();
        ToDoubleFunction<StepDigest> total = d -> d.durationNanos();
        ToDoubleFunction<StepDigest> own = d -> d.own().computeNanos();

        assertThat(most(last, total)).isLessThan(1.02);
        assertThat(most(last, own)).isGreaterThan(1.5);
    }

    private static double most(List<StepDigest> digests, ToDoubleFunction<StepDigest> of) {
        double[] all = digests.stream().mapToDouble(of).toArray();
        double median = Robust.median(all);
        double most = 0;
        for (double v : all) {
            most = Math.max(most, v / median);
        }
        return most;
    }

    @Test
    void theStallsLeaveTheKernelsAlone() {
        assertThat(trial(Published.RARE_JIT).said())
                .hasSize(2)
                .allSatisfy(i -> {
                    assertThat(i.scope()).isEqualTo(Scope.RANK);
                    assertThat(i.kernels()).isEmpty();
                })
                .extracting(Incident::ranks)
                .containsExactlyInAnyOrder(RankSet.of(85), RankSet.of(14));
    }

    /** The culprit comes last: its kernel is the shortest of its group; the longest is a victim's. */
    @Test
    void theReduceScatterOfTheCulpritIsTheShortest() {
        PublishedTrial trial = trial(Published.SHORT_REDUCE);
        Incident said = trial.said().getFirst();
        int culprit = said.ranks().get(0);
        JobRecords records = JobRecords.of(Simulation.run(Published.SHORT_REDUCE.scenario(false)));
        RankSet replicas = replicas(records, culprit);

        StepDigest shortest = records.digests(STEP).stream()
                .filter(d -> replicas.contains(d.rank()))
                .min(Comparator.comparingLong(d -> reduce(records, d, replicas)))
                .orElseThrow();
        assertThat(replicas.size()).isEqualTo(6);
        assertThat(shortest.rank()).isEqualTo(culprit);
        assertThat(said.evidence()).anyMatch(e -> e.what().contains("collectives that ended when rank " + culprit));
    }

    private static RankSet replicas(JobRecords records, int rank) {
        return records.shape().groups().stream()
                .filter(g -> g.dimension().equals("edp") && g.ranks().contains(rank))
                .findFirst()
                .orElseThrow()
                .ranks();
    }

    private static long reduce(JobRecords records, StepDigest d, RankSet group) {
        return d.collectives().stream()
                .filter(c -> c.op() == CollectiveOp.REDUCE_SCATTER)
                .filter(c -> records.shape()
                        .groups()
                        .get(records.shape().groupIndex(d.rank(), c.group()))
                        .ranks()
                        .equals(group))
                .mapToLong(CollectiveStat::durationNanos)
                .sum();
    }
}
