package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.AgentCommand;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Agent and server over a way on which everything goes wrong, both dying at any moment: every frame that the spool took is in the
 * results once, or its loss is counted. Time is the test's own.
 */
class ExactlyOnceTest {
    private static final URI NOWHERE = URI.create("http://localhost:1/");

    @TempDir
    Path folder;

    private final NameTable names = new NameTable();
    private final List<AgentCommand> obeyed = new ArrayList<>();
    private long nanos;

    private record Agent(Spool spool, Outbox outbox, FrameSender sender) {}

    private Agent startAgent(SpoolLimits limits, Poster way) throws IOException {
        Spool spool = Spool.open(folder.resolve("spool"), limits);
        Outbox outbox = Shipping.outbox(spool, names);
        SenderSettings settings =
                SenderSettings.of(NOWHERE, Shipping.JOB, Shipping.HOST, "", 7).sized(5, 1 << 14);
        return new Agent(spool, outbox, new FrameSender(settings, spool, obeyed::add, way, () -> nanos));
    }

    private static List<AgentCommand> wanted(long after) {
        List<AgentCommand> all = List.of(
                new AgentCommand.Retune(5, Shipping.JOB, RankSet.EMPTY, 1, 1, 1),
                new AgentCommand.SendExcerpt(9, Shipping.JOB, RankSet.of(1), 0, 1, 2));
        return all.stream().filter(c -> c.id() > after).toList();
    }

    private void step(Agent agent) throws InterruptedException {
        nanos += 1_000_000L * (1 + agent.sender.once());
    }

    @RepeatedTest(80)
    void everyFrameIsInTheResultsOnce(RepetitionInfo repetition) throws IOException, InterruptedException {
        Random random = new Random(repetition.getCurrentRepetition());
        boolean dying = random.nextInt(4) > 0;
        boolean small = random.nextInt(4) == 0;
        SpoolLimits limits = small ? new SpoolLimits(12_000, 1_500, 4_096) : new SpoolLimits(1 << 22, 2_048, 4_096);
        Shipping.Sink sink = new Shipping.Sink();
        FrameReceiver receiver = new FrameReceiver(sink, (j, h, after) -> wanted(after), false, 100);
        ReceiverSnapshot<Shipping.Sink> stored = receiver.snapshot(sink::copy);
        FaultyWay way = new FaultyWay(receiver, random.nextDouble() * 0.8, random);
        Agent agent = startAgent(limits, way);
        long serial = 0;
        long spoolLost = 0;
        for (int i = 0; i < 600; i++) {
            int what = random.nextInt(40);
            if (what == 0 && dying) { // the server dies, and comes back with what it has stored
                sink = stored.state().copy();
                receiver = new FrameReceiver(sink, (j, h, after) -> wanted(after), false, 100);
                receiver.restore(stored.cursors());
                way.receiver = receiver;
                stored = receiver.snapshot(sink::copy);
            } else if (what == 1 && dying) { // the agent dies
                spoolLost +=
                        agent.spool.losses().values().stream().mapToLong(n -> n).sum();
                agent.spool.close();
                agent = startAgent(limits, way);
            } else if (what < 4) {
                stored = receiver.snapshot(sink::copy);
                receiver.stored(stored);
            } else if (what < 6) {
                sink.full = !sink.full;
            } else if (what < 20) {
                agent.outbox.add(Shipping.record(names, ++serial));
                agent.outbox.flush();
            } else {
                step(agent);
            }
        }
        way.faults = 0;
        sink.full = false;
        for (int i = 0; i < 3_000 && agent.spool.frames() > 0; i++) {
            step(agent);
            if (i % 10 == 9) {
                stored = receiver.snapshot(sink::copy);
                receiver.stored(stored);
            }
        }
        agent.outbox.flush();
        step(agent);
        assertThat(agent.spool.frames()).as("%s", agent.sender.status()).isZero();
        assertThat(sink.wrong).isEmpty();
        assertThat(sink.serials.values()).allMatch(n -> n == 1);
        Set<Long> sent = new TreeSet<>(sink.serials.keySet());
        long lost = spoolLost
                + agent.spool.losses().values().stream().mapToLong(n -> n).sum();
        if (small) {
            assertThat(sent.size() + lost).isGreaterThanOrEqualTo(serial);
        } else {
            assertThat(lost).isZero();
            assertThat((long) sent.size()).isEqualTo(serial);
            assertThat(sink.missing).isZero();
        }
        assertThat(obeyed.stream().map(AgentCommand::id).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(5L, 9L);
        agent.spool.close();
    }
}
