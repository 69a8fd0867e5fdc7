package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which accusations are the same incident, and which are remembered. */
class IncidentRegisterTest {
    private final IncidentRegister register = new IncidentRegister();

    private static Suspect suspect(IncidentKind kind, RankSet ranks, long first, long last) {
        Suspect s = new Suspect(kind, Scope.RANK, ranks, "");
        s.claim(first, 1);
        s.claim(last, 1);
        return s;
    }

    private Map<Suspect, IncidentRegister.Life> known(Suspect... suspects) {
        return register.known(List.of(suspects));
    }

    private void said(Suspect s, long id) {
        register.note(s, known(s).get(s), id, 0, true, Long.MIN_VALUE);
        register.concluded(0);
    }

    @Test
    void theSameRanksSoonAfterAreTheSameIncident() {
        said(suspect(IncidentKind.CPU_STALL, RankSet.of(5), 10, 20), 77);
        Suspect soon = suspect(IncidentKind.CPU_STALL, RankSet.of(5), 20 + IncidentRegister.RETURN_STEPS, 120);
        Suspect late = suspect(IncidentKind.CPU_STALL, RankSet.of(5), 21 + IncidentRegister.RETURN_STEPS, 120);
        Suspect other = suspect(IncidentKind.CPU_STALL, RankSet.of(6), 10, 20);
        assertThat(known(soon)).containsKey(soon);
        assertThat(known(late)).isEmpty();
        assertThat(known(other)).isEmpty();
    }

    @Test
    void anotherKindOnLikeRanksIsTheSameIncidentForLessLong() {
        said(suspect(IncidentKind.CPU_STALL, RankSet.of(5), 10, 20), 77);
        Suspect soon = suspect(IncidentKind.DATA_STALL, RankSet.of(5), 20 + IncidentRegister.HOLD_STEPS, 60);
        Suspect late = suspect(IncidentKind.DATA_STALL, RankSet.of(5), 21 + IncidentRegister.HOLD_STEPS, 60);
        assertThat(known(soon)).containsKey(soon);
        assertThat(known(late)).isEmpty();
    }

    @Test
    void anObservationLendsItsIdAndNotItsBeginning() {
        Suspect hiccup = suspect(IncidentKind.CPU_STALL, RankSet.of(5), 10, 12);
        register.note(hiccup, null, 77, 1000, false, Long.MIN_VALUE);
        Suspect fault = suspect(IncidentKind.CPU_STALL, RankSet.of(5), 20, 24);
        IncidentRegister.Life life = register.note(fault, known(fault).get(fault), 78, 2000, true, Long.MIN_VALUE);
        assertThat(life.id()).isEqualTo(77);
        assertThat(life.firstStep()).isEqualTo(20);
        assertThat(life.sinceNanos()).isEqualTo(2000);
        Suspect earlier = suspect(IncidentKind.CPU_STALL, RankSet.of(5), 22, 30);
        assertThat(register.note(earlier, life, 79, 3000, true, Long.MIN_VALUE).firstStep())
                .as("what was raised keeps its beginning")
                .isEqualTo(20);
    }

    @Test
    void whatComesBackAgainAndAgainTakesLongerToEnd() {
        long step = 100;
        IncidentRegister.Life life = null;
        for (int back = 0; back < 40; back++) {
            Suspect s = suspect(IncidentKind.CPU_STALL, RankSet.of(5), step, step + 2);
            life = register.note(s, life, 77, 0, true, Long.MIN_VALUE);
            assertThat(life.id()).isEqualTo(77);
            assertThat(life.holdSteps())
                    .isEqualTo(
                            back == 0 ? IncidentRegister.HOLD_STEPS : back == 1 ? 32 : IncidentRegister.RETURN_STEPS);
            step += 2 + IncidentRegister.RETURN_STEPS;
        }
        Suspect within = suspect(IncidentKind.CPU_STALL, RankSet.of(6), 100, 102);
        IncidentRegister.Life first = register.note(within, null, 78, 0, true, Long.MIN_VALUE);
        within = suspect(IncidentKind.CPU_STALL, RankSet.of(6), 102 + IncidentRegister.HOLD_STEPS, 140);
        assertThat(register.note(within, first, 79, 0, true, Long.MIN_VALUE).returns())
                .as("it had not ended")
                .isZero();
    }

    @Test
    void whatIsLearntLaterChangesNeitherIdNorBeginning() {
        said(suspect(IncidentKind.COMPUTE_STRAGGLER, RankSet.of(5), 10, 20), 77);
        said(suspect(IncidentKind.THERMAL_DRIFT, RankSet.of(5), 14, 30), 78);
        assertThat(register.lives()).singleElement().satisfies(l -> {
            assertThat(l.id()).isEqualTo(77);
            assertThat(l.firstStep()).isEqualTo(10);
            assertThat(l.lastStep()).isEqualTo(30);
            assertThat(l.kind()).isEqualTo(IncidentKind.THERMAL_DRIFT);
        });
        Suspect link = suspect(IncidentKind.LINK_DEGRADED, RankSet.of(5), 20, 30);
        assertThat(known(link)).as("another sort of trouble").isEmpty();
    }

    /** Of an incident that lasts longer than detectors look back the price is that of all its steps. */
    @Test
    void whatWasPaidBeforeTheHorizonIsKept() {
        IncidentRegister.Life life = null;
        for (long newest = 10; newest <= 2000; newest += 10) {
            Suspect s = new Suspect(IncidentKind.CPU_STALL, Scope.RANK, RankSet.of(5), "");
            for (long step = Math.max(1, newest - 511); step <= newest; step++) {
                s.claim(step, 4);
                s.costNanos += 3; // the price is lower than the claim
            }
            life = register.note(s, life, 77, 0, true, newest - 256);
            assertThat(life.costNanos(s)).isCloseTo(3.0 * newest, within(1e-6));
        }
    }

    /** What was observed before an incident is not paid by it. */
    @Test
    void aPriceBeginsWithWhatWasRaised() {
        Suspect hiccup = suspect(IncidentKind.CPU_STALL, RankSet.of(5), 10, 12);
        hiccup.costNanos = 50;
        IncidentRegister.Life observed = register.note(hiccup, null, 77, 1000, false, 12);
        assertThat(observed.costNanos(hiccup)).isEqualTo(50);
        Suspect fault = suspect(IncidentKind.CPU_STALL, RankSet.of(5), 20, 24);
        fault.costNanos = 8;
        assertThat(register.note(fault, observed, 78, 2000, true, 20).costNanos(fault))
                .isEqualTo(8);
    }

    @Test
    void twoSuspectsAreTwoIncidents() {
        said(suspect(IncidentKind.CPU_STALL, RankSet.of(5), 10, 20), 77);
        Suspect same = suspect(IncidentKind.CPU_STALL, RankSet.of(5), 10, 22);
        Suspect second = suspect(IncidentKind.DATA_STALL, RankSet.of(5), 12, 22);
        assertThat(known(second, same)).containsOnlyKeys(same);
    }

    /** What rotates is an incident, what wanders beside it an observation; both accuse nobody. */
    @Test
    void anObservationDoesNotTakeTheIdOfAnIncident() {
        said(suspect(IncidentKind.CPU_STALL, RankSet.EMPTY, 10, 20), 77);
        Suspect wanders = suspect(IncidentKind.CPU_STALL, RankSet.EMPTY, 10, 30);
        wanders.observation = true;
        register.note(wanders, null, 78, 0, false, Long.MIN_VALUE);
        Suspect rotates = suspect(IncidentKind.CPU_STALL, RankSet.EMPTY, 12, 30);
        assertThat(known(wanders, rotates).get(rotates)).returns(77L, IncidentRegister.Life::id);
        assertThat(known(wanders, rotates).get(wanders)).returns(78L, IncidentRegister.Life::id);
        assertThat(known(rotates).get(rotates)).as("alone, too").returns(77L, IncidentRegister.Life::id);
        assertThat(known(wanders).get(wanders)).as("alone, too").returns(78L, IncidentRegister.Life::id);
    }

    @Test
    void observationsMakeRoomForIncidents() {
        said(suspect(IncidentKind.CPU_STALL, RankSet.of(5), 10, 20), 77);
        for (int i = 0; i < IncidentRegister.MOST + 10; i++) {
            register.note(
                    suspect(IncidentKind.CPU_STALL, RankSet.of(100 + i), 10, 20), null, i, 0, false, Long.MIN_VALUE);
        }
        register.concluded(0);
        assertThat(register.lives()).hasSize(IncidentRegister.MOST).anyMatch(l -> l.id() == 77);
        register.concluded(21);
        assertThat(register.lives()).as("ended before").isEmpty();
    }
}
