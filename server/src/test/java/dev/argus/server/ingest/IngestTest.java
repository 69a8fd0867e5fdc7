package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.RankSet;
import dev.argus.model.RankState;
import dev.argus.model.SafeText;
import dev.argus.server.job.JobView;
import dev.argus.simulator.Dialect;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Wish;
import dev.argus.storage.Rows;
import dev.argus.testkit.Eventually;
import dev.argus.transport.CommandSource;
import dev.argus.wire.ShipmentReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IngestTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE / 4;
    private static final int FIRST = 100;
    private static final String JOB = "a job <b>/\u202e";

    private final MemoryStore store = new MemoryStore();
    private final AtomicLong now = new AtomicLong(1_790_000_000L * SECOND);
    private final List<String> problems = new ArrayList<>();
    private final List<Ingest> begun = new ArrayList<>();

    private static Scenario scenario(ScenarioKind kind, int steps) {
        return Scenarios.draw(wish(kind, steps));
    }

    private static Wish wish(ScenarioKind kind, int steps) {
        return Wish.of(77, kind)
                .maxRanks(16)
                .noise(NoiseLevel.QUIET)
                .firstStep(FIRST)
                .stepCount(steps)
                .onset(FIRST + 20)
                .duration(8)
                .rank(2);
    }

    /** Checkpoints only when the test takes one. */
    private Ingest start(long queueBytes) throws IOException {
        Ingest ingest = new Ingest(
                new Ingest.Limits(4, 1000, queueBytes, 1 << 20, NEVER),
                LiveOptions.DEFAULT,
                store,
                new ServerClock(now::get, now::get),
                CommandSource.NONE,
                (job, incident, text) -> {},
                Map.of(),
                problems::add);
        begun.add(ingest);
        problems.addAll(ingest.restore());
        return ingest;
    }

    @AfterEach
    void stop() {
        begun.forEach(Ingest::abandon);
    }

    private void step(Ingest ingest, PlayedHosts hosts, long step) throws InterruptedException {
        hosts.make(step, now.get());
        hosts.send(ingest.receiver());
        now.addAndGet(SECOND);
        reached(ingest, step);
    }

    private static void reached(Ingest ingest, long step) throws InterruptedException {
        Eventually.holds(
                "step " + step,
                () -> ingest.fleet().job(JOB).map(JobView::newestStep).orElse(-1L) >= step);
    }

    private static List<String> told(List<Rows.Incident> rows) {
        return rows.stream()
                .map(r -> r.change() + " " + r.kind() + " " + r.ranks() + " " + r.id())
                .toList();
    }

    @Test
    void aJobIsJudgedAndWhatIsKnownOfItIsShown() throws Exception {
        Ingest ingest = start(1L << 30);
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.COMPUTE, 50));
        hosts.declare(now.get());
        for (long step : hosts.steps.keySet()) {
            step(ingest, hosts, step);
        }
        JobView view = ingest.fleet().job(JOB).orElseThrow();
        assertThat(view.reporting().size()).isEqualTo(hosts.ranks.size());
        assertThat(view.silent()).isEqualTo(RankSet.EMPTY);
        assertThat(view.expected()).isEqualTo(hosts.ranks.size());
        assertThat(view.agents().keySet()).containsExactlyInAnyOrder("host0", "host1");
        assertThat(view.last()).isNotNull();
        assertThat(view.usualNanos()).isPositive();
        assertThat(view.losses()).isEmpty();
        assertThat(ingest.checkpoint()).isTrue();
        assertThat(store.incidents()).anySatisfy(r -> {
            assertThat(r.change()).isEqualTo("opened");
            assertThat(r.ranks()).isEqualTo("2");
            assertThat(r.document()).startsWith("{\"id\":\"" + r.id());
        });
        assertThat(store.pictures())
                .as("of its kernels, for those who come when it is over")
                .isNotEmpty()
                .allSatisfy(p -> {
                    assertThat(p.incident())
                            .isEqualTo(store.incidents().getFirst().id());
                    assertThat(p.document())
                            .contains(p.kind().equals("kernels") ? "\"suspect\":true" : "\"accused\":true");
                });
        assertThat(store.pictures()).extracting(Rows.Picture::kind).contains("kernels", "waits");
        assertThat(store.rankSteps()).hasSize(hosts.ranks.size() * hosts.steps.size());
        assertThat(store.losses()).isEmpty();
    }

    /** What was acknowledged is there once, whatever was judged before the end came; and the same incidents are told. */
    @Test
    void aServerThatIsKilledGoesOnWhereItsLastCheckpointWas() throws Exception {
        List<String> undisturbed;
        {
            Ingest ingest = start(1L << 30);
            PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.COMPUTE, 50));
            hosts.declare(now.get());
            for (long step : hosts.steps.keySet()) {
                step(ingest, hosts, step);
            }
            ingest.checkpoint();
            undisturbed = told(store.incidents());
            store.batches.clear();
        }
        assertThat(undisturbed).isNotEmpty();
        Ingest ingest = start(1L << 30);
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.COMPUTE, 50));
        hosts.declare(now.get());
        for (long step : hosts.steps.keySet()) {
            step(ingest, hosts, step);
            if (step % 7 == 3) {
                ingest.checkpoint();
                hosts.send(ingest.receiver());
            }
            if (step % 7 == 6) {
                ingest.abandon(); // three steps judged since, none of them kept
                now.addAndGet(3600 * SECOND); // and nobody was there for an hour
                ingest = start(1L << 30);
                hosts.send(ingest.receiver());
                reached(ingest, step);
            }
        }
        ingest.checkpoint();
        hosts.send(ingest.receiver());
        assertThat(problems).isEmpty();
        assertThat(hosts.hosts).allSatisfy(h -> assertThat(h.kept).isEmpty());
        List<Rows.RankStep> rows = store.rankSteps();
        assertThat(rows.stream().map(r -> r.rank() + "/" + r.step()))
                .doesNotHaveDuplicates()
                .hasSize(hosts.ranks.size() * hosts.steps.size());
        assertThat(store.losses()).isEmpty();
        assertThat(told(store.incidents())).isEqualTo(undisturbed);
        assertThat(ingest.fleet().job(JOB).orElseThrow().silent().isEmpty()).isTrue();
    }

    private static RankState state(int rank, RankState.ProcessState process, long atNanos) {
        return new RankState(0, rank, atNanos, process, atNanos, FIRST, atNanos, FIRST, atNanos, -1, 0);
    }

    private static JobView viewWhen(Ingest ingest, String what, Predicate<JobView> holds) throws InterruptedException {
        Eventually.holds(what, () -> ingest.fleet().job(JOB).filter(holds).isPresent());
        return ingest.fleet().job(JOB).orElseThrow();
    }

    /** Missing is not healthy: whose process was killed does not report, however lively the agents are. */
    @Test
    void ranksWhoseProcessesAreGoneDoNotReport() throws Exception {
        for (RankState.ProcessState end : List.of(RankState.ProcessState.GONE, RankState.ProcessState.ENDED)) {
            store.batches.clear();
            Ingest ingest = start(1L << 30);
            PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.COMPUTE, 50));
            hosts.declare(now.get());
            for (long step : hosts.steps.keySet()) {
                step(ingest, hosts, step);
            }
            int ranks = hosts.ranks.size();
            assertThat(ingest.fleet().job(JOB).orElseThrow().gone()).isEqualTo(JobView.Gone.NONE);
            hosts.tell(0, state(0, end, now.get()), now.get());
            hosts.send(ingest.receiver());
            JobView one = viewWhen(ingest, "one is gone", v -> v.gone().ranks().size() == 1);
            assertThat(one.reporting()).isEqualTo(RankSet.range(1, ranks - 1));
            assertThat(one.silent()).isEqualTo(RankSet.EMPTY);
            assertThat(one.ended()).isFalse();
            assertThat(one.gone().how()).isEmpty();
            for (int rank = 1; rank < ranks; rank++) {
                hosts.tell(rank, state(rank, end, now.get()), now.get());
            }
            hosts.send(ingest.receiver());
            JobView all = viewWhen(ingest, "all are gone", JobView::ended);
            assertThat(all.reporting()).isEqualTo(RankSet.EMPTY);
            assertThat(all.silent()).isEqualTo(RankSet.EMPTY);
            assertThat(all.gone().ranks()).isEqualTo(RankSet.range(0, ranks - 1));
            boolean said = end == RankState.ProcessState.ENDED;
            assertThat(all.gone().said()).isEqualTo(said);
            assertThat(all.gone().how())
                    .contains(said ? "have said that they end" : "gone without having said that they end");
            ingest.abandon();
        }
    }

    /** Of whose agent nothing is heard nothing is said; and a restart does not make anybody heard. */
    @Test
    void ranksOfAnAgentThatIsNotHeardAreSilentAlsoAfterARestart() throws Exception {
        Ingest ingest = start(1L << 30);
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.HEALTHY, 30));
        hosts.declare(now.get());
        step(ingest, hosts, FIRST);
        int ranks = hosts.ranks.size();
        long heard = ingest.fleet().job(JOB).orElseThrow().heardNanos();
        for (long left = JobView.SILENT_NANOS + SECOND; left > 0; left -= SECOND) {
            now.addAndGet(SECOND);
        }
        hosts.tell(0, state(0, RankState.ProcessState.ALIVE, now.get()), now.get());
        hosts.send(ingest.receiver());
        JobView half = viewWhen(ingest, "half of it", v -> !v.silent().isEmpty() && v.heardNanos() > heard);
        assertThat(half.silent()).isEqualTo(RankSet.range(ranks / 2, ranks - 1));
        assertThat(half.reporting()).isEqualTo(RankSet.range(0, ranks / 2 - 1));
        assertThat(ingest.checkpoint()).isTrue();
        ingest.abandon();
        now.addAndGet(600 * SECOND);

        Ingest again = start(1L << 30);
        JobView view = again.fleet().job(JOB).orElseThrow();
        assertThat(view.heardNanos()).as("not when the server began").isEqualTo(half.heardNanos());
        assertThat(view.isUnheard(now.get())).isTrue();
        assertThat(view.reporting()).isEqualTo(RankSet.EMPTY);
        assertThat(view.silent()).isEqualTo(RankSet.range(0, ranks - 1));
        again.jobs().tidy();
        assertThat(again.fleet().job(JOB)).as("agents have time to come back").isPresent();
        hosts.send(again.receiver());
        hosts.make(FIRST + 1, now.get());
        hosts.tell(0, state(0, RankState.ProcessState.ALIVE, now.get()), now.get());
        hosts.send(again.receiver());
        assertThat(viewWhen(again, "all are back", v -> v.silent().isEmpty()).reporting())
                .isEqualTo(RankSet.range(0, ranks - 1));
    }

    @Test
    void nothingIsAcknowledgedThatAFullStoreDidNotTake() throws Exception {
        Ingest ingest = start(1L << 30);
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.HEALTHY, 30));
        hosts.declare(now.get());
        store.full = true;
        int n = 0;
        for (long step : hosts.steps.keySet()) {
            step(ingest, hosts, step);
            if (n++ % 5 == 0) {
                assertThat(ingest.checkpoint()).isFalse();
                assertThat(ingest.checkpoints().problem()).contains("no room");
            }
        }
        assertThat(hosts.hosts).allSatisfy(h -> assertThat(h.durable).isZero());
        store.full = false;
        assertThat(ingest.checkpoint()).isTrue();
        hosts.send(ingest.receiver());
        assertThat(hosts.hosts).allSatisfy(h -> assertThat(h.kept).isEmpty());
        assertThat(store.rankSteps()).hasSize(hosts.ranks.size() * hosts.steps.size());
    }

    /** Else a disk that takes its time and then refuses would be tried without a pause. */
    @Test
    void whatTheStoreRefusesInTheEndIsWorkAllTheSame() throws Exception {
        Ingest ingest = start(1L << 30);
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.HEALTHY, 30));
        hosts.declare(now.get());
        step(ingest, hosts, hosts.steps.firstKey());
        store.full = true;
        CountDownLatch disk = new CountDownLatch(1);
        store.slow = disk;
        long busy = 20_000_000;
        Thread.ofVirtual().start(() -> {
            while (!store.waits) {
                LockSupport.parkNanos(1_000_000);
            }
            long until = System.nanoTime() + busy;
            while (System.nanoTime() < until) {
                LockSupport.parkNanos(until - System.nanoTime());
            }
            disk.countDown();
        });
        assertThat(ingest.checkpoint()).isFalse();
        assertThat(ingest.checkpointWorkNanos()).isGreaterThanOrEqualTo(busy);
    }

    @Test
    void aDiskThatTakesItsTimeHoldsUpWhatIsAcknowledgedAndNothingElse() throws Exception {
        Ingest ingest = start(1L << 30);
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.COMPUTE, 50));
        hosts.declare(now.get());
        CountDownLatch disk = new CountDownLatch(1);
        store.slow = disk;
        Thread checkpoint = Thread.ofVirtual().start(() -> {
            try {
                ingest.checkpoint();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        for (long step : hosts.steps.keySet()) {
            step(ingest, hosts, step);
        }
        assertThat(ingest.fleet().job(JOB).orElseThrow().incidents()).isNotEmpty();
        assertThat(hosts.hosts).allSatisfy(h -> assertThat(h.durable).isZero());
        assertThat(checkpoint.isAlive()).isTrue();
        disk.countDown();
        checkpoint.join();
        assertThat(ingest.checkpoint()).isTrue();
        hosts.send(ingest.receiver());
        assertThat(hosts.hosts).allSatisfy(h -> assertThat(h.kept).isEmpty());
        assertThat(store.rankSteps()).hasSize(hosts.ranks.size() * hosts.steps.size());
    }

    /** Clocks of hosts by a day apart: the same ranks are accused of the same, and who is ahead of the server is shown. */
    @Test
    void clocksThatAreWrongChangeNoVerdict() throws Exception {
        List<List<String>> told = new ArrayList<>();
        for (long skew : new long[] {0, 86_400 * SECOND}) {
            store.batches.clear();
            PlayedHosts hosts = new PlayedHosts(
                    JOB,
                    Scenarios.draw(wish(ScenarioKind.COMPUTE, 50)
                            .dialect(new Dialect(false, true, true, true, false, skew, 2))));
            hosts.hosts.getLast().aheadNanos = skew;
            Ingest ingest = start(1L << 30);
            hosts.declare(now.get());
            for (long step : hosts.steps.keySet()) {
                step(ingest, hosts, step);
            }
            ingest.checkpoint();
            told.add(store.incidents().stream()
                    .map(r -> r.change() + " " + r.kind() + " " + r.ranks() + " " + r.firstStep())
                    .toList());
            assertThat(ingest.fleet().job(JOB).orElseThrow().agents().values())
                    .filteredOn(a -> a.clockNanos() > 0)
                    .extracting(JobView.AgentView::host)
                    .isEqualTo(skew > 0 ? List.of("host1") : List.of());
            ingest.abandon();
            store.batches.clear();
        }
        assertThat(told.getFirst()).isNotEmpty();
        assertThat(told.getLast()).isEqualTo(told.getFirst());
    }

    @Test
    void whatHasNotChangedIsNotKeptAgain() throws Exception {
        Ingest ingest = start(1L << 30);
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.HEALTHY, 30));
        hosts.declare(now.get());
        step(ingest, hosts, hosts.steps.firstKey());
        assertThat(ingest.checkpoint()).isTrue();
        int kept = store.batches.size();
        now.addAndGet(SECOND);
        assertThat(ingest.checkpoint()).isTrue();
        assertThat(store.batches).hasSize(kept);
        assertThat(ingest.checkpoints().atNanos()).as("it was looked").isEqualTo(now.get());
        step(ingest, hosts, FIRST + 1);
        assertThat(ingest.checkpoint()).isTrue();
        assertThat(store.batches).hasSize(kept + 1);
    }

    @Test
    void moreThanMayWaitIsToldToComeAgain() throws Exception {
        Ingest ingest = start(100); // not even one frame
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.HEALTHY, 30));
        hosts.declare(now.get());
        hosts.send(ingest.receiver());
        assertThat(hosts.hosts).allSatisfy(h -> {
            assertThat(h.verdict).isEqualTo(ShipmentReply.Verdict.OVERLOADED);
            assertThat(h.kept).isNotEmpty();
        });
    }

    @Test
    void jobsBeyondTheBoundAreRefusedUntilOneIsIdle() throws Exception {
        Ingest ingest = start(1L << 30);
        for (int i = 0; i < 4; i++) {
            assertThat(ingest.jobs().names("job" + i)).isNotNull();
            now.addAndGet(SECOND);
        }
        assertThat(ingest.jobs().names("one more")).isNull();
        now.addAndGet(Jobs.IDLE_NANOS);
        assertThat(ingest.jobs().names("one more")).isNotNull();
        assertThat(ingest.fleet().jobs())
                .extracting(JobView::job)
                .containsExactlyInAnyOrder("job1", "job2", "job3", "one more");
    }

    @Test
    void stateThatCannotBeReadCostsWhatWasLearntAndIsSaid() throws Exception {
        Ingest ingest = start(1L << 30);
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.HEALTHY, 30));
        hosts.declare(now.get());
        step(ingest, hosts, hosts.steps.firstKey());
        ingest.checkpoint();
        store.batches.getLast().state().forEach((name, bytes) -> {
            if (name.startsWith(Checkpoints.JOB)) {
                bytes[bytes.length / 2] ^= 1;
            }
        });
        start(1L << 30);
        assertThat(problems)
                .singleElement()
                .satisfies(p -> assertThat(p)
                        .contains("what was learnt of job " + SafeText.of(JOB, 80))
                        .doesNotContain("\u202e"));
    }

    /** A job with an incident that lasts, kept. */
    private Ingest lasting() throws Exception {
        Ingest ingest = start(1L << 30);
        PlayedHosts hosts = new PlayedHosts(JOB, scenario(ScenarioKind.COMPUTE, 26));
        hosts.declare(now.get());
        for (long step : hosts.steps.keySet()) {
            step(ingest, hosts, step);
        }
        ingest.checkpoint();
        assertThat(store.incidents(JOB, "resolved", 9)).isEmpty();
        assertThat(store.incidents(JOB, "open", 9)).isNotEmpty();
        return ingest;
    }

    private void allAreOver() {
        assertThat(store.incidents(JOB, null, 9)).isNotEmpty().allSatisfy(r -> {
            assertThat(r.change()).isEqualTo("ended");
            assertThat(r.state()).isEqualTo("resolved");
            assertThat(r.untilNanos()).isBetween(r.sinceNanos(), now.get());
            assertThat(r.document())
                    .contains("\"state\":\"resolved\"", "\"untilEpochNanos\":" + r.untilNanos())
                    .contains("\"summary\":");
        });
    }

    @Test
    void whatLastedInAStateThatCannotBeReadIsOver() throws Exception {
        lasting().abandon();
        store.batches.getLast().state().forEach((name, bytes) -> {
            if (name.startsWith(Checkpoints.JOB)) {
                bytes[bytes.length / 2] ^= 1;
            }
        });
        Ingest next = start(1L << 30);
        assertThat(next.checkpoint()).isTrue();
        allAreOver();
        int said = store.incidents().size();
        start(1L << 30).checkpoint();
        assertThat(store.incidents()).as("said once").hasSize(said);
    }

    @Test
    void whatLastsGoesOnWithTheNextStart() throws Exception {
        lasting().abandon();
        int said = store.incidents().size();
        assertThat(start(1L << 30).checkpoint()).isTrue();
        assertThat(store.incidents()).hasSize(said);
    }

    @Test
    void whatLastedInAJobThatIsForgottenIsOver() throws Exception {
        Ingest ingest = lasting();
        now.addAndGet(2 * 86_400 * SECOND);
        ingest.jobs().tidy();
        assertThat(ingest.fleet().job(JOB)).isEmpty();
        assertThat(ingest.checkpoint()).isTrue();
        allAreOver();
    }

    @Test
    void whatLastedInAWatchThatBeganAnewIsOver() throws Exception {
        Ingest ingest = lasting();
        JobHost host = ingest.jobs().hosts().iterator().next();
        host.tell(watch -> {
            throw new IllegalStateException("as the test wants it");
        });
        assertThat(host.ask(JobWatch::ranks).get(20, TimeUnit.SECONDS)).isPositive(); // it has begun anew
        assertThat(ingest.checkpoint()).isTrue();
        allAreOver();
    }
}
