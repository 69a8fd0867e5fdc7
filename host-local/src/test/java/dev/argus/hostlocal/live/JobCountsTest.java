package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Cost;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is counted of a job. */
class JobCountsTest {
    private static Incident costing(String id, double gpuSeconds) {
        return new Incident(
                id,
                IncidentKind.STRAGGLER,
                Scope.RANK,
                Severity.WARNING,
                0.9,
                Set.of(),
                IncidentState.OPEN,
                1,
                null,
                0,
                RankSet.of(3),
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
                new Cost(0.1, gpuSeconds));
    }

    private static JobCounts restarted(JobCounts counts) {
        WireWriter to = new WireWriter();
        counts.write(to);
        JobCounts again = new JobCounts();
        again.read(new WireReader(to.toByteArray()));
        return again;
    }

    @Test
    void aRestartChangesNothingByTheLeast() {
        Random random = new Random(1);
        JobCounts counts = new JobCounts();
        double before = 0;
        for (int i = 0; i < JobCounts.MOST_INCIDENTS + 500; i++) {
            counts.price(costing("i" + i, 1.3501069243598172 * random.nextDouble()));
            counts.price(costing("i" + random.nextInt(i + 1), random.nextDouble()));
            assertThat(counts.lostGpuSeconds()).isGreaterThanOrEqualTo(before);
            before = counts.lostGpuSeconds();
            if (i % 100 == 0) {
                counts = restarted(counts);
                assertThat(counts.lostGpuSeconds()).isEqualTo(before);
            }
        }
    }
}
