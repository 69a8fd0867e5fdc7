package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first steps of a job: no two ranks warm up alike, and a fault that is there from the start is there later, too. */
class WarmUpTest {
    private static final RankSet TWO = RankSet.of(2);
    private static final int FIRST_CALL = 8;

    private static FakeJob job(long first) {
        return FakeJob.of(4, 7).withoutGpu().steps(first, 40);
    }

    /** What is said after each step. */
    private static List<Incident> said(FakeJob job) {
        List<Concluded> all = job.live(1);
        return all.stream().flatMap(c -> c.incidents().stream()).toList();
    }

    /** All ranks warm up for two steps, rank 2 for more. */
    private static Consumer<FakeJob.Cell> warm(int steps, double factor) {
        return c -> {
            if (c.step < 2 || (c.rank == 2 && c.step < steps)) {
                c.cpuMillis *= 1 + (factor - 1) * (steps - c.step) / steps;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 12})
    void whoWarmsUpLongerThanOthersIsNotAccused(int steps) {
        assertThat(said(job(0).fault(warm(steps, 6)))).isEmpty();
        assertThat(said(job(0).fault(c -> {
                    if (c.rank == 2 && c.step < steps) {
                        c.dataMillis += 200.0 * (steps - c.step) / steps;
                    }
                })))
                .isEmpty();
    }

    @Test
    void aFaultThatIsThereFromTheStartIsSaidAtOnce() {
        List<Incident> said = said(job(0).fault(2, 0, c -> c.cpuMillis *= 1.3));
        assertThat(said)
                .hasSizeGreaterThan(30)
                .allSatisfy(i -> assertThat(i.ranks()).isEqualTo(TWO));
        assertThat(said.getFirst().firstStep()).isZero();
    }

    @Test
    void aFaultBehindAWarmUpIsSaidWithItsOwnBeginning() {
        List<Concluded> all =
                job(0).fault(warm(4, 6)).fault(2, 10, c -> c.cpuMillis *= 1.5).live(1);
        assertThat(all.subList(FIRST_CALL - 1, 10))
                .allSatisfy(c -> assertThat(c.incidents()).isEmpty());
        assertThat(all.get(12).incidents()).singleElement().satisfies(i -> {
            assertThat(i.ranks()).isEqualTo(TWO);
            assertThat(i.firstStep()).isEqualTo(10);
        });
    }

    /** What was a fault does not become a warm-up when it is over. */
    @Test
    void aFaultFromTheStartThatEndsWasOne() {
        List<Concluded> all = job(0).fault(c -> {
                    if (c.rank == 2 && c.step < 20) {
                        c.cpuMillis *= 1.5;
                    }
                })
                .live(1);
        assertThat(all.get(12).incidents()).hasSize(1);
        assertThat(all.get(30).incidents()).hasSize(1);
    }

    /** The first step seen is no first step of the job, or nobody knows whether it is. */
    @Test
    void notApplicableToAJobSeenFromItsMiddleAndToARecording() {
        Consumer<FakeJob.Cell> early = c -> {
            if (c.rank == 2 && c.step % 100 < 12) {
                c.cpuMillis *= 2;
            }
        };
        assertThat(said(job(100).fault(early))).isNotEmpty();
        assertThat(Stream.of(job(0).fault(early).diagnose()).flatMap(c -> c.incidents().stream()))
                .extracting(Incident::ranks)
                .containsExactly(TWO);
    }
}
