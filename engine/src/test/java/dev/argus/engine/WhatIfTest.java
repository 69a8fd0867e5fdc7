package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.OwnTime;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.model.StepDigest;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Four ranks that meet in an all-reduce of 2 ms after 10 ms of own work, of which some need longer. */
class WhatIfTest {
    private static final long MS = 1_000_000;
    private static final int GROUP = 5;
    private static final TreeSet<Long> STEPS = new TreeSet<>(List.of(10L, 11L, 12L, 13L));

    private static final Pace PACE = new Pace(10, 13, 0, 0, 17 * MS, List.of());

    private final long[] work = {10 * MS, 10 * MS, 10 * MS, 10 * MS};
    private boolean grouped = true;
    private int missing = -1;
    private int asked;

    private JobShape shape() {
        Map<Integer, String> hosts = new HashMap<>();
        Map<Integer, Map<Integer, Integer>> groupOf = new HashMap<>();
        for (int r = 0; r < work.length; r++) {
            hosts.put(r, "host0");
            groupOf.put(r, grouped ? Map.of(GROUP, 0) : Map.of());
        }
        RankSet all = RankSet.range(0, 3);
        return new JobShape(
                0,
                work.length,
                all,
                hosts,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(new ParallelGroup("dp", all)),
                groupOf,
                List.of(all),
                List.of("all ranks"));
    }

    private List<StepDigest> digests(long step) {
        asked++;
        long latest = 0;
        for (long w : work) {
            latest = Math.max(latest, w);
        }
        long length = latest + 2 * MS;
        List<StepDigest> list = new ArrayList<>();
        for (int rank = 0; rank < work.length; rank++) {
            if (rank == missing) {
                continue;
            }
            long start = 1_000_000_000_000L * rank + step * length;
            long wait = length - work[rank];
            CollectiveStat c = new CollectiveStat(
                    CollectiveOp.ALL_REDUCE, GROUP, step, 1 << 20, -1, 7, start + work[rank], wait, wait, false);
            OwnTime own = new OwnTime(work[rank], 0, wait, 0, 0);
            list.add(new StepDigest(
                    0,
                    rank,
                    step,
                    start,
                    length,
                    false,
                    false,
                    true,
                    own,
                    0,
                    0,
                    9,
                    9,
                    List.of(),
                    List.of(c),
                    List.of()));
        }
        return list;
    }

    private static Incident slow(int rank, double ratio) {
        return new Incident(
                "id" + rank,
                IncidentKind.COMPUTE_STRAGGLER,
                Scope.RANK,
                Severity.CRITICAL,
                0.9,
                Set.of(),
                IncidentState.ONGOING,
                0,
                null,
                0,
                RankSet.of(rank),
                List.of(),
                List.of(),
                List.of(),
                10,
                13,
                List.of(),
                null,
                "rank " + rank,
                "why",
                "advice",
                List.of(),
                new Cost(ratio, 100 * ratio));
    }

    private Concluded price(boolean quiet, Incident... incidents) {
        double measured = STEPS.size() * 17.0 * MS;
        Concluded c = new Concluded(
                0, List.of(incidents), List.of(), List.of(), 0.6 * measured, 0.6 * measured, measured, quiet, PACE);
        return new WhatIf(shape(), Thresholds.DEFAULT).price(c, STEPS, this::digests);
    }

    @Test
    void aLateRankCostsWhatAllWaitForIt() {
        work[3] = 15 * MS;
        Concluded c = price(false, slow(3, 0.6));
        assertThat(c.incidents()).singleElement().satisfies(i -> {
            assertThat(i.cost().stepRatio()).isCloseTo(5 / 17.0, within(1e-9));
            assertThat(i.cost().gpuSeconds()).isCloseTo(100 * 5 / 17.0, within(1e-6));
            Evidence why = i.evidence().getLast();
            assertThat(why.value()).as("ms without it").isCloseTo(12, within(1e-6));
            assertThat(why.reference()).contains("17.0 ms").contains("3 steps");
        });
        assertThat(c.claimedNanos()).isCloseTo(5 / 17.0 * c.measuredNanos(), within(1.0));
        assertThat(c.lostNanos()).isCloseTo(c.claimedNanos(), within(1.0));
    }

    /** The later hides the other: each is priced between what it costs alone and what beside the other, and both make up the loss. */
    @Test
    void twoLateRanksShareTheLoss() {
        work[3] = 15 * MS;
        work[2] = 14 * MS;
        Concluded c = price(false, slow(3, 0.3), slow(2, 0.3));
        assertThat(c.incidents())
                .extracting(i -> i.cost().stepRatio())
                .satisfiesExactly(
                        three -> assertThat(three).isCloseTo(3 / 17.0, within(1e-9)),
                        two -> assertThat(two).isCloseTo(2 / 17.0, within(1e-9)));
    }

    @Test
    void aRankThatNobodyWaitsForBecomesAnObservation() {
        work[3] = 15 * MS;
        Concluded c = price(false, slow(0, 0.1));
        assertThat(c.incidents()).isEmpty();
        assertThat(c.observations()).singleElement().satisfies(i -> {
            assertThat(i.severity()).isEqualTo(Severity.INFO);
            assertThat(i.cost().stepRatio()).isZero();
        });
    }

    @Test
    void aPriceIsNeverRaised() {
        work[3] = 15 * MS;
        assertThat(price(false, slow(3, 0.1)).incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.cost().stepRatio()).isEqualTo(0.1));
    }

    @Test
    void withQuietStepsNothingIsPlayed() {
        work[3] = 15 * MS;
        Incident i = slow(3, 0.6);
        assertThat(price(true, i).incidents()).containsExactly(i);
        assertThat(asked).isZero();
    }

    @Test
    void withoutKnownPartnersTheBoundStays() {
        work[3] = 15 * MS;
        grouped = false;
        Incident i = slow(3, 0.6);
        assertThat(price(false, i).incidents()).containsExactly(i);
    }

    @Test
    void withAMissingRankTheBoundStays() {
        work[3] = 15 * MS;
        missing = 1;
        Incident i = slow(3, 0.6);
        assertThat(price(false, i).incidents()).containsExactly(i);
    }

    /** Everybody is accused: there is no peer to be like. */
    @Test
    void withoutPeersTheBoundStays() {
        Incident[] all = IntStream.range(0, 4).mapToObj(r -> slow(r, 0.1)).toArray(Incident[]::new);
        assertThat(price(false, all).incidents()).containsExactly(all);
    }
}
