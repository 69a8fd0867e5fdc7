package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Cost;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an operator hears of incidents that come and go. */
class IncidentLivesTest {
    private static final long SECOND = 1_000_000_000L;

    private final IncidentLives lives = new IncidentLives();

    private static Incident incident(String id, Severity severity, IncidentState state, int rank) {
        return new Incident(
                id,
                IncidentKind.STRAGGLER,
                Scope.RANK,
                severity,
                0.9,
                Set.of(),
                state,
                1,
                null,
                0,
                RankSet.of(rank),
                List.of(),
                List.of(),
                List.of(),
                1,
                2,
                List.of(),
                null,
                "it is late",
                "",
                "",
                List.of(),
                Cost.NONE);
    }

    private List<Kind> at(long seconds, Incident... now) {
        return lives.next(List.of(now), seconds * SECOND).stream()
                .map(IncidentChange::kind)
                .toList();
    }

    private static Incident open(Severity severity) {
        return incident("a", severity, IncidentState.ONGOING, 1);
    }

    private static Incident over() {
        return incident("a", Severity.WARNING, IncidentState.RESOLVED, 1);
    }

    @Test
    void anIncidentIsOpenedOnceAndResolvedOnce() {
        assertThat(at(1, open(Severity.WARNING))).containsExactly(Kind.OPENED);
        assertThat(at(2, open(Severity.WARNING))).isEmpty();
        assertThat(at(3, over())).containsExactly(Kind.RESOLVED);
        assertThat(at(4, over())).isEmpty();
    }

    @Test
    void whatFlickersAtAThresholdIsSaidOnce() {
        assertThat(at(1, open(Severity.WARNING))).containsExactly(Kind.OPENED);
        for (int s = 2; s < 40; s += 2) {
            lives.judged(100);
            lives.judged(100);
            assertThat(at(s)).isEmpty();
            assertThat(at(s + 1, open(Severity.WARNING))).isEmpty();
        }
        lives.judged(4);
        lives.judged(4);
        assertThat(at(48)).as("not yet").isEmpty();
        assertThat(at(49)).containsExactly(Kind.WITHDRAWN);
        assertThat(at(50)).isEmpty();
    }

    /** Steps may take a minute, and conclusions too: time alone says nothing. */
    @Test
    void whatNobodyHasJudgedIsNotWithdrawn() {
        at(1, open(Severity.WARNING));
        assertThat(at(1000)).isEmpty();
        lives.judged(100);
        assertThat(at(1001)).as("one conclusion may miss it").isEmpty();
        lives.judged(1);
        assertThat(at(1002)).containsExactly(Kind.WITHDRAWN);
        at(2000, open(Severity.WARNING));
        lives.judged(3);
        lives.judged(4);
        assertThat(at(2100)).as("seven steps").isEmpty();
        lives.judged(1);
        assertThat(at(2101)).containsExactly(Kind.WITHDRAWN);
    }

    @Test
    void whatIsWithdrawnIsOverSinceItWasLastSeen() {
        lives.next(List.of(open(Severity.WARNING)), SECOND);
        lives.next(List.of(open(Severity.WARNING)), 7 * SECOND);
        lives.judged(8);
        lives.judged(8);
        Incident withdrawn = lives.next(List.of(), 17 * SECOND).getFirst().incident();
        assertThat(withdrawn.state()).isEqualTo(IncidentState.RESOLVED);
        assertThat(withdrawn.untilEpochNanos()).isEqualTo(7 * SECOND);
    }

    @Test
    void whatIsOverBeforeItWasSaidBeganFirstAndIsSaidOnce() {
        assertThat(at(1, over())).containsExactly(Kind.OPENED, Kind.RESOLVED);
        for (int s = 2; s < 40; s += 2) {
            assertThat(at(s)).isEmpty();
            assertThat(at(s + 1, over())).isEmpty();
        }
    }

    @Test
    void aHigherSeverityIsAChangeALowerOneIsNot() {
        at(1, open(Severity.WARNING));
        assertThat(at(2, open(Severity.CRITICAL))).containsExactly(Kind.CHANGED);
        assertThat(at(3, open(Severity.WARNING))).isEmpty();
        assertThat(at(4, open(Severity.CRITICAL))).as("it was said").isEmpty();
        assertThat(at(5, incident("a", Severity.CRITICAL, IncidentState.ONGOING, 2)))
                .containsExactly(Kind.CHANGED);
    }

    @Test
    void theEndOfTheJobEndsWhatIsOpen() {
        at(1, open(Severity.WARNING));
        assertThat(lives.end(2 * SECOND, "its processes are gone"))
                .singleElement()
                .satisfies(c -> {
                    assertThat(c.kind()).isEqualTo(Kind.ENDED);
                    assertThat(c.because()).isEqualTo("its processes are gone");
                });
        assertThat(lives.end(3 * SECOND, "")).isEmpty();
    }

    @Test
    void whatComesBackIsOpenedAgain() {
        at(1, open(Severity.WARNING));
        at(2, over());
        assertThat(at(3, open(Severity.WARNING))).containsExactly(Kind.OPENED);
    }
}
