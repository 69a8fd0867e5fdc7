package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.JobBuilder;
import dev.argus.digest.clocks.ClockMeetings;
import dev.argus.model.HostClock;
import dev.argus.model.JobShape;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clocks of the hosts of a job that goes on. */
class LiveClocksTest {
    private static final long SECOND = 1_000_000_000L;

    /** A simulated job on two hosts or more whose collectives join them. */
    private static final class Job {
        final Played played;
        final JobShape shape;

        Job(int seed) {
            played = new Played(Scenarios.draw(Wish.of(seed, ScenarioKind.HEALTHY)
                    .maxRanks(32)
                    .noise(NoiseLevel.QUIET)
                    .firstStep(0)
                    .stepCount(30)));
            JobBuilder builder = new JobBuilder(0, played.names);
            Declared declared = new Declared();
            played.ranks.values().forEach(declared::put);
            declared.tell(builder);
            shape = builder.build(null);
        }

        List<HostClock> whole() {
            ClockMeetings meetings = new ClockMeetings(shape);
            for (Map<Integer, RankStep> step : played.steps.values()) {
                step.values().forEach(s -> meetings.take(s.digest()));
                meetings.endStep();
            }
            return meetings.align().clocks();
        }

        JobStep step(long number) {
            return new JobStep(0, number, List.copyOf(played.of(number).values()));
        }
    }

    private static Job job() {
        for (int seed = 1; seed < 100; seed++) {
            Job job = new Job(seed);
            List<HostClock> clocks = job.whole();
            if (clocks.size() > 1 && clocks.stream().allMatch(HostClock::isAligned)) {
                return job;
            }
        }
        throw new AssertionError("no job of several hosts");
    }

    @Test
    void alignedAsTheWholeOfItWouldBe() {
        Job job = job();
        LiveClocks clocks = new LiveClocks();
        assertThat(clocks.clocks(0)).isEmpty();
        for (long step = 0; step < 30; step++) {
            clocks.take(job.step(step), job.shape, step * SECOND);
        }
        assertThat(clocks.clocks(30 * SECOND)).isEqualTo(job.whole());
    }

    @Test
    void looksAtAStepASecondAndAlignsTwiceAMinuteAndForgetsWhatIsOld() {
        Job job = job();
        LiveClocks clocks = new LiveClocks();
        for (int i = 0; i < 30; i++) {
            clocks.take(job.step(i), job.shape, i); // all within a few nanoseconds: one is looked at
        }
        assertThat(clocks.clocks(30))
                .allSatisfy(c -> assertThat(c.meetings())
                        .isLessThan(job.whole().stream()
                                .mapToInt(HostClock::meetings)
                                .max()
                                .orElse(0)));
        List<HostClock> first = clocks.clocks(30);
        for (int i = 1; i < 20; i++) {
            clocks.take(job.step(i), job.shape, i * SECOND);
        }
        assertThat(clocks.clocks(20 * SECOND)).as("not yet").isEqualTo(first);
        List<HostClock> then = clocks.clocks(31 * SECOND);
        assertThat(then)
                .isNotEqualTo(first)
                .allSatisfy(c -> assertThat(c.isAligned()).isTrue());
        clocks.take(job.step(20), job.shape, LiveClocks.SPAN_NANOS);
        assertThat(clocks.clocks(LiveClocks.SPAN_NANOS + SECOND))
                .as("what is new does not tell as much yet")
                .isEqualTo(then);
        clocks.take(job.step(21), null, LiveClocks.SPAN_NANOS + 2 * SECOND);
        assertThat(clocks.clocks(LiveClocks.SPAN_NANOS + 2 * SECOND)).isEqualTo(then);
    }

    @Test
    void anotherShapeHasOtherClocks() {
        Job job = job();
        LiveClocks clocks = new LiveClocks();
        List<HostClock> all = new ArrayList<>();
        for (long step = 0; step < 10; step++) {
            clocks.take(job.step(step), job.shape, step * SECOND);
        }
        all.addAll(clocks.clocks(40 * SECOND));
        assertThat(all).isNotEmpty();
        Job other = new Job(1);
        clocks.take(other.step(0), other.shape, 41 * SECOND);
        ClockMeetings fresh = new ClockMeetings(other.shape);
        other.played.of(0).values().forEach(s -> fresh.take(s.digest()));
        fresh.endStep();
        assertThat(clocks.clocks(41 * SECOND)).isEqualTo(fresh.align().clocks());
    }
}
