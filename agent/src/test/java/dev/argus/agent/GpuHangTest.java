package dev.argus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.simulator.Disturbance;
import dev.argus.simulator.LiveJobs;
import dev.argus.simulator.LivePace;
import dev.argus.simulator.LiveSimulation;
import dev.argus.simulator.LiveStop;
import dev.argus.simulator.LiveStop.Kind;
import dev.argus.simulator.RingOutput;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A simulated job on GPUs that stands still, through rings as producers write them: CPUs run ahead, and the ends of kernels come at once or as CUPTI gives them. */
class GpuHangTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int RANKS = 32;
    private static final int STOP = 24;

    @TempDir
    private Path temp;

    private final List<IncidentChange> said = new ArrayList<>();

    private void watch(@Nullable LiveStop stop, int buffer, int seconds) throws Exception {
        watch(LiveJobs.few(RANKS, 7, 1), stop, buffer, seconds);
    }

    private void watch(Scenario scenario, @Nullable LiveStop stop, int buffer, int seconds) throws Exception {
        LiveSimulation job = new LiveSimulation(scenario, new LivePace(1_000_000, 1, 1), List.of(ScenarioKind.COMPUTE));
        if (stop != null) {
            job.stop(stop);
        }
        NameTable names = new NameTable();
        Path rings = temp.resolve("rings");
        long begin = 1000 * SECOND;
        long epoch = 1_700_000_000L * SECOND;
        LocalJobs jobs =
                new LocalJobs(names, Thresholds.DEFAULT, LiveOptions.DEFAULT, (of, change) -> said.add(change));
        try (RingOutput out = RingOutput.open(job, rings, "job", begin, epoch, buffer);
                Collector collector =
                        new Collector(AgentOptions.of(rings).withStacks(0), names, jobs, epoch, begin - SECOND)) {
            for (long now = begin - SECOND; now < begin + seconds * SECOND; now += SECOND / 10) {
                out.until(now, epoch + now - begin);
                collector.look(now);
            }
            assertThat(out.lost()).isZero();
            assertThat(collector.problems()).isEmpty();
        }
    }

    private List<Incident> hangs() {
        return said.stream()
                .map(IncidentChange::incident)
                .filter(i -> i.kind() == IncidentKind.HANG)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "CPU, 5, 0.5, 0",
        "CPU, 21, 0.2, 600",
        "KERNEL, 6, 0.4, 0",
        "KERNEL, 19, 0.1, 600",
        "COLLECTIVE, 11, 0.6, 0",
        "COLLECTIVE, 30, 0.3, 600",
        "HOST, 8-15, 0.3, 0",
        "HOST, 24-31, 0.5, 600",
    })
    void whoStopsTheJobIsNamed(Kind kind, String ranks, double fraction, int buffer) throws Exception {
        int dash = ranks.indexOf('-');
        RankSet who = dash < 0
                ? RankSet.of(Integer.parseInt(ranks))
                : RankSet.range(
                        Integer.parseInt(ranks.substring(0, dash)), Integer.parseInt(ranks.substring(dash + 1)));
        watch(new LiveStop(kind, who, STOP, fraction), buffer, 150);
        assertThat(hangs()).isNotEmpty();
        said.forEach(
                c -> System.out.println("   " + c.kind() + " " + c.incident().kind() + " "
                        + c.incident().ranks() + " " + c.incident().summary()));
        assertThat(hangs().getLast().ranks()).isEqualTo(who);
        assertThat(hangs())
                .as("nobody else at any time")
                .allMatch(i -> i.ranks().minus(who).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 600})
    void aJobThatGoesOnIsNotSaidToStandStill(int buffer) throws Exception {
        watch(null, buffer, 100);
        assertThat(said).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 600})
    void norIsOneWhoseStepsAreLong(int buffer) throws Exception {
        watch(LiveJobs.few(RANKS, 7, 45), null, buffer, 500);
        assertThat(hangs()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 600})
    void norOneThatEvaluates(int buffer) throws Exception {
        watch(LiveJobs.few(RANKS, 7, 1).with(new Disturbance.Evaluation(80, 20, 15)), null, buffer, 150);
        assertThat(hangs()).isEmpty();
    }

    /** One rank writes for longer than a standstill lasts, and the others wait for it in a collective. */
    @ParameterizedTest
    @ValueSource(ints = {0, 600})
    void norOneThatWritesACheckpoint(int buffer) throws Exception {
        watch(
                LiveJobs.few(RANKS, 7, 1).with(new Disturbance.Regular("checkpoint", 0, 90 * SECOND, 20, 15, true)),
                null,
                buffer,
                200);
        assertThat(hangs()).isEmpty();
    }
}
