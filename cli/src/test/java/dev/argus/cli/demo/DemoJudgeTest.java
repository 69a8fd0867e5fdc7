package dev.argus.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.cli.demo.DemoJudge.Judgement;
import dev.argus.cli.demo.DemoJudge.Summary;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Cost;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.simulator.Layout;
import dev.argus.simulator.LiveFault;
import dev.argus.simulator.LiveFault.Match;
import dev.argus.simulator.LiveJobs;
import dev.argus.simulator.ScenarioKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Holding what is said against what was injected. */
class DemoJudgeTest {
    private static final Layout LAYOUT = LiveJobs.few(32, 1, 1).layout();

    /** Rank 5 computes slower in steps 10 to 17. */
    private static final LiveFault FAULT = new LiveFault(
            0,
            ScenarioKind.COMPUTE,
            "compute-straggler",
            RankSet.of(5),
            RankSet.of(5),
            Set.of("node-0001"),
            10,
            17,
            "ranks");

    private final DemoJudge judge = new DemoJudge(LAYOUT);

    private static DemoMoment at(int step) {
        return DemoMoment.of(step, List.of(FAULT));
    }

    private static IncidentChange change(Kind kind, IncidentKind what, String id, RankSet ranks, int from, int to) {
        Incident incident = new Incident(
                id,
                what,
                Scope.RANK,
                Severity.WARNING,
                0.9,
                Set.of(),
                IncidentState.OPEN,
                1,
                null,
                0,
                ranks,
                List.of(),
                List.of(),
                List.of(),
                from,
                to,
                List.of(),
                null,
                "said",
                "because",
                "do",
                List.of(),
                Cost.NONE);
        return new IncidentChange(kind, incident, 1);
    }

    private static IncidentChange opened(IncidentKind kind, int... ranks) {
        return change(Kind.OPENED, kind, "a", RankSet.of(ranks), 10, 12);
    }

    @Test
    void theRightRankAndKindAreRightAndSaidOnce() {
        assertThat(judge.judge(opened(IncidentKind.COMPUTE_STRAGGLER, 5), at(13)))
                .isEqualTo(new Judgement(Match.RIGHT, FAULT, 13, 10))
                .extracting(j -> j == null ? -1 : j.stepsAfter())
                .isEqualTo(3);
        assertThat(judge.judge(opened(IncidentKind.KERNEL_STRAGGLER, 5), at(14)))
                .isNull();
        assertThat(judge.missed(at(100))).isEmpty();
        assertThat(judge.summary()).isEqualTo(new Summary(1, 1, 0, 0, 0, 0, 0, 3));
    }

    @Test
    void anotherKindIsSaidAndMayGetRight() {
        assertThat(judge.judge(opened(IncidentKind.DATA_STALL, 5), at(12)))
                .isEqualTo(new Judgement(Match.OTHER_KIND, FAULT, 12, 10));
        assertThat(judge.summary()).isEqualTo(new Summary(1, 0, 1, 0, 0, 0, 0, -1));
        assertThat(judge.judge(
                        change(Kind.CHANGED, IncidentKind.COMPUTE_STRAGGLER, "a", RankSet.of(5), 10, 14), at(15)))
                .isEqualTo(new Judgement(Match.RIGHT, FAULT, 15, 10));
        assertThat(judge.summary()).isEqualTo(new Summary(1, 1, 0, 1, 0, 0, 0, 5));
    }

    @Test
    void whoAccusesAnInnocentOrSpeaksOfAnotherTimeIsWrong() {
        assertThat(judge.judge(opened(IncidentKind.COMPUTE_STRAGGLER, 6), at(13)))
                .isEqualTo(new Judgement(Match.WRONG, null, 13, 10));
        assertThat(judge.judge(
                        change(Kind.OPENED, IncidentKind.COMPUTE_STRAGGLER, "b", RankSet.of(5, 6), 10, 12), at(13)))
                .isEqualTo(new Judgement(Match.WRONG, null, 13, 10));
        assertThat(judge.judge(change(Kind.OPENED, IncidentKind.COMPUTE_STRAGGLER, "c", RankSet.of(5), 3, 8), at(13)))
                .isEqualTo(new Judgement(Match.WRONG, null, 13, 3));
        assertThat(judge.judge(change(Kind.CHANGED, IncidentKind.COMPUTE_STRAGGLER, "c", RankSet.of(5), 3, 8), at(13)))
                .isNull();
        assertThat(judge.summary()).isEqualTo(new Summary(0, 0, 0, 0, 0, 0, 3, -1));
    }

    @Test
    void whoSaysThatItBeganLongBeforeIsNotRight() {
        Judgement j =
                judge.judge(change(Kind.OPENED, IncidentKind.COMPUTE_STRAGGLER, "a", RankSet.of(5), 4, 12), at(13));
        assertThat(j).isEqualTo(new Judgement(Match.RIGHT, FAULT, 13, 4)).matches(a -> !a.sinceRight());
        assertThat(judge.summary()).isEqualTo(new Summary(1, 1, 0, 0, 1, 0, 0, 3));
        judge.judge(change(Kind.CHANGED, IncidentKind.COMPUTE_STRAGGLER, "a", RankSet.of(5), 10, 14), at(15));
        assertThat(judge.summary()).as("mended").isEqualTo(new Summary(1, 1, 0, 0, 0, 0, 0, 3));
    }

    @Test
    void aFaultThatHasNotBegunIsNotKnown() {
        assertThat(judge.judge(opened(IncidentKind.COMPUTE_STRAGGLER, 5), at(9)))
                .isEqualTo(new Judgement(Match.WRONG, null, 9, 10));
    }

    @Test
    void whatIsOverClaimsNothing() {
        for (Kind kind : List.of(Kind.RESOLVED, Kind.WITHDRAWN, Kind.ENDED)) {
            assertThat(judge.judge(change(kind, IncidentKind.COMPUTE_STRAGGLER, "a", RankSet.of(7), 10, 12), at(13)))
                    .isNull();
        }
    }

    @Test
    void aFaultIsMissedSomeStepsAfterItsEnd() {
        assertThat(judge.missed(at(23))).isEmpty();
        assertThat(judge.missed(at(24))).containsExactly(new Judgement(null, FAULT, 24, -1));
        assertThat(judge.missed(at(25))).isEmpty();
        assertThat(judge.summary()).isEqualTo(new Summary(1, 0, 0, 0, 0, 1, 0, -1));
    }
}
