package dev.argus.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.Concluded;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Severity;
import dev.argus.simulator.Simulation;
import org.junit.jupiter.api.Test;

/** Loaders are told from CPUs that come late to their loading by how long loading takes, where another rank shows what is usual. */
class LoadersTest {
    private static Concluded concluded(ScenarioKind kind, Severity severity, long seed) {
        JobRecords records = JobRecords.of(Simulation.run(Scenarios.random(seed, kind, severity, 32)));
        return records.conclude(records.steps().getLast());
    }

    /** Rank 0 is the only one of its stage that loads. */
    @Test
    void aStalledLoaderWithoutPeersIsAccused() {
        Concluded c = concluded(ScenarioKind.DATA, Severity.STRONG, 2_700_000);
        assertThat(c.incidents()).extracting(Incident::kind).contains(IncidentKind.DATA_STALL);
        assertThat(c.incidents()).extracting(Incident::ranks).contains(RankSet.of(0));
    }

    /** Rank 0 logs between the steps, and loads as long as the others do. */
    @Test
    void aRankThatComesLateToItsLoadingIsNot() {
        Concluded c = concluded(ScenarioKind.PAIR, Severity.WEAK, 300_001);
        assertThat(c.incidents()).extracting(Incident::kind).containsExactly(IncidentKind.LINK_DEGRADED);
    }
}
