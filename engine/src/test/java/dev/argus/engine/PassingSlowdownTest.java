package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Scope;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** All ranks compute longer for some steps, and then as before. */
class PassingSlowdownTest {
    private static Concluded during(long first, long last, Consumer<FakeJob.Cell> what) {
        return FakeJob.of(16, 11)
                .fault(c -> {
                    if (c.step >= first && c.step <= last) {
                        what.accept(c);
                    }
                })
                .diagnose();
    }

    @Test
    void isTheJobs() {
        Concluded said = during(106, 112, c -> c.compute(1.1));
        assertThat(said.incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.GLOBAL_SLOWDOWN);
            assertThat(i.scope()).isEqualTo(Scope.JOB);
            assertThat(i.firstStep()).isEqualTo(106);
            assertThat(i.lastStep()).isEqualTo(112);
            assertThat(i.summary()).contains("on all ranks");
        });
    }

    @Test
    void isFoundAlsoWhereItTakesMostSteps() {
        Concluded said = during(103, 115, c -> c.compute(1.1));
        assertThat(said.incidents())
                .singleElement()
                .extracting(Incident::kind, Incident::firstStep, Incident::lastStep)
                .containsExactly(IncidentKind.GLOBAL_SLOWDOWN, 103L, 115L);
    }

    @Test
    void isNoneWhereThereIsMoreToDo() {
        Concluded said = during(106, 112, c -> {
            c.compute(1.1);
            c.work = 1.1;
        });
        assertThat(said.incidents()).isEmpty();
    }

    @Test
    void isNoneInFewStepsOrByLittle() {
        assertThat(during(106, 108, c -> c.compute(1.1)).incidents()).isEmpty();
        assertThat(during(106, 108, c -> c.compute(1.2)).incidents()).hasSize(1);
        assertThat(during(106, 112, c -> c.compute(1.02)).incidents()).isEmpty();
    }
}
