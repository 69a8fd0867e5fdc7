package dev.argus.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.NameTable;
import dev.argus.ring.RingConsumer;
import dev.argus.ring.RingDirectory;
import dev.argus.ring.RingDirectory.Entry;
import dev.argus.ring.RingReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job without end whose faults come and go. */
class LiveSimulationTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int RANKS = 64;

    private static LiveSimulation job(long seed, LivePace pace, ScenarioKind... kinds) {
        return new LiveSimulation(LiveJobs.few(RANKS, seed, 0.5), pace, List.of(kinds));
    }

    private static long begin(List<RankStep> step) {
        return step.stream().mapToLong(RankStep::begin).min().orElseThrow();
    }

    @Test
    void theJobIsSlowerWhileAFaultLastsAndAsBeforeAfterwards() {
        for (ScenarioKind kind : LiveSimulation.kinds()) {
            LiveSimulation job = job(5, new LivePace(3, 4, 6), kind);
            List<Long> begins = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                begins.add(begin(job.next()));
            }
            double healthy = (begins.get(2) - begins.get(0)) / 2.0;
            double faulty = (begins.get(7) - begins.get(3)) / 4.0;
            double after = (begins.get(11) - begins.get(8)) / 3.0;

            assertThat(faulty / healthy).as(kind.word()).isGreaterThan(1.02);
            assertThat(after / healthy).as(kind.word()).isBetween(0.99, 1.01);
            assertThat(job.faults()).singleElement().satisfies(f -> {
                assertThat(f.scenario()).isEqualTo(kind);
                assertThat(f.firstStep()).isEqualTo(3);
                assertThat(f.lastStep()).isEqualTo(6);
                assertThat(f.suspects().stream().boxed().toList())
                        .containsAll(f.ranks().stream().boxed().toList());
            });
        }
    }

    @Test
    void everyKindComesOnceBeforeOneComesAgain() {
        LiveSimulation job =
                job(9, new LivePace(0, 1, 0), LiveSimulation.kinds().toArray(ScenarioKind[]::new));
        int kinds = LiveSimulation.kinds().size();
        for (int i = 0; i < kinds; i++) {
            job.next();
        }

        Set<ScenarioKind> found = new HashSet<>();
        job.faults().forEach(f -> found.add(f.scenario()));
        assertThat(found).hasSize(kinds);
    }

    @Test
    void equalSeedsGiveEqualJobs() {
        ScenarioKind[] kinds = LiveSimulation.kinds().toArray(ScenarioKind[]::new);
        LiveSimulation a = job(4, new LivePace(1, 1, 1), kinds);
        LiveSimulation b = job(4, new LivePace(1, 1, 1), kinds);
        LiveSimulation other = job(6, new LivePace(1, 1, 1), kinds);
        for (int i = 0; i < 6; i++) {
            assertThat(begin(a.next())).isEqualTo(begin(b.next()));
            other.next();
        }

        assertThat(a.faults()).isEqualTo(b.faults()).isNotEqualTo(other.faults());
    }

    @Test
    void onlyTheNewestFaultsAreRemembered() {
        LiveFaults faults =
                new LiveFaults(LiveJobs.few(32, 1, 0.5), new LivePace(0, 1, 0), 1e9, List.of(ScenarioKind.COMPUTE));
        for (int step = 0; step < 20; step++) {
            assertThat(faults.before(step)).isNotNull();
        }
        assertThat(faults.before(19)).isNull();
    }

    @Test
    void aLayoutThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> LiveJobs.few(40, 1, 1)).hasMessageContaining("must be a multiple of 16 from 32");
        assertThatThrownBy(() -> new LivePace(0, 0, 1)).hasMessageContaining("1 step or more");
        assertThatThrownBy(() ->
                        job(1, new LivePace(0, 1, 0), ScenarioKind.HEALTHY).next())
                .hasMessageContaining("kind is healthy, must be one of");
    }

    /** Takes everything that lies in the rings of a folder. */
    private static final class Reader {
        private final List<RingReader> rings = new ArrayList<>();

        Reader(Path folder) throws IOException {
            NameTable names = new NameTable();
            for (Entry entry : RingDirectory.of(folder).list(SECOND).rings()) {
                rings.add(RingReader.open(entry.path(), names, SECOND));
            }
        }

        void drain() {
            rings.forEach(r -> r.drain(new RingConsumer() {}, 1 << 16));
        }
    }

    @Test
    void theJobWaitsForWhoReadsIt(@TempDir Path temp) throws IOException {
        LiveSimulation job = job(2, new LivePace(100, 1, 1), ScenarioKind.COMPUTE);
        try (RingOutput out = RingOutput.open(job, temp.resolve("rings"), "demo", SECOND, SECOND)) {
            long now = SECOND;
            for (; now < 20 * SECOND; now += SECOND / 5) {
                out.until(now, now);
            }
            assertThat(out.runningStep()).isEqualTo(-1); // nobody has ever read

            Reader reader = new Reader(temp.resolve("rings"));
            reader.drain();
            for (; now < 40 * SECOND; now += SECOND / 5) {
                out.until(now, now);
            }
            int stopped = out.runningStep();
            assertThat(stopped).isBetween(1, 10); // as many as the rings hold
            assertThat(out.lost()).isZero();

            for (; now < 50 * SECOND; now += SECOND / 5) {
                reader.drain();
                out.until(now, now);
            }
            assertThat(out.runningStep()).isGreaterThan(stopped + 10);
            assertThat(out.lost()).isZero();
        }
    }

    @Test
    void timeInWhichNobodyPlayedIsNotMadeUpFor(@TempDir Path temp) throws IOException {
        LiveSimulation job = job(2, new LivePace(100, 1, 1), ScenarioKind.COMPUTE);
        try (RingOutput out = RingOutput.open(job, temp.resolve("rings"), "demo", SECOND, SECOND)) {
            Reader reader = new Reader(temp.resolve("rings"));
            reader.drain();
            out.until(2 * SECOND, 2 * SECOND);
            int before = out.runningStep();
            reader.drain();
            out.until(8000 * SECOND, 8000 * SECOND);

            assertThat(out.runningStep() - before).isBetween(1, 3);
        }
    }
}
