package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What is recorded around an incident. */
class ExcerptChoiceTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 1_000 * SECOND;

    private static Incident of(long sinceNanos, int... ranks) {
        return new Incident(
                "a",
                IncidentKind.STRAGGLER,
                Scope.RANK,
                Severity.WARNING,
                0.9,
                Set.of(),
                IncidentState.OPEN,
                sinceNanos,
                null,
                0,
                RankSet.of(ranks),
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

    private static RankSet ranks(RankSet among, int... accused) {
        return ExcerptChoice.of(of(NOW, accused), null, among, NOW).ranks();
    }

    @Test
    void suspectsAndTheirNeighboursWhereThereIsARecordOfThem() {
        assertThat(ranks(RankSet.range(0, 16), 5)).isEqualTo(RankSet.of(4, 5, 6));
        assertThat(ranks(RankSet.range(8, 16), 5)).as("peers alone").isEqualTo(RankSet.of(8, 9));
        assertThat(ranks(RankSet.range(0, 16), 1, 2, 3, 4, 5, 6, 7, 8).size()).isEqualTo(8);
        assertThat(ranks(RankSet.EMPTY, 5)).isEqualTo(RankSet.EMPTY);
        assertThat(ranks(RankSet.range(0, 3))).as("nobody accused: any two").isEqualTo(RankSet.of(0, 1));
    }

    @Test
    void fromBeforeItBeganUntilNowAndNoLongerThanAMinute() {
        ExcerptChoice fresh = ExcerptChoice.of(of(NOW - 3 * SECOND, 1), null, RankSet.of(1), NOW);
        assertThat(fresh.fromNanos()).isEqualTo(NOW - 8 * SECOND);
        assertThat(fresh.toNanos()).isEqualTo(NOW);
        assertThat(ExcerptChoice.of(of(NOW - 300 * SECOND, 1), null, RankSet.of(1), NOW)
                        .fromNanos())
                .isEqualTo(NOW - 60 * SECOND);
        assertThat(ExcerptChoice.of(of(NOW + 300 * SECOND, 1), null, RankSet.of(1), NOW)
                        .fromNanos())
                .as("a clock that is ahead")
                .isEqualTo(NOW - 5 * SECOND);
        assertThat(ExcerptChoice.of(of(0, 1), null, RankSet.of(1), SECOND).fromNanos())
                .isZero();
    }
}
