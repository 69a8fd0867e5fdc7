package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.AgentCommand;
import dev.argus.model.NameTable;
import dev.argus.model.OpaqueRecord;
import dev.argus.model.RankSet;
import dev.argus.transport.ScriptedServer.Act;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameSenderTest {
    private static final URI NOWHERE = URI.create("http://localhost:1/");

    @TempDir
    Path folder;

    private final NameTable names = new NameTable();
    private final Shipping.Sink sink = new Shipping.Sink();
    private final FrameReceiver receiver = new FrameReceiver(sink, CommandSource.NONE, true, 100);

    private Spool spool() throws IOException {
        return Spool.open(folder.resolve("spool"), SpoolLimits.DEFAULT);
    }

    private static SenderSettings hasty(URI to) {
        return SenderSettings.of(to, Shipping.JOB, Shipping.HOST, "secret", 3)
                .timed(Duration.ofMillis(700), Duration.ofMillis(50), Duration.ofMillis(2), Duration.ofMillis(40));
    }

    /** Until it is so; a build that is stuck is better stopped than waited for. */
    static void until(BooleanSupplier so, String what) throws InterruptedException {
        for (int i = 0; i < 60_000 && !so.getAsBoolean(); i++) {
            Thread.sleep(2);
        }
        assertThat(so.getAsBoolean()).as(what).isTrue();
    }

    @Test
    void whateverTheServerDoesEveryFrameArrivesOnce() throws IOException, InterruptedException {
        List<Act> acts = new ArrayList<>(List.of(Act.values()));
        acts.addAll(List.of(Act.values()));
        Collections.shuffle(acts, new Random(5));
        try (Spool spool = spool();
                ScriptedServer server = new ScriptedServer(receiver, acts);
                FrameSender sender = new FrameSender(hasty(server.address()), spool, c -> true)) {
            Outbox outbox = Shipping.outbox(spool, names);
            sender.start();
            for (int i = 1; i <= 40; i++) {
                int left = server.actsLeft();
                outbox.add(Shipping.record(names, i));
                outbox.flush();
                until(() -> server.actsLeft() < left || left == 0, "the server was asked");
            }
            until(() -> server.actsLeft() == 0 && spool.frames() == 0, "all sent: " + sender.status());
            until(() -> sender.status().problem().isEmpty(), "no problem is left");
            assertThat(spool.losses()).isEmpty();
            assertThat(server.elsewhere).hasValue(0);
        }
        assertThat(sink.serials)
                .hasSize(40)
                .allSatisfy((serial, times) -> assertThat(times).isEqualTo(1));
        assertThat(sink.wrong).isEmpty();
        assertThat(receiver.status().duplicates()).isPositive();
    }

    /** Answers of a made-up server, one after the other, the last one for ever. */
    private static Poster answers(Poster.Answer... answers) {
        List<Poster.Answer> left = new ArrayList<>(Arrays.asList(answers));
        return shipment -> left.size() > 1 ? left.removeFirst() : left.getFirst();
    }

    private FrameSender sender(Spool spool, Poster poster, List<AgentCommand> commands) {
        return new FrameSender(
                SenderSettings.of(NOWHERE, Shipping.JOB, Shipping.HOST, "", 7), spool, commands::add, poster, () -> 1L);
    }

    /** What there is no room for is not passed over: the server hears that it was not taken, and says it again. */
    @Test
    void commandsForWhichThereIsNoRoomAreAskedForAgain() throws IOException, InterruptedException {
        try (Spool spool = spool()) {
            SessionId session = one(spool);
            List<AgentCommand> all = List.of(
                    new AgentCommand.Retune(1, Shipping.JOB, RankSet.EMPTY, 1, 1, 1),
                    new AgentCommand.Retune(2, "another job", RankSet.EMPTY, 1, 1, 1),
                    new AgentCommand.Retune(3, Shipping.JOB, RankSet.EMPTY, 1, 1, 1),
                    new AgentCommand.Retune(4, Shipping.JOB, RankSet.EMPTY, 1, 1, 1));
            List<Long> told = new ArrayList<>();
            Poster server = shipment -> {
                long last = Shipment.decode(shipment).lastCommand();
                told.add(last);
                List<AgentCommand> further =
                        all.stream().filter(c -> c.id() > last).toList();
                return new Poster.Answer(
                        200,
                        Poster.NO_WAIT,
                        new ShipmentReply(session, ShipmentReply.Verdict.ACCEPTED, "", 1, 0, 0, 0, 0, further)
                                .encode());
            };
            List<AgentCommand> done = new ArrayList<>();
            AtomicInteger room = new AtomicInteger(1);
            FrameSender sender = new FrameSender(
                    SenderSettings.of(NOWHERE, Shipping.JOB, Shipping.HOST, "", 7),
                    spool,
                    c -> done.size() < room.get() && done.add(c),
                    server,
                    () -> told.size() * 3_600_000_000_000L);
            sender.once();
            assertThat(done).containsExactly(all.getFirst());
            room.set(9);
            sender.once();
            sender.once();
            assertThat(told).containsExactly(0L, 2L, 4L);
            assertThat(done).containsExactly(all.get(0), all.get(2), all.get(3));
        }
    }

    private static Poster.Answer status(int status, long wait) {
        return new Poster.Answer(status, wait, new byte[0]);
    }

    private SessionId one(Spool spool) {
        Outbox outbox = Shipping.outbox(spool, names);
        outbox.add(Shipping.record(names, 1));
        outbox.flush();
        return spool.sessions().getFirst();
    }

    @Test
    void waitsGrowAreDrawnAndAreAtLeastWhatWasAskedFor() throws IOException, InterruptedException {
        try (Spool spool = spool()) {
            one(spool);
            FrameSender sender = sender(spool, answers(status(500, Poster.NO_WAIT)), List.of());
            long[] waits = new long[12];
            for (int i = 0; i < waits.length; i++) {
                waits[i] = sender.once();
            }
            assertThat(waits[0]).isBetween(250L, 500L);
            assertThat(waits[3]).isBetween(2_000L, 4_000L);
            assertThat(waits[11]).isBetween(30_000L, 60_000L);
            FrameSender asked = sender(spool, answers(status(503, 90_000), status(429, 1)), List.of());
            assertThat(asked.once()).isEqualTo(90_000);
            assertThat(asked.once()).isBetween(500L, 1_000L);
            assertThat(asked.status().problem()).contains("429");
            assertThat(spool.frames()).isEqualTo(1);
        }
    }

    @Test
    void whoHasNoRoomIsLeftAloneAsLongAsItSaysAndSentLessThen() throws IOException, InterruptedException {
        try (Spool spool = spool()) {
            Outbox outbox = Shipping.outbox(spool, names);
            for (int i = 1; i <= 20; i++) {
                outbox.add(Shipping.record(names, i));
                outbox.flush();
            }
            List<Integer> sent = new ArrayList<>();
            long[] received = {0};
            int[] room = {5};
            FrameSender sender = sender(
                    spool,
                    bytes -> {
                        Shipment shipment = Shipment.decode(bytes);
                        sent.add(shipment.frames().size());
                        int taken = Math.min(room[0], shipment.frames().size());
                        received[0] += taken;
                        boolean all = taken == shipment.frames().size();
                        return new Poster.Answer(
                                all ? 200 : 503,
                                all ? Poster.NO_WAIT : 2_000,
                                new ShipmentReply(
                                                shipment.session(),
                                                all ? ShipmentReply.Verdict.ACCEPTED : ShipmentReply.Verdict.OVERLOADED,
                                                "",
                                                received[0],
                                                0,
                                                all ? 0 : received[0] + 1,
                                                shipment.session().equals(SessionId.NONE) ? 0 : 1,
                                                all ? 0 : 2_000,
                                                List.of())
                                        .encode());
                    },
                    List.of());
            assertThat(sender.once()).isBetween(2_000L, 3_000L);
            room[0] = 0;
            for (int i = 0; i < 8; i++) {
                assertThat(sender.once()).as("never more").isBetween(2_000L, 3_000L);
            }
            room[0] = 100;
            while (received[0] < 20) {
                assertThat(sender.once()).isZero();
            }
            assertThat(sent).containsExactly(20, 5, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8);
        }
    }

    /** A server that is away is waited for up to a minute; a loss of power is not. */
    @Test
    void theSpoolIsForcedWhileAShipmentIsUnderWay() throws IOException, InterruptedException {
        AtomicInteger forced = new AtomicInteger();
        DiskWriter disk = new DiskWriter() {
            @Override
            public int write(FileChannel to, ByteBuffer from, long at) throws IOException {
                return to.write(from, at);
            }

            @Override
            public void force(FileChannel of) {
                forced.incrementAndGet();
            }
        };
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        Poster slow = shipment -> {
            asked.countDown();
            answered.await();
            return status(503, 1);
        };
        try (Spool spool = Spool.open(folder.resolve("spool"), SpoolLimits.DEFAULT, disk);
                FrameSender sender = new FrameSender(hasty(NOWHERE), spool, c -> true, slow)) {
            Outbox outbox = Shipping.outbox(spool, names);
            outbox.add(Shipping.record(names, 1));
            outbox.flush();
            sender.start();
            asked.await();
            outbox.add(Shipping.record(names, 2));
            outbox.flush();
            int before = forced.get();
            outbox.add(Shipping.record(names, 3));
            outbox.flush();
            until(() -> forced.get() > before, "forced while the server does not answer");
            answered.countDown();
        }
    }

    /** Who takes commands, or is on the way, may throw what nobody foresaw. */
    @Test
    void whatNobodyForesawCostsTimeAndNoFrame() throws IOException, InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        List<String> problems = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<FrameSender> self = new AtomicReference<>();
        Poster odd = shipment -> {
            FrameSender sender = self.get();
            problems.add(sender == null ? "" : sender.status().problem());
            if (asked.incrementAndGet() < 3) {
                throw new IllegalStateException("odd");
            }
            return new Poster.Answer(
                    200,
                    Poster.NO_WAIT,
                    receiver.receive(Shipment.decode(shipment)).encode());
        };
        try (Spool spool = spool();
                FrameSender sender = new FrameSender(hasty(NOWHERE), spool, c -> true, odd)) {
            self.set(sender);
            one(spool);
            sender.start();
            until(() -> spool.frames() == 0, "sent in the end");
            assertThat(problems.get(2)).contains("not foreseen").contains("odd");
            until(() -> sender.status().problem().isEmpty(), "no problem is left");
        }
        assertThat(sink.serials).containsOnlyKeys(1L);
    }

    @Test
    void sameSeedSameWaits() {
        long[][] drawn = new long[2][20];
        for (long[] waits : drawn) {
            Backoff b = new Backoff(Duration.ofMillis(500), Duration.ofMinutes(1), new SplittableRandom(5));
            Arrays.setAll(waits, i -> b.next());
        }
        assertThat(drawn[0]).isEqualTo(drawn[1]);
        Backoff long50 = new Backoff(Duration.ofMillis(500), Duration.ofMinutes(1), new SplittableRandom(5));
        for (int i = 0; i < 200; i++) {
            assertThat(long50.next()).isBetween(1L, 60_000L);
        }
    }

    @Test
    void commandsAreDoneOnceAndOnlyForTheJob() throws IOException, InterruptedException {
        try (Spool spool = spool()) {
            SessionId session = one(spool);
            List<AgentCommand> commands = List.of(
                    new AgentCommand.Retune(1, Shipping.JOB, RankSet.EMPTY, 1, 1, 1),
                    new AgentCommand.Retune(2, "another job", RankSet.EMPTY, 1, 1, 1));
            byte[] reply =
                    new ShipmentReply(session, ShipmentReply.Verdict.ACCEPTED, "", 1, 0, 0, 0, 0, commands).encode();
            List<AgentCommand> done = new ArrayList<>();
            FrameSender sender = sender(spool, answers(new Poster.Answer(200, Poster.NO_WAIT, reply)), done);
            sender.once();
            sender.once();
            assertThat(done).containsExactly(commands.getFirst());
            assertThat(sender.status().foreignCommands()).isEqualTo(1);
        }
    }

    @Test
    void whatIsTooLargeIsSentInPartsAndGivenUpAlone() throws IOException, InterruptedException {
        try (Spool spool = spool()) {
            Outbox outbox = Shipping.outbox(spool, names);
            for (int i = 1; i <= 20; i++) {
                outbox.add(Shipping.record(names, i));
                outbox.add(new OpaqueRecord(1, new byte[i == 7 ? 60_000 : 5_000]));
                outbox.flush();
            }
            Poster strict = shipment -> {
                if (shipment.length > 40_000) {
                    return status(413, Poster.NO_WAIT);
                }
                ShipmentReply reply = receiver.receive(Shipment.decode(shipment));
                return new Poster.Answer(200, Poster.NO_WAIT, reply.encode());
            };
            FrameSender sender = sender(spool, strict, List.of());
            for (int i = 0; i < 60; i++) {
                sender.once();
            }
            assertThat(spool.frames()).isZero();
            assertThat(spool.losses()).containsEntry(SpoolLoss.TOO_LARGE, 1L);
            assertThat(sink.serials).hasSize(19).doesNotContainKey(7L);
            assertThat(sink.missing).isEqualTo(1);
        }
    }

    @Test
    void aFrameThatIsRefusedIsGivenUpAndCounted() throws IOException, InterruptedException {
        try (Spool spool = spool()) {
            SessionId session = Shipping.session();
            spool.append(session, 1, () -> new byte[0], new byte[] {1, 2, 3}); // no frame at all
            Poster real = shipment -> new Poster.Answer(
                    400,
                    Poster.NO_WAIT,
                    receiver.receive(Shipment.decode(shipment)).encode());
            FrameSender sender = sender(spool, real, List.of());
            sender.once();
            assertThat(spool.frames()).isZero();
            assertThat(spool.losses()).containsEntry(SpoolLoss.REFUSED, 1L);
            assertThat(sender.status().problem()).contains("frame of 3 bytes");
        }
    }

    @Test
    void namesThatAreLostCostTheirFramesOnly() throws IOException, InterruptedException {
        try (Spool spool = spool()) {
            Outbox outbox = Shipping.outbox(spool, names);
            SessionId session = one(spool);
            outbox.add(Shipping.record(names, 3));
            outbox.flush();
            SessionId second = spool.live();
            assertThat(second).isNotNull().isNotEqualTo(session);
            ShipmentReply missing =
                    new ShipmentReply(session, ShipmentReply.Verdict.NAMES_MISSING, "", 0, 0, 1, 0, 0, List.of());
            FrameSender sender =
                    sender(spool, answers(new Poster.Answer(409, Poster.NO_WAIT, missing.encode())), List.of());
            sender.once();
            assertThat(spool.losses()).isEmpty();
            sender.once();
            assertThat(spool.losses()).containsEntry(SpoolLoss.NAMES_LOST, 1L);
            assertThat(spool.sessions()).containsExactly(second);
        }
    }

    @Test
    void tokensDoNotGoOverTheNetworkInTheClear() {
        assertThatThrownBy(() -> SenderSettings.of(URI.create("http://server:80/"), "j", "h", "secret", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in the clear");
        assertThatThrownBy(() -> SenderSettings.of(URI.create("ftp://server/"), "j", "h", "", 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SenderSettings.of(URI.create("https://server/"), "j", "h", "a\r\nX: y", 1))
                .isInstanceOf(IllegalArgumentException.class);
        SenderSettings fine = SenderSettings.of(URI.create("https://server/"), "j", "h", "secret", 1);
        assertThat(fine.toString()).doesNotContain("secret");
    }
}
