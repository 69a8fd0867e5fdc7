package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Wish;
import dev.argus.testkit.Eventually;
import dev.argus.transport.CommandSource;
import dev.argus.wire.Frame;
import dev.argus.wire.FrameHead;
import dev.argus.wire.SessionId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong in one job costs that job alone. */
class ContainedJobTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final MemoryStore store = new MemoryStore();
    private final AtomicLong now = new AtomicLong(1_790_000_000L * SECOND);
    private final List<Ingest> begun = new ArrayList<>();

    private volatile boolean noMemory;

    private long clock() {
        if (noMemory && Thread.currentThread().getName().startsWith("argus-job-")) {
            throw new OutOfMemoryError("as the test wants it");
        }
        return now.get();
    }

    private Ingest start() throws IOException {
        return start(new Ingest.Limits(4, 1000, 1L << 30, 1 << 20, NEVER));
    }

    private Ingest start(Ingest.Limits limits) throws IOException {
        Ingest ingest = new Ingest(
                limits,
                LiveOptions.DEFAULT,
                store,
                new ServerClock(this::clock, this::clock),
                CommandSource.NONE,
                (job, incident, text) -> {},
                Map.of(),
                problem -> {});
        begun.add(ingest);
        ingest.restore();
        return ingest;
    }

    @AfterEach
    void stop() {
        noMemory = false;
        begun.forEach(Ingest::abandon);
    }

    private static PlayedHosts played(String job) {
        return new PlayedHosts(
                job,
                Scenarios.draw(Wish.of(77, ScenarioKind.COMPUTE)
                        .maxRanks(8)
                        .noise(NoiseLevel.QUIET)
                        .firstStep(100)
                        .stepCount(6)
                        .onset(104)
                        .duration(2)
                        .rank(2)));
    }

    private JobHost host(Ingest ingest, String job) {
        return ingest.jobs().hosts().stream()
                .filter(h -> h.job().equals(job))
                .findFirst()
                .orElseThrow();
    }

    private void declared(Ingest ingest, PlayedHosts hosts) {
        hosts.declare(now.get());
        hosts.send(ingest.receiver());
    }

    @Test
    void anErrorInAJobIsSaidCountedAndCostsThatJobAlone() throws Exception {
        Ingest ingest = start();
        declared(ingest, played("a"));
        declared(ingest, played("b"));
        JobHost a = host(ingest, "a");
        a.tell(watch -> {
            throw new OutOfMemoryError("as the test wants it");
        });
        assertThat(a.ask(JobWatch::ranks).get(20, TimeUnit.SECONDS)).isPositive();
        assertThat(a.ask(w -> {
                    throw new LinkageError("as the test wants it");
                }))
                .failsWithin(Duration.ofSeconds(20));
        Eventually.holds("it is said", () -> a.view().losses().containsKey("watch-begun-anew"));
        assertThat(a.view().notes()).anyMatch(n -> n.contains("OutOfMemoryError"));
        assertThat(ingest.checkpoint()).isTrue();
        assertThat(store.state()).containsKeys("job:a", "job:b");
        assertThat(host(ingest, "b").view().losses()).isEmpty();
    }

    @Test
    void whereNotEvenThatCanBeDoneItIsTriedAgain() throws Exception {
        Ingest ingest = start();
        declared(ingest, played("a"));
        JobHost a = host(ingest, "a");
        noMemory = true; // ticks and beginning anew fail
        Thread.sleep(200);
        noMemory = false;
        assertThat(a.ask(JobWatch::ranks).get(20, TimeUnit.SECONDS)).isPositive();
        Eventually.holds("it is said", () -> a.view().losses().containsKey("watch-begun-anew"));
    }

    @Test
    void aJobWithoutAThreadGetsOneAgain() throws Exception {
        Ingest ingest = start();
        declared(ingest, played("a"));
        JobHost a = host(ingest, "a");
        assertThat(a.begin()).isFalse();
        a.tell(watch -> Thread.currentThread().interrupt()); // whatever ends it
        Eventually.holds("the thread has ended", () -> {
            ingest.jobs().tidy();
            return a.view().losses().containsKey("watch-begun-anew");
        });
        assertThat(a.ask(JobWatch::ranks).get(20, TimeUnit.SECONDS)).isPositive();
    }

    @Test
    void aCheckpointGoesOnWithoutAJobThatDoesNotAnswer() throws Exception {
        Ingest ingest = start();
        PlayedHosts a = played("a");
        PlayedHosts b = played("b");
        declared(ingest, a);
        declared(ingest, b);
        assertThat(ingest.checkpoint()).isTrue();
        byte[] before = store.state().get("job:a");

        Checkpoints checkpoints = new Checkpoints(
                ingest.receiver(),
                ingest.jobs(),
                store,
                new ServerClock(now::get, now::get),
                Map.of(),
                5 * SECOND / 10);
        CountDownLatch goesOn = new CountDownLatch(1);
        host(ingest, "a").tell(watch -> {
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        a.make(100, now.get());
        b.make(100, now.get());
        a.send(ingest.receiver());
        b.send(ingest.receiver());
        long durable = a.hosts.getFirst().durable;
        Eventually.holds(
                "b is kept",
                () -> take(checkpoints) && !checkpoints.status().without().contains("b"));
        assertThat(checkpoints.status().without()).containsExactly("a");
        assertThat(store.state().get("job:a")).isEqualTo(before);
        a.send(ingest.receiver());
        b.send(ingest.receiver());
        assertThat(a.hosts.getFirst().durable).isEqualTo(durable);
        assertThat(b.hosts.getFirst().durable).isEqualTo(b.hosts.getFirst().received);

        // the frames of later are not in the moment that is kept now
        long asked = a.hosts.getFirst().received;
        a.make(101, now.get());
        a.send(ingest.receiver());
        goesOn.countDown();
        host(ingest, "a").ask(JobWatch::ranks).get(20, TimeUnit.SECONDS);
        assertThat(checkpoints.take()).isTrue();
        assertThat(checkpoints.status().without()).isEmpty();
        assertThat(store.state().get("job:a")).isNotEqualTo(before);
        a.send(ingest.receiver());
        assertThat(a.hosts.getFirst().durable).isEqualTo(asked);
        assertThat(a.hosts.getFirst().received).isEqualTo(asked + 1);
        Eventually.holds("all is kept", () -> {
            boolean kept = take(checkpoints);
            a.send(ingest.receiver());
            return kept && a.hosts.getFirst().durable == asked + 1;
        });
    }

    /** Of a job with many ranks: the same declaration over and over. */
    private int declare(Ingest ingest, PlayedHosts of, int from, int to) throws Exception {
        RankDeclaration d = of.ranks.getFirst();
        JobHost host = host(ingest, of.job);
        host.tell(watch -> {
            for (int rank = from; rank < to; rank++) {
                FrameHead head = new FrameHead(new SessionId(9, 9), 1 + rank, of.job, 0, "host", now.get());
                RankDeclaration one = new RankDeclaration(
                        d.attempt(), rank, d.header(), -1, "", d.gpu(), List.of(), List.of(), d.workSignature());
                watch.take(new Frame(head, List.of(one), 0, 0), now.get());
            }
        });
        return host.ask(JobWatch::ranks).get(20, TimeUnit.SECONDS);
    }

    @Test
    void ranksOfAJobLeaveRoomForOthers() throws Exception {
        Ingest ingest = start(new Ingest.Limits(4, 64, 1L << 30, 1 << 20, NEVER));
        PlayedHosts a = played("a");
        PlayedHosts b = played("b");
        declared(ingest, a);
        assertThat(declare(ingest, a, 0, 200)).isEqualTo(56);
        declared(ingest, b);
        assertThat(declare(ingest, b, 0, 1)).isEqualTo(4);
        assertThat(host(ingest, "a").ask(w -> w.view(0).losses()).get(20, TimeUnit.SECONDS))
                .containsKey("rank-without-room");
    }

    /** A job that is forgotten gives its ranks back. */
    @Test
    void ranksOfAJobThatIsForgottenAreFree() throws Exception {
        Ingest ingest = start(new Ingest.Limits(1, 64, 1L << 30, 1 << 20, NEVER));
        PlayedHosts a = played("a");
        declared(ingest, a);
        assertThat(declare(ingest, a, 0, 200)).isEqualTo(64);
        host(ingest, "a").tell(w -> {});
        Eventually.holds("heard", () -> host(ingest, "a").view().heardNanos() > 0);
        now.addAndGet(Jobs.IDLE_NANOS + 10 * SECOND);
        PlayedHosts b = played("b");
        Eventually.holds("b has room", () -> {
            declared(ingest, b);
            return declare(ingest, b, 0, 1) > 0;
        });
        Eventually.holds("all of it", () -> declare(ingest, b, 0, 200) == 64);
    }

    @Test
    void namesOfAJobLeaveRoomForOthers() throws Exception {
        Ingest ingest = start(new Ingest.Limits(4, 1000, 1L << 30, 1 << 20, NEVER, 1 << 20));
        NameTable table = Objects.requireNonNull(ingest.jobs().names("hostile"));
        for (int i = 0; i < 5_000; i++) {
            table.id("a name of about a hundred bytes, over and over, with a number so that it is another one " + i);
        }
        assertThat(ingest.jobs().names("hostile")).isNull();
        assertThat(ingest.jobs().names("other")).isNotNull();
    }

    private static boolean take(Checkpoints checkpoints) {
        try {
            return checkpoints.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
