package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A fault that comes and goes is one. */
class SpellsTest {
    private static Suspect suspect(int rank, IncidentKind kind, long first, long last) {
        Suspect s = new Suspect(kind, Scope.RANK, RankSet.of(rank), "");
        s.claim(first, 5);
        s.claim(last, 5);
        s.activeSteps = 2;
        s.costNanos = 10;
        return s;
    }

    private static Suspect suspect(int rank, long first, long last) {
        return suspect(rank, IncidentKind.CPU_STALL, first, last);
    }

    @Test
    void spellsOfTheSameRanksAreOneToldByTheNewest() {
        Suspect newest = suspect(5, 90, 95);
        Suspect oldest = suspect(5, 10, 20);
        Suspect other = suspect(6, 30, 31);
        Suspect middle = suspect(5, 84, 85);
        List<Suspect> joined = Spells.joined(List.of(newest, oldest, other, middle), s -> true);
        assertThat(joined).containsExactly(newest, other);
        assertThat(newest.firstStep()).isEqualTo(10);
        assertThat(newest.lastStep()).isEqualTo(95);
        assertThat(newest.costNanos).isEqualTo(30);
        assertThat(newest.activeSteps).isEqualTo(6);
    }

    @Test
    void whatIsFurtherApartOrOfAnotherKindIsNot() {
        Suspect a = suspect(5, 10, 20);
        Suspect b = suspect(5, 21 + IncidentRegister.RETURN_STEPS, 90);
        Suspect c = suspect(5, IncidentKind.DATA_STALL, 22, 25);
        assertThat(Spells.joined(List.of(a, b, c), s -> true)).containsExactly(a, b, c);
        assertThat(b.firstStep()).isEqualTo(21 + IncidentRegister.RETURN_STEPS);
    }

    @Test
    void aHiccupBeforeAFaultIsNoSpellOfIt() {
        Suspect hiccup = suspect(5, 10, 11);
        Suspect fault = suspect(5, 20, 30);
        assertThat(Spells.joined(List.of(hiccup, fault), s -> s == fault)).containsExactly(hiccup, fault);
        assertThat(fault.firstStep()).isEqualTo(20);
    }
}
