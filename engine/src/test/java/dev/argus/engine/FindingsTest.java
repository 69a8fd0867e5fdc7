package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.Judged.By;
import dev.argus.engine.Judged.Subject;
import org.junit.jupiter.api.Test;

/** What is kept of findings: merged, replaced when judged again, forgotten, and never too many. */
class FindingsTest {
    private record Stretch(int set, int rank, long first, long last) {}

    private final Findings<Stretch> findings = new Findings<>(new Findings.Traits<>(
            s -> new Subject(By.WORK, s.set(), 0),
            Stretch::rank,
            Stretch::first,
            Stretch::last,
            (a, b) -> new Stretch(a.set(), a.rank(), Math.min(a.first(), b.first()), Math.max(a.last(), b.last()))));

    private static Judged judged(By by, int set, long first, long last) {
        return new Judged(0, by, set, 0, first, last);
    }

    @Test
    void stretchesThatTouchAreOneAndOthersStayApart() {
        findings.put(new Stretch(0, 1, 10, 20));
        findings.put(new Stretch(0, 1, 22, 30));
        findings.put(new Stretch(0, 1, 33, 40));
        findings.put(new Stretch(0, 2, 10, 20));
        assertThat(findings)
                .containsExactly(new Stretch(0, 1, 10, 30), new Stretch(0, 1, 33, 40), new Stretch(0, 2, 10, 20))
                .hasSize(3);
    }

    @Test
    void whatIsJudgedAgainReplacesWhatWasSaidOfTheseSteps() {
        findings.put(new Stretch(0, 1, 10, 20));
        findings.put(new Stretch(0, 2, 5, 20));
        findings.put(new Stretch(1, 3, 10, 20));
        findings.withdraw(judged(By.KERNELS, 0, 10, 40));
        findings.withdraw(judged(By.WORK, 7, 10, 40));
        assertThat(findings).hasSize(3);
        findings.withdraw(judged(By.WORK, 0, 10, 40));
        assertThat(findings)
                .as("one of another set, and one that began before")
                .containsExactly(new Stretch(0, 2, 5, 20), new Stretch(1, 3, 10, 20));
    }

    @Test
    void forgetsWhatEndedAndCutsWhatGoesOn() {
        findings.put(new Stretch(0, 1, 10, 20));
        findings.put(new Stretch(0, 1, 30, 50));
        findings.forget(40, s -> new Stretch(s.set(), s.rank(), 40, s.last()));
        assertThat(findings).containsExactly(new Stretch(0, 1, 40, 50)).hasSize(1);
    }

    @Test
    void keepsThreeQuartersOfTheRoomWhenThereAreTooMany() {
        for (int i = 0; i < 8; i++) {
            findings.put(new Stretch(0, i, i, 10 + i));
        }
        assertThat(findings.bound(8)).isZero();
        findings.put(new Stretch(0, 8, 8, 18));
        assertThat(findings.bound(8)).isEqualTo(3);
        assertThat(findings).hasSize(6).allSatisfy(s -> assertThat(s.last()).isGreaterThan(12));
    }

    @Test
    void ofThoseThatEndedTogetherSomeStay() {
        for (int i = 0; i < 9; i++) {
            findings.put(new Stretch(0, i, 1, 10));
        }
        assertThat(findings.bound(8)).isEqualTo(3);
        assertThat(findings).hasSize(6);
    }
}
