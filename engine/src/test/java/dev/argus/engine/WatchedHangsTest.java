package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.RankSet;
import org.junit.jupiter.api.Test;

/** Who is waited for when CPUs run ahead of their GPUs: by what has begun, where that is known. */
class WatchedHangsTest {
    private static final RankSet FOUR = RankSet.range(0, 3);

    /** All wait in 41; how far CPUs ran ahead is chance, and no fault of who ran less far. */
    private static FlightScene ahead() {
        return new FlightScene(4)
                .group("dp", FOUR, 40, 45, 44, 46, 45)
                .begun(0, 41)
                .begun(1, 41)
                .begun(2, 41)
                .begun(3, 41);
    }

    @Test
    void justNot_whenCpusRanAheadUnequallyFar() {
        assertThat(ahead().watched(true).incidents()).isEmpty();
    }

    @Test
    void fires_whenAGpuHasBegunNothingOfWhatItsCpuCalled() {
        Concluded c = ahead().begun(2).watched(true);
        assertThat(c.incidents()).singleElement().satisfies(i -> {
            assertThat(i.ranks()).isEqualTo(RankSet.of(2));
            assertThat(i.summary()).startsWith("rank 2 has not begun on the GPU all_reduce number 41");
            assertThat(i.explanation())
                    .contains("What rank 2 called lies behind work of its own GPU that does not end.");
        });
    }

    /** A group numbered from 0 whose very first collective hangs: to have come to none of it is a fact, and not unknown. */
    @Test
    void fires_whenAGpuHasNotBegunTheFirstCollectiveOfAGroupNumberedFrom0() {
        FlightScene scene = new FlightScene(4).group("dp", FOUR, -1, 1, 1, 2, 1);
        scene.begun(0, 0).begun(1, 0).begun(3, 0);
        assertThat(scene.begun(2).watched(true).incidents()).singleElement().satisfies(i -> {
            assertThat(i.ranks()).isEqualTo(RankSet.of(2));
            assertThat(i.summary()).startsWith("rank 2 has not begun on the GPU all_reduce number 0");
        });
    }

    @Test
    void justNot_whenAllHaveBegunTheFirstCollectiveOfAGroupNumberedFrom0() {
        FlightScene scene = new FlightScene(4).group("dp", FOUR, -1, 1, 1, 2, 1);
        scene.begun(0, 0).begun(1, 0).begun(2, 0).begun(3, 0);
        assertThat(scene.watched(true).incidents()).isEmpty();
    }

    /** Nothing tells how far a rank came whose recorder has no number of the group. */
    @Test
    void notApplicable_whereNoNumberOfTheGroupIsKnown() {
        FlightScene scene = new FlightScene(4).group("dp", FOUR, -1, 1, 1, -1, 1);
        scene.begun(0, 0).begun(1, 0).begun(3, 0);
        assertThat(scene.watched(true).incidents()).isEmpty();
    }

    @Test
    void notApplicable_whereEndsAreNotKnown() {
        FlightScene scene = new FlightScene(4).group("dp", FOUR, 40, 42, 42, 42, 42);
        for (int rank = 0; rank < 4; rank++) {
            scene.begun(rank, rank == 2 ? new long[0] : new long[] {41});
        }
        assertThat(scene.watched(false).incidents()).isEmpty();
    }

    @Test
    void fires_whenACpuHasNotCalledWhatHasBegunElsewhere() {
        FlightScene scene = new FlightScene(4).group("dp", FOUR, 40, 45, 44, 40, 45);
        scene.begun(0, 41).begun(1, 41).begun(3, 41);
        assertThat(scene.watched(true).incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(2)));
    }

    /** The end of a call in the midst of many: only the oldest and the newest are told. */
    @Test
    void fires_forANumberBetweenThoseThatAreTold() {
        FlightScene scene = new FlightScene(2);
        scene.group("dp", RankSet.range(0, 1), 40, 90, 60);
        scene.dropped(0, 50, 80);
        assertThat(scene.watched(false).incidents()).singleElement().satisfies(i -> {
            assertThat(i.ranks()).isEqualTo(RankSet.of(1));
            assertThat(i.summary()).contains("number 61");
        });
    }

    @Test
    void fires_whenOneSeesNoEndOfWhatEndedForTheOthers() {
        FlightScene scene = new FlightScene(4);
        scene.group("dp", FOUR, 41, 42, 42, 42);
        scene.member("dp", CollectiveOp.ALL_REDUCE, FOUR, 3, 40, 42);
        scene.begun(0, 42).begun(1, 42).begun(2, 42).begun(3, 41);
        assertThat(scene.watched(true).incidents()).singleElement().satisfies(i -> {
            assertThat(i.ranks()).isEqualTo(RankSet.of(3));
            assertThat(i.summary()).isEqualTo("rank 3 sees collectives go on for ever that have ended for the others");
        });
        assertThat(scene.watched(false).incidents())
                .as("its end may not have been told")
                .isEmpty();
    }

    // ---------------------------------------------------------------- sends and receives

    private static FlightScene pairs(int answered) {
        RankSet two = RankSet.range(0, 1);
        FlightScene scene = new FlightScene(2).pair("pp", two, 1, CollectiveOp.RECV, 0);
        scene.pair("pp", two, 0, CollectiveOp.SEND, 1);
        return scene.numbered(0, answered);
    }

    @Test
    void fires_whenTheOtherSideIsAtAnEarlierNumber() {
        assertThat(pairs(8).watched(false).incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(0)));
    }

    @Test
    void justNot_whenTheOtherSideIsAtTheSameNumber() {
        assertThat(pairs(9).watched(false).incidents()).isEmpty();
    }

    @Test
    void notApplicable_whenNothingIsOpenThereAndEndsAreNotKnown() {
        RankSet two = RankSet.range(0, 1);
        FlightScene scene = new FlightScene(2).pair("pp", two, 1, CollectiveOp.RECV, 0);
        scene.member("pp", CollectiveOp.ALL_REDUCE, two, 0, 5, 5);
        assertThat(scene.watched(false).incidents()).isEmpty();
        assertThat(scene.watched(true).incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(0)));
    }
}
