package dev.argus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.NameTable;
import dev.argus.model.RankState;
import dev.argus.model.RankState.ProcessState;
import dev.argus.ring.RingHeader;
import dev.argus.ring.RingWriter;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to the rings and the processes behind them while a collector looks; its clock is the test's own. */
class CollectorTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int STEP_BEGIN = 4;
    private static final int BAD_RANK = 1;

    @TempDir
    private Path temp;

    private final List<IncidentChange> said = new ArrayList<>();
    private final List<RankState> states = new ArrayList<>();
    private final NameTable names = new NameTable();
    private Path rings = Path.of("");
    private Process process;
    private long mono = 1000 * SECOND;
    private Collector collector;
    private boolean defect;

    @BeforeEach
    void aProcessThatOnlyLives() throws IOException {
        rings = Files.createDirectory(
                temp.resolve("rings"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        process = new ProcessBuilder("sleep", "1000").start();
        LocalJobs jobs =
                new LocalJobs(names, Thresholds.DEFAULT, LiveOptions.DEFAULT, (job, change) -> said.add(change));
        collector =
                new Collector(AgentOptions.of(rings).withStacks(0), names, noting(jobs), 1_700_000_000L * SECOND, mono);
    }

    /** The same, and the states are kept. */
    private CollectorSink noting(CollectorSink to) {
        return (CollectorSink) Proxy.newProxyInstance(
                CollectorSink.class.getClassLoader(), new Class<?>[] {CollectorSink.class}, (self, method, given) -> {
                    for (Object each : given == null ? new Object[0] : given) {
                        if (defect && each instanceof RankState state && state.rank() == BAD_RANK) {
                            throw new IllegalStateException("a defect");
                        }
                        if (each instanceof RankState state) {
                            states.add(state);
                        }
                    }
                    return method.invoke(to, given);
                });
    }

    @AfterEach
    void nothingIsLeft() {
        collector.close();
        process.destroyForcibly();
    }

    private RingWriter ring(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        long start = Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);
        return RingWriter.create(
                rings,
                new RingHeader(
                        0,
                        RingHeader.SIMULATED,
                        1 << 12,
                        1,
                        (int) process.pid(),
                        RingHeader.MONOTONIC,
                        start,
                        0,
                        0,
                        1,
                        0));
    }

    private void steps(RingWriter ring, int first, int last) {
        for (int step = first; step <= last; step++) {
            step(ring, step);
            collector.look(mono);
        }
    }

    private void step(RingWriter ring, int step) {
        ring.step(STEP_BEGIN, mono, 0, 1, step);
        ring.step(0, mono, SECOND, 1, step);
        mono += SECOND;
    }

    /** Logging out may clean shared memory up. A process that then ends is not one that stands still. */
    @Test
    void aRingThatIsRemovedIsReadOnAndItsProcessSeenToEnd() throws Exception {
        try (RingWriter ring = ring(process)) {
            steps(ring, 0, 9);
            Files.delete(ring.path());
            steps(ring, 10, 19);
            assertThat(states.getLast().begunStep()).isGreaterThanOrEqualTo(18);
            assertThat(states.getLast().process()).isEqualTo(ProcessState.ALIVE);
            assertThat(collector.problems()).extracting(p -> p.kind()).containsExactly("ring-vanished");
            process.destroyForcibly().waitFor();
            for (int i = 0; i < 100; i++) {
                mono += SECOND;
                collector.look(mono);
            }
            assertThat(states.getLast().process()).isEqualTo(ProcessState.GONE);
            assertThat(collector.processes()).isZero();
            assertThat(said).isEmpty();
        }
    }

    /** One process whose records meet a defect of ours. */
    @Test
    void aDefectEndsTheWatchOverOneProcessOnly() throws Exception {
        Process other = new ProcessBuilder("sleep", "1000").start();
        try (RingWriter ring = ring(process);
                RingWriter bad = ring(other)) {
            defect = true;
            bad.identity(1, 0, BAD_RANK);
            for (int step = 0; step < 20; step++) {
                step(bad, step);
                mono -= SECOND;
                step(ring, step);
                collector.look(mono);
            }
            assertThat(collector.problems()).extracting(p -> p.kind()).containsExactly("internal-error");
            assertThat(collector.processes()).isEqualTo(1);
            assertThat(states.getLast().rank()).isZero();
            assertThat(states.getLast().begunStep()).isGreaterThanOrEqualTo(18);
        } finally {
            other.destroyForcibly();
        }
    }

    /** One rank of four dies, and another process takes its place and counts from the beginning. */
    @Test
    void aRankThatIsReplacedAloneStaysInTheAttemptAndCountsOn() throws Exception {
        List<Process> lives = new ArrayList<>();
        List<RingWriter> writers = new ArrayList<>();
        try {
            for (int rank = 0; rank < 4; rank++) {
                lives.add(new ProcessBuilder("sleep", "1000").start());
                writers.add(ring(lives.getLast()));
                writers.getLast().identity(1, 0, rank);
            }
            together(writers, 500, 509, 0);
            lives.get(3).destroyForcibly().waitFor();
            together(writers.subList(0, 3), 510, 514, 0);
            writers.removeLast().close();
            lives.add(new ProcessBuilder("sleep", "1000").start());
            writers.add(ring(lives.getLast()));
            writers.getLast().identity(1, 0, 3);
            together(writers, 515, 530, 515);
            RankState newest = states.stream()
                    .filter(s -> s.rank() == 3)
                    .reduce((a, b) -> b)
                    .orElseThrow();
            assertThat(newest.attempt()).isZero();
            assertThat(newest.endedStep()).isEqualTo(530);
            assertThat(said).isEmpty();
        } finally {
            writers.forEach(RingWriter::close);
            lives.forEach(Process::destroyForcibly);
        }
    }

    /** Steps of a second that all make together; the last of four counts less by so many. */
    private void together(List<RingWriter> writers, int first, int last, int lessOfLast) {
        for (int step = first; step <= last; step++) {
            for (int i = 0; i < writers.size(); i++) {
                int number = step - (i == 3 ? lessOfLast : 0);
                writers.get(i).step(STEP_BEGIN, mono, 0, 1, number);
                writers.get(i).step(0, mono, SECOND, 1, number);
            }
            mono += SECOND;
            collector.look(mono);
        }
        mono += SECOND / 2;
        collector.look(mono);
    }

    /** One job whose diagnosis meets a defect of ours. */
    @Test
    void aDefectEndsTheDiagnosisOfOneJobOnly() throws Exception {
        LocalJobs jobs = new LocalJobs(
                job -> new LiveJob(
                        names,
                        Thresholds.DEFAULT,
                        LiveOptions.DEFAULT,
                        task -> {
                            if (job.equals("bad")) {
                                throw new IllegalStateException("a defect");
                            }
                            task.run();
                        },
                        2),
                (job, change) -> said.add(change));
        Process other = new ProcessBuilder("sleep", "1000").start();
        try (Collector both = new Collector(AgentOptions.of(rings).withStacks(0), names, jobs, SECOND, mono);
                RingWriter good = ring(process);
                RingWriter bad = ring(other)) {
            good.identity(5, good.name("good"), 0);
            bad.identity(5, bad.name("bad"), 0);
            for (int step = 0; step < 30; step++) {
                step(bad, step);
                mono -= SECOND;
                step(good, step);
                both.look(mono);
            }
            assertThat(both.problems()).singleElement().satisfies(p -> {
                assertThat(p.kind()).isEqualTo("internal-error");
                assertThat(p.detail()).startsWith("job bad is not diagnosed any more, because of a defect of Argus");
            });
            assertThat(jobs.defects()).isEqualTo(1);
            assertThat(jobs.jobs()).containsOnlyKeys("good");
            assertThat(Objects.requireNonNull(jobs.jobs().get("good")).newestStep())
                    .isGreaterThanOrEqualTo(27);
            assertThat(both.processes()).as("both are watched on").isEqualTo(2);
        } finally {
            other.destroyForcibly();
        }
    }

    /** A job was killed while no agent ran, and started again: what it left is not the job that runs. */
    @Test
    void ringsOfDeadProcessesAreTheAttemptBefore() throws Exception {
        Process dead = new ProcessBuilder("sleep", "1000").start();
        try (RingWriter ring = ring(process);
                RingWriter old = ring(dead)) {
            step(old, 7000);
            step(old, 7001);
            step(ring, 0);
            dead.destroyForcibly().waitFor();
            steps(ring, 1, 9);
            assertThat(collector.problems()).isEmpty();
            assertThat(states.getLast().attempt()).isEqualTo(1);
            assertThat(states.getLast().begunStep()).isGreaterThanOrEqualTo(8);
            assertThat(collector.processes()).isEqualTo(1);
            assertThat(said).isEmpty();
        }
    }
}
