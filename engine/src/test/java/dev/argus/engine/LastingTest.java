package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Topology;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A host that is a little slower for good is observed, and hides nothing that happens to its ranks or to the job. Three hosts of eight ranks. */
class LastingTest {
    private static final RankSet HOST = RankSet.range(8, 15);
    private static final int SINCE = 108;

    private static Concluded diagnose(Consumer<FakeJob.Cell> more) {
        return FakeJob.of(24, 11)
                .topology(Topology.ofText("dp=24", "given"))
                .fault(c -> {
                    if (HOST.contains(c.rank)) {
                        c.compute(1.02);
                    }
                    more.accept(c);
                })
                .diagnose();
    }

    private static boolean isState(Incident i) {
        return HOST.containsAll(i.ranks())
                && i.ranks().size() >= 4
                && i.advice().startsWith("Nothing to act on");
    }

    @Test
    void itIsObserved() {
        Concluded said = diagnose(c -> {});
        assertThat(said.incidents()).isEmpty();
        assertThat(said.observations()).anyMatch(LastingTest::isState);
    }

    @Test
    void launchesThatGetSlowAreSaidBesideIt() {
        Concluded said = diagnose(c -> {
            if (HOST.contains(c.rank) && c.step >= SINCE) {
                c.launch = 1.3;
                c.gap(3, false, "");
            }
        });
        assertThat(said.observations()).anyMatch(LastingTest::isState);
        assertThat(said.incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.HOST_CONTENTION);
            assertThat(i.summary()).contains("to launch the same kernels");
        });
    }

    @Test
    void allRanksThatGetSlowerAreSaidBesideIt() {
        Concluded said = diagnose(c -> c.compute(c.step >= SINCE ? 1.1 : 1));
        assertThat(said.incidents()).singleElement().extracting(Incident::kind).isEqualTo(IncidentKind.GLOBAL_SLOWDOWN);
    }

    /** A long step that nobody is accused of is told, though the state holds in it, too. */
    @Test
    void itDisturbsNoStep() {
        Suspect s = new Suspect(IncidentKind.COMPUTE_STRAGGLER, Scope.HOST, HOST, "host1");
        s.observation = true;
        s.claims.putAll(Map.of(1L, 0.0, 2L, 0.0));
        s.standingNanos = 10;
        assertThat(s.isState()).isTrue();
        assertThat(s.disturbed()).isEmpty();
        s.claim(2, 5);
        assertThat(s.disturbed()).isEqualTo(Set.of(2L));
    }
}
