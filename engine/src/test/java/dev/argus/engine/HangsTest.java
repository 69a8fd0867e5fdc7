package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is missing in a stopped job: cases that fire, that just do not, and to which nothing applies. */
class HangsTest {
    private static final RankSet FOUR = RankSet.range(0, 3);
    private static final RankSet LOW = RankSet.of(0, 1);
    private static final RankSet HIGH = RankSet.of(2, 3);

    private static Incident only(FlightScene scene) {
        List<Incident> incidents = scene.conclude().incidents();
        assertThat(incidents).hasSize(1);
        return incidents.getFirst();
    }

    // ---------------------------------------------------------------- a missing member

    @Test
    void fires_whenAMemberHasNotCalledWhatOthersWaitFor() {
        Incident i = only(new FlightScene(4).group("dp", FOUR, 40, 42, 42, 40, 42));
        assertThat(i.kind()).isEqualTo(IncidentKind.HANG);
        assertThat(i.scope()).isEqualTo(Scope.RANK);
        assertThat(i.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(i.ranks()).isEqualTo(RankSet.of(2));
        assertThat(i.summary())
                .isEqualTo("rank 2 has not called all_reduce number 41 (8 Half) of dp, where 3 of 4 members wait");
        assertThat(i.firstStep()).isEqualTo(-1);
        assertThat(i.sinceEpochNanos()).isEqualTo(1_700_000_000_000_041_000L);
    }

    @Test
    void theGroupOfADeviceMeshIsCalledByItsDimensionAndAJobWithoutGpusGetsNoAdviceAboutThem() {
        Incident i = only(new FlightScene(4).group("MESH_DP", FOUR, 40, 42, 42, 40, 42));
        assertThat(i.summary()).endsWith(" of dp, where 3 of 4 members wait");
        assertThat(i.advice()).doesNotContain("GPU");
    }

    @Test
    void fires_forSeveral() {
        assertThat(only(new FlightScene(4).group("dp", FOUR, 40, 40, 42, 40, 42))
                        .ranks())
                .isEqualTo(RankSet.of(0, 2));
    }

    @Test
    void justNot_whenAllHaveArrived() {
        Concluded c = new FlightScene(4).group("dp", FOUR, 40, 42, 42, 42, 42).conclude();
        assertThat(c.incidents()).isEmpty();
        assertThat(c.notes()).singleElement().asString().contains("no rank is missing");
    }

    @Test
    void justNot_whenNothingIsOpen() {
        Concluded c = new FlightScene(4).group("dp", FOUR, 40, 40, 40, 40, 40).conclude();
        assertThat(c.incidents()).isEmpty();
        assertThat(c.notes()).singleElement().asString().contains("no collective is open");
    }

    /** One behind in calls, and nobody waits: the CPU of a running job. */
    @Test
    void justNot_whenTheOthersWaitForNothing() {
        FlightScene scene = new FlightScene(4);
        scene.group("dp", FOUR, 40, 40, 40, 40);
        scene.member("dp", CollectiveOp.ALL_REDUCE, FOUR, 3, 39, 39);
        assertThat(scene.conclude().incidents()).isEmpty();
    }

    @Test
    void notApplicable_withoutGroupsOfSeveral() {
        assertThat(new FlightScene(1)
                        .group("self", RankSet.of(0), 40, 44)
                        .conclude()
                        .incidents())
                .isEmpty();
    }

    // ---------------------------------------------------------------- the blame moves on

    /** 0 and 1 wait for 2's group, 2 waits for 3. */
    @Test
    void fires_forTheEndOfTheChain() {
        FlightScene scene = new FlightScene(4)
                .group("world", FOUR, 7, 8, 8, 7, 7)
                .group("high", HIGH, 30, 31, 30)
                .group("low", LOW, 10, 11, 11);
        assertThat(only(scene).ranks()).isEqualTo(RankSet.of(3));
    }

    @Test
    void fires_alongAPipeline() {
        FlightScene scene = new FlightScene(4)
                .group("high", HIGH, 30, 31, 30)
                .pair("pp", RankSet.of(0, 2), 0, CollectiveOp.RECV, 2)
                .pair("pp", RankSet.of(1, 3), 1, CollectiveOp.RECV, 3);
        Incident i = only(scene);
        assertThat(i.ranks()).isEqualTo(RankSet.of(3));
    }

    /** Both sides have called: the transfer itself is what everybody waits for. */
    @Test
    void justNot_whenBothSidesOfATransferHaveCalled() {
        FlightScene scene = new FlightScene(4)
                .group("low", LOW, 10, 10, 10)
                .pair("pp", RankSet.of(0, 2), 0, CollectiveOp.RECV, 2)
                .pair("pp", RankSet.of(0, 2), 2, CollectiveOp.SEND, 0);
        assertThat(scene.conclude().incidents()).isEmpty();
    }

    @Test
    void fires_forACircle() {
        FlightScene scene = new FlightScene(2).group("a", LOW, 5, 6, 5).group("b", LOW, 8, 8, 9);
        Incident i = only(scene);
        assertThat(i.scope()).isEqualTo(Scope.GROUP);
        assertThat(i.ranks()).isEqualTo(LOW);
        assertThat(i.summary()).contains("wait for each other");
    }

    // ---------------------------------------------------------------- dumps of different moments

    /** Others saw complete what rank 2 had not called: its dump is older, and no evidence. */
    @Test
    void notApplicable_toADumpOfAnotherMoment() {
        FlightScene scene = new FlightScene(4);
        scene.group("dp", FOUR, 40, 42, 42);
        scene.member("dp", CollectiveOp.ALL_REDUCE, FOUR, 2, 30, 31);
        scene.member("dp", CollectiveOp.ALL_REDUCE, FOUR, 3, 40, 42);
        Concluded c = scene.conclude();
        assertThat(c.incidents()).isEmpty();
        assertThat(c.notes()).first().asString().contains("different moments").contains("rank 2");
    }

    // ---------------------------------------------------------------- ranks that see no end

    @Test
    void fires_withARankThatSeesNoEnd() {
        FlightScene scene = new FlightScene(4);
        scene.group("dp", FOUR, 40, 42, 41);
        scene.member("dp", CollectiveOp.ALL_REDUCE, FOUR, 2, 38, 42);
        scene.member("dp", CollectiveOp.ALL_REDUCE, FOUR, 3, 40, 42);
        scene.group("high", HIGH, 20, 20);
        scene.member("high", CollectiveOp.ALL_REDUCE, HIGH, 3, 22, 22);
        Incident i = only(scene.renamed(2, 21, CollectiveOp.ALL_REDUCE, "all_reduce"));
        assertThat(i.ranks()).as("one group is not enough").isEqualTo(RankSet.of(1));
        FlightScene two = new FlightScene(4);
        two.group("dp", FOUR, 40, 42, 41);
        two.member("dp", CollectiveOp.ALL_REDUCE, FOUR, 2, 38, 42);
        two.member("dp", CollectiveOp.ALL_REDUCE, FOUR, 3, 40, 42);
        two.group("high", HIGH, 20);
        two.member("high", CollectiveOp.ALL_REDUCE, HIGH, 2, 20, 22);
        two.member("high", CollectiveOp.ALL_REDUCE, HIGH, 3, 22, 22);
        Incident both = only(two);
        assertThat(both.ranks()).isEqualTo(RankSet.of(1, 2));
        assertThat(both.summary()).contains("rank 2 sees collectives go on for ever");
    }

    /** A broadcast may end for the root long before it ends for a member. */
    @Test
    void justNot_whenWhatEndedIsNoBarrier() {
        FlightScene scene = new FlightScene(4);
        scene.group("dp", FOUR, 40, 42, 41);
        scene.member("dp", CollectiveOp.BROADCAST, FOUR, 2, 38, 42);
        scene.member("dp", CollectiveOp.ALL_REDUCE, FOUR, 3, 40, 42);
        scene.renamed(2, 41, CollectiveOp.ALL_REDUCE, "all_reduce")
                .renamed(2, 42, CollectiveOp.ALL_REDUCE, "all_reduce");
        scene.group("high", HIGH, 20);
        scene.member("high", CollectiveOp.BROADCAST, HIGH, 2, 20, 22);
        scene.member("high", CollectiveOp.BROADCAST, HIGH, 3, 22, 22);
        assertThat(only(scene).ranks()).isEqualTo(RankSet.of(1));
    }

    // ---------------------------------------------------------------- different operations

    @Test
    void fires_whenOperationsDiffer() {
        FlightScene scene = new FlightScene(4)
                .group("dp", FOUR, 40, 42, 42, 42, 42)
                .renamed(1, 41, CollectiveOp.BROADCAST, "broadcast");
        Incident i = only(scene);
        assertThat(i.ranks()).isEqualTo(RankSet.of(1));
        assertThat(i.summary())
                .isEqualTo("rank 1 called broadcast number 41 (8 Half) of dp where 3 other members called all_reduce");
    }

    @Test
    void justNot_whenOnlyNumbersDiffer() {
        FlightScene scene = new FlightScene(2).group("dp", LOW, 40, 42, 42);
        scene.renamed(0, 41, CollectiveOp.BROADCAST, "broadcast").renamed(1, 41, CollectiveOp.BROADCAST, "broadcast");
        assertThat(scene.conclude().incidents()).isEmpty();
    }

    // ---------------------------------------------------------------- empty rings and missing records

    /** Its local ids are placed by order, which the rings of the others confirm. */
    @Test
    void fires_forARankWithAnEmptyRing() {
        FlightScene scene = new FlightScene(4)
                .group("dp", FOUR, 40, 42, 42, 40, 42)
                .group("high", HIGH, 5, 5, 5)
                .emptyRing(2);
        assertThat(only(scene).ranks()).isEqualTo(RankSet.of(2));
    }

    /** No other ring tells any group, so nothing confirms the order. */
    @Test
    void notApplicable_whenNothingTellsTheGroups() {
        FlightScene scene =
                new FlightScene(2).group("dp", LOW, 40, 42, 40).emptyRing(0).emptyRing(1);
        assertThat(scene.conclude().incidents()).isEmpty();
    }

    @Test
    void fires_withLittleConfidenceForARankWithoutRecord() {
        FlightScene scene = new FlightScene(8)
                .group("dp", RankSet.range(0, 7), 40, 42, 42, 42, 42, 42, 42, 42, 42)
                .group("tp", HIGH, 5, 6, 6)
                .without(3);
        Incident i = only(scene);
        assertThat(i.ranks()).isEqualTo(RankSet.of(3));
        assertThat(i.confidence()).isLessThan(0.55);
    }

    @Test
    void justNot_whenOneGroupAloneMissesARecord() {
        FlightScene scene = new FlightScene(8)
                .group("dp", RankSet.range(0, 7), 40, 42, 42, 42, 42, 42, 42, 42, 42)
                .without(3);
        assertThat(scene.conclude().incidents()).isEmpty();
    }

    @Test
    void notApplicable_whenMostRecordsAreMissing() {
        FlightScene scene = new FlightScene(4)
                .group("dp", FOUR, 40, 42, 42, 42, 42)
                .group("low", LOW, 5, 6, 6)
                .without(1)
                .without(2)
                .without(3);
        assertThat(scene.conclude().incidents()).isEmpty();
    }
}
