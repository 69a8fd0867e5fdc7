package dev.argus.agent.ship;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.argus.agent.AgentOptions;
import dev.argus.agent.Collector;
import dev.argus.agent.CollectorSink;
import dev.argus.agent.history.RawHistory;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.StackRecord;
import dev.argus.transport.SpoolLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An agent for tests that kill it: notes each step once its frame has been closed. Ends when a file appears and its spool is empty.
 * Arguments: folder of the rings, folder of its state, address, file of notes, file that ends it.
 */
final class KillAgent {
    private KillAgent() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path state = Path.of(args[1]);
        Path notes = Path.of(args[3]);
        Path enough = Path.of(args[4]);
        NameTable names = new NameTable();
        ShipOptions options = Receivers.impatient(ShipOptions.of(
                URI.create(args[2]), "n1", Receivers.TOKEN, null, state.resolve("spool"), SpoolLimits.DEFAULT));
        long epoch = System.currentTimeMillis() * 1_000_000L;
        long mono = System.nanoTime();
        Files.createDirectories(state.resolve("spool"));
        Files.createDirectories(state.resolve("history"));
        ShippingSink ship = new ShippingSink(options, names, System::nanoTime, epoch);
        StringBuilder added = new StringBuilder();
        try (RawHistory history = RawHistory.open(state.resolve("history"), RawHistory.LEAST_BYTES, names);
                Collector collector = new Collector(
                        AgentOptions.of(Path.of(args[0])).withStacks(0),
                        names,
                        noting(ship, added),
                        history,
                        state.resolve("attempts"),
                        epoch,
                        mono)) {
            while (!Files.exists(enough) || ship.ways().stream().anyMatch(w -> w.frames() > 0)) {
                long now = System.nanoTime();
                if (!Files.exists(enough)) {
                    collector.look(now);
                }
                history.tick(collector.epochNanos(now));
                ship.flush();
                if (!added.isEmpty()) {
                    Files.write(
                            notes,
                            added.toString().getBytes(US_ASCII),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND);
                    added.setLength(0);
                }
                Thread.sleep(20);
            }
        }
        ship.close();
    }

    private static CollectorSink noting(ShippingSink ship, StringBuilder added) {
        return new CollectorSink() {
            @Override
            public void declare(String job, RankDeclaration d, long now) {
                ship.declare(job, d, now);
            }

            @Override
            public void step(String job, RankStep s, long now) {
                ship.step(job, s, now);
                added.append(KillServer.key(s.digest())).append('\n');
            }

            @Override
            public void state(String job, RankState s, long now) {
                ship.state(job, s, now);
            }

            @Override
            public void flight(String job, FlightRecord f, long now) {
                ship.flight(job, f, now);
            }

            @Override
            public void stacks(String job, StackRecord s, long now) {
                ship.stacks(job, s, now);
            }

            @Override
            public void lost(String job, int rank, String reason, long count, long now) {
                ship.lost(job, rank, reason, count, now);
            }

            @Override
            public void overhead(String job, OverheadReading r, long now) {
                ship.overhead(job, r, now);
            }

            @Override
            public void tick(long now) {
                ship.tick(now);
            }
        };
    }
}
