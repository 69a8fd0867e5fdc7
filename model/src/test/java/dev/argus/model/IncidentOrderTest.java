package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an operator looks at first. */
class IncidentOrderTest {
    private static Incident incident(String id, IncidentKind kind, IncidentState state, Cost cost) {
        return new Incident(
                id,
                kind,
                Scope.RANK,
                Severity.WARNING,
                0.9,
                Set.of(Level.L2),
                state,
                1,
                null,
                0,
                RankSet.of(1),
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
                cost);
    }

    /** A fault of an hour that costs 2 % is not looked at before one of a minute that costs 30 %, though it has cost more so far. */
    @Test
    void whatCostsMostNowComesFirst() {
        IncidentKind kind = IncidentKind.COMPUTE_STRAGGLER;
        Incident old = incident("old", kind, IncidentState.ONGOING, new Cost(0.015, 4000, 0.02));
        Incident fresh = incident("fresh", kind, IncidentState.OPEN, new Cost(0.001, 200, 0.3));
        Incident unknown = incident("unknown", kind, IncidentState.OPEN, new Cost(0.001, 9000));
        Incident hang = incident("hang", IncidentKind.HANG, IncidentState.ONGOING, new Cost(0.001, 10, 0.2));
        Incident over = incident("over", kind, IncidentState.RESOLVED, new Cost(0.1, 90_000, 0.1));
        Incident sooner = incident("sooner", kind, IncidentState.RESOLVED, new Cost(0.01, 900, 0.9));
        assertThat(Stream.of(sooner, over, unknown, old, fresh, hang).sorted(Incident.URGENT))
                .extracting(Incident::id)
                .containsExactly("hang", "fresh", "old", "unknown", "over", "sooner");
    }

    @Test
    void whatIsLostOfAJobIsCountedInGpus() {
        assertThat(new Cost(0, 0, 0.25).gpusLost(1024)).isEqualTo(256);
        assertThat(new Cost(0.1, 10).gpusLost(1024)).isNaN();
        assertThat(new Cost(0.1, 10, 0.2).ofMeasured(0.05)).isEqualTo(new Cost(0.05, 10, 0.2));
    }
}
