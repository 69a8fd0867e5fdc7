package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Scope;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two attempts of one job, 16 ranks; the second on other GPUs, which differ lastingly. */
class RegressionsTest {
    private static final Map<String, String> OLD = Map.of("nccl_version", "2.26.2", "cuda_runtime_version", "12060");
    private static final Map<String, String> NEW = Map.of("nccl_version", "2.27.3", "cuda_runtime_version", "12060");

    private static Regressions.Attempt attempt(FakeJob job, Map<String, String> software) {
        return new Regressions.Attempt(job.shape(), software, job.diagnose());
    }

    private static FakeJob slower(double by) {
        return FakeJob.of(16, 8).fault(c -> c.compute(by));
    }

    private static Concluded judge(FakeJob after, Map<String, String> software) {
        return new Regressions(Thresholds.DEFAULT).judge(attempt(FakeJob.of(16, 7), OLD), attempt(after, software));
    }

    private static List<Incident> regressions(Concluded c) {
        return Stream.concat(c.incidents().stream(), c.observations().stream())
                .filter(i -> i.kind() == IncidentKind.REGRESSION)
                .toList();
    }

    @Test
    void slowerSinceANewVersion() {
        Concluded c = judge(slower(1.08), NEW);
        assertThat(c.incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.REGRESSION);
            assertThat(i.scope()).isEqualTo(Scope.JOB);
            assertThat(i.ranks().isEmpty()).isTrue();
            assertThat(i.explanation())
                    .contains("nccl_version 2.26.2 to 2.27.3")
                    .doesNotContain("cuda");
            assertThat(i.evidence().getFirst().value()).isCloseTo(1.08, within(0.01));
            assertThat(i.cost().stepRatio()).isBetween(0.04, 0.09);
            assertThat(i.firstStep()).isEqualTo(100);
            assertThat(i.lastStep()).isEqualTo(119);
        });
        assertThat(c.claimedNanos()).isLessThanOrEqualTo(c.measuredNanos());
    }

    /** Other GPUs, not other software: within what a restart does to the centre of 16. */
    @Test
    void justNotSlower() {
        assertThat(regressions(judge(slower(1.004), NEW))).isEmpty();
        assertThat(regressions(judge(slower(1), NEW))).isEmpty();
    }

    @Test
    void aSmallRiseOfAllRanks() {
        assertThat(regressions(judge(slower(1.03), NEW))).hasSize(1);
    }

    /** Sequences of other lengths in every step: compute is told per work. */
    @Test
    void atTheSameWorkWhereSequencesDifferInLength() {
        Pace.Peers before = Pace.Peers.of(lengths(1, 0.97));
        Pace.Peers after = Pace.Peers.of(lengths(1.03, 1.04));
        assertThat(before.slope()).isCloseTo(1, within(0.05));
        double ratio = after.computeNanos() / before.computeNanos() * before.workItems() / after.workItems();
        assertThat(ratio).isCloseTo(1.03, within(0.004));
        assertThat(after.noiseRatio()).isLessThan(0.03);
    }

    private static WorkReference lengths(double slower, double longer) {
        Random random = new Random(9);
        long[] steps = LongStream.range(0, 12).toArray();
        double[] work = LongStream.range(0, 12)
                .mapToDouble(s -> 4096 * longer * (1 + 0.08 * random.nextGaussian()))
                .toArray();
        double[] compute = Arrays.stream(work)
                .map(w -> 10_000 * w * slower * (1 + 0.001 * random.nextGaussian()))
                .toArray();
        double[] none = new double[12];
        return new WorkReference(0, 0, 16, steps, compute, none, compute, work, none, none, 0.08, 0.08);
    }

    @Test
    void fasterIsNoRegression() {
        assertThat(regressions(judge(slower(0.9), NEW))).isEmpty();
    }

    @Test
    void withoutAChangeOfSoftwareNothingIsSaid() {
        assertThat(regressions(judge(slower(1.08), OLD))).isEmpty();
        assertThat(regressions(judge(slower(1.08), Map.of()))).as("not stated").isEmpty();
        assertThat(regressions(judge(slower(1.08), Map.of("torch_version", "2.9"))))
                .as("stated by one attempt only")
                .isEmpty();
    }

    @Test
    void moreWorkIsNoRegression() {
        assertThat(regressions(judge(
                        FakeJob.of(16, 8).fault(c -> {
                            c.compute(1.08);
                            c.work = 1.08;
                        }),
                        NEW)))
                .isEmpty();
    }

    @Test
    void anotherWorldIsNotComparable() {
        assertThat(regressions(judge(FakeJob.of(8, 8).fault(c -> c.compute(1.08)), NEW)))
                .isEmpty();
    }

    @Test
    void oneSlowRankIsNoRegression() {
        Concluded c = judge(FakeJob.of(16, 8).fault(5, 0, x -> x.compute(1.3)), NEW);
        assertThat(regressions(c)).isEmpty();
        assertThat(c.incidents()).isNotEmpty();
    }
}
