package dev.argus.agent.ship;

import static dev.argus.agent.SimulatedRank.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.agent.AgentOptions;
import dev.argus.agent.SimulatedRank;
import dev.argus.agent.host.HostAgent;
import dev.argus.agent.host.HostAgentSettings;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.AgentCommand;
import dev.argus.model.IncidentKind;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.ring.RingControl;
import dev.argus.transport.CommandSource;
import dev.argus.transport.SpoolLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rings of a job, the agent of its host, a server behind HTTP that diagnoses it. */
class ShippingTest {
    /** Time of the agent from look to look while it is waited for: as much as really passes. */
    private static final long PACE = 5 * MILLI;

    private static final long EPOCH = 1_800_000_000_000_000_000L;
    private static final int RANKS = 4;
    private static final int SLOW = 2;

    @TempDir
    Path folder;

    private final List<SimulatedRank> ranks = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final LiveServer server = new LiveServer();
    private long nowMono = System.nanoTime();
    private final long begin = nowMono;
    private long step;

    @BeforeEach
    void begin() throws IOException {
        for (int rank = 0; rank < RANKS; rank++) {
            ranks.add(new SimulatedRank(folder.resolve("rings"), "j", rank, RANKS, 4_000_000 + rank, 7, 1, 1 << 14));
        }
    }

    @AfterEach
    void end() {
        ranks.forEach(SimulatedRank::close);
    }

    private HostAgent agent(URI to, String token) throws IOException {
        Path state = folder.resolve("state");
        Files.createDirectories(folder.resolve("spool"));
        NameTable names = new NameTable();
        ShipOptions options = Receivers.impatient(
                ShipOptions.of(to, "n1", token, null, folder.resolve("spool"), SpoolLimits.ofDisk(16L << 20)));
        long epoch = EPOCH + nowMono - begin;
        ShippingSink sink = new ShippingSink(options, names, () -> nowMono, epoch);
        HostAgentSettings settings = new HostAgentSettings(
                AgentOptions.of(folder.resolve("rings")).withStacks(0), state, 8 << 20, null, false);
        return new HostAgent(settings, names, sink, epoch, nowMono);
    }

    /** Steps of the job; the agent looks every 50 ms of it. */
    private void steps(int count, long slowLoadNanos, HostAgent agent) {
        for (int i = 0; i < count; i++, step++) {
            long start = nowMono;
            long[] load = new long[RANKS];
            long[] compute = new long[RANKS];
            long reduced = 0;
            for (int r = 0; r < RANKS; r++) {
                load[r] =
                        r == SLOW && slowLoadNanos > 0 ? slowLoadNanos : 10 * MILLI + r * 100_000L + step % 3 * 50_000L;
                compute[r] = 100 * MILLI + (r * 7L + step * 3) % 5 * 200_000L;
                reduced = Math.max(reduced, SimulatedRank.arrives(start, load[r], compute[r]) + 2 * MILLI);
            }
            long end = start;
            for (int r = 0; r < RANKS; r++) {
                end = Math.max(end, ranks.get(r).step(step, start, load[r], compute[r], reduced));
            }
            for (; nowMono < end; nowMono += 50 * MILLI) {
                look(agent);
            }
            nowMono = end;
        }
        look(agent);
    }

    private void look(HostAgent agent) {
        agent.look(nowMono);
        said.addAll(agent.takeNotices());
    }

    private void untilShipped(HostAgent agent, int steps) throws InterruptedException {
        Receivers.until(
                () -> {
                    nowMono += PACE;
                    look(agent);
                    return server.count() >= steps;
                },
                steps + " steps at the server");
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    @Test
    void aFaultIsNamedBehindTheWireThoughAgentAndServerStartAgain() throws Exception {
        int port = freePort();
        URI to = URI.create("http://127.0.0.1:" + port + "/");
        HostAgent agent = agent(to, Receivers.TOKEN);
        steps(12, 0, agent);
        Receivers.until(
                () -> {
                    nowMono += PACE;
                    look(agent);
                    return !said.isEmpty();
                },
                "the absent server is told");
        assertThat(said)
                .filteredOn(s -> s.contains("cannot ship"))
                .hasSize(1)
                .first()
                .asString()
                .contains("nothing answers at " + to, "in the spool");
        byte[] cursors;
        try (Receivers.Running first = Receivers.start(port, server, CommandSource.NONE, new byte[0])) {
            untilShipped(agent, 11 * RANKS);
            Receivers.until(
                    () -> {
                        nowMono += PACE;
                        agent.hurry();
                        look(agent);
                        return said.stream().anyMatch(s -> s.contains("takes frames again"));
                    },
                    "the return of the server is told");
            assertThat(said).filteredOn(s -> s.contains("takes frames again")).hasSize(1);
            agent.close();
            cursors = first.receiver().snapshot(() -> 0).cursors();
        }
        HostAgent second = agent(to, Receivers.TOKEN);
        steps(20, 0, second);
        try (Receivers.Running again = Receivers.start(port, server, CommandSource.NONE, cursors)) {
            untilShipped(second, 29 * RANKS);
            steps(30, 250 * MILLI, second);
            untilShipped(second, 59 * RANKS);
            second.close();
            assertThat(again.receiver().status().missing()).isZero();
        }
        assertThat(server.steps.values()).allMatch(n -> n == 1);
        assertThat(server.missing).isZero();
        assertThat(server.losses)
                .as("what the first agent had taken and not cut is told")
                .containsKey("0/agent-restarted");
        List<IncidentChange> opened = server.changes.stream()
                .filter(c -> c.kind() == IncidentChange.Kind.OPENED)
                .toList();
        assertThat(opened).isNotEmpty();
        assertThat(opened.getFirst().incident().kind()).isEqualTo(IncidentKind.DATA_STALL);
        assertThat(opened.getFirst().incident().ranks()).isEqualTo(RankSet.of(SLOW));
    }

    @Test
    void aTokenThatIsNotKnownIsOneLine() throws Exception {
        try (Receivers.Running running = Receivers.start(0, server, CommandSource.NONE, new byte[0])) {
            HostAgent agent = agent(running.address(), "wrong");
            steps(6, 0, agent);
            Receivers.until(
                    () -> {
                        nowMono += PACE;
                        look(agent);
                        return said.stream().anyMatch(s -> s.contains("token"));
                    },
                    "the refusal is told");
            agent.close();
            said.addAll(agent.takeNotices());
            assertThat(said).filteredOn(s -> s.contains("token")).hasSize(1);
            assertThat(server.count()).isZero();
            HostAgent second = agent(running.address(), Receivers.TOKEN);
            untilShipped(second, 5 * RANKS);
            second.close();
            assertThat(server.steps.values()).allMatch(n -> n == 1);
        }
    }

    @Test
    void commandsAreDoneOnceAndAnswered() throws Exception {
        steps0();
        long from = EPOCH;
        AgentCommand retune = new AgentCommand.Retune(1, "j", RankSet.of(1), RingControl.STEPS, 4, 0);
        AgentCommand excerpt =
                new AgentCommand.SendExcerpt(2, "j", RankSet.of(0, 1), 0, from, from + 3_000_000_000_000L);
        CommandSource source = (job, host, after) ->
                List.of(retune, excerpt).stream().filter(c -> c.id() > after).toList();
        try (Receivers.Running running = Receivers.start(0, server, source, new byte[0])) {
            HostAgent agent = agent(running.address(), Receivers.TOKEN);
            steps(10, 0, agent);
            Receivers.until(
                    () -> {
                        nowMono += PACE;
                        look(agent);
                        return server.hasNote();
                    },
                    "the excerpt is told");
            assertThat(server.notes.getFirst().problem()).isEmpty();
            assertThat(server.notes.getFirst().ranks()).isEqualTo(RankSet.of(0, 1));
            assertThat(Path.of(server.notes.getFirst().file())).isNotEmptyFile();
            steps(1, 0, agent);
            assertThat(ranks.get(1).ring().control().signals()).isEqualTo(RingControl.STEPS);
            assertThat(ranks.get(1).ring().control().oneIn()).isEqualTo(4);
            assertThat(ranks.get(0).ring().control().signals()).isEqualTo(RingControl.INITIAL.signals());
            agent.close();
            assertThat(server.notes).hasSize(1);
        }
    }

    private void steps0() {
        assertThat(ranks).hasSize(RANKS);
    }

    @Test
    void turnsMeasureWhatRecordingCosts() throws Exception {
        AgentCommand all = new AgentCommand.Retune(1, "j", RankSet.EMPTY, 0xffff, 1, 0);
        try (Receivers.Running running =
                Receivers.start(0, server, (job, host, after) -> after < 1 ? List.of(all) : List.of(), new byte[0])) {
            HostAgent agent = agent(running.address(), Receivers.TOKEN);
            steps(3, 0, agent);
            agent.collector().tune("j", RankSet.EMPTY, new dev.argus.agent.Tuning(null, null, 4, 1, null));
            steps(120, 0, agent);
            untilShipped(agent, 120 * RANKS);
            Receivers.until(
                    () -> {
                        nowMono += 50 * MILLI;
                        look(agent);
                        synchronized (server) {
                            return server.overheads.stream().anyMatch(o -> o.offSteps() > 0);
                        }
                    },
                    "a reading");
            assertThat(agent.collector().overheads().values().stream()
                            .mapToInt(e -> e.pairs())
                            .sum())
                    .isGreaterThan(6);
            agent.close();
        }
    }
}
