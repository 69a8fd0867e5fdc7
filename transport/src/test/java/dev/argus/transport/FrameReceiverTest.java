package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.AgentCommand;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.wire.Frame;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.ShipmentReply.Verdict;
import dev.argus.wire.WireException;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FrameReceiverTest {
    private final NameTable names = new NameTable();
    private final SessionId session = Shipping.session();
    private final FrameWriter writer = new FrameWriter(session, Shipping.JOB, Shipping.HOST, names);
    private final List<byte[]> frames = new ArrayList<>();
    private final Shipping.Sink sink = new Shipping.Sink();
    private final FrameReceiver receiver = new FrameReceiver(sink, CommandSource.NONE, false, 3);

    FrameReceiverTest() {
        for (int i = 1; i <= 10; i++) {
            writer.add(Shipping.record(names, i));
            frames.add(writer.frame(0, 0));
            writer.stored();
        }
    }

    private Shipment shipment(long floor, long from, long... counters) {
        return new Shipment(
                session,
                Shipping.JOB,
                Shipping.HOST,
                floor,
                from,
                true,
                0,
                List.of(),
                LongStream.of(counters)
                        .mapToObj(c -> new Shipment.Numbered(c, frames.get((int) c - 1)))
                        .toList());
    }

    private ShipmentReply send(long floor, long from, long... counters) {
        return receiver.receive(shipment(floor, from, counters));
    }

    @Test
    void framesAreTakenOnce() {
        assertThat(send(1, 1, 1, 2)).satisfies(r -> {
            assertThat(r.verdict()).isEqualTo(Verdict.ACCEPTED);
            assertThat(r.received()).isEqualTo(2);
            assertThat(r.durable()).isZero();
        });
        assertThat(send(1, 1, 1, 2).verdict()).isEqualTo(Verdict.DUPLICATE);
        assertThat(send(1, 2, 2, 3).verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(sink.serials).hasSize(3);
        assertThat(receiver.status().duplicates()).isEqualTo(3);
        assertThat(receiver.status().frames()).isEqualTo(3);
    }

    @Test
    void whatComesTooEarlyIsSentForAgain() {
        send(1, 1, 1);
        ShipmentReply early = send(1, 3, 3);
        assertThat(early.verdict()).isEqualTo(Verdict.REWIND);
        assertThat(early.received()).isEqualTo(1);
        assertThat(sink.serials).hasSize(1);
        assertThat(sink.missing).isZero();
    }

    @Test
    void holesThatStayAreReportedOnce() {
        assertThat(send(1, 1, 1, 2).received()).isEqualTo(2);
        ShipmentReply reply = receiver.receive(new Shipment(
                session,
                Shipping.JOB,
                Shipping.HOST,
                4,
                4,
                true,
                0,
                List.of(names(4)),
                List.of(new Shipment.Numbered(4, frames.get(3)), new Shipment.Numbered(5, frames.get(4)))));
        assertThat(reply.verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(sink.missing).isEqualTo(1);
        assertThat(send(4, 4, 4, 5, 7).received()).isIn(5L, 7L);
        send(9, 9);
        send(9, 9);
        assertThat(sink.missing).isBetween(3L, 4L);
        assertThat(receiver.status().missing()).isEqualTo(sink.missing);
    }

    /** The names that frames below a number brought. */
    private byte[] names(int below) {
        FrameWriter again = new FrameWriter(session, Shipping.JOB, Shipping.HOST, names);
        for (int i = 1; i < below; i++) {
            again.add(Shipping.record(names, i));
            again.stored();
        }
        return again.names();
    }

    @Test
    void aReceiverThatBeginsLateAsksForNames() {
        ShipmentReply reply = send(5, 5, 5, 6);
        assertThat(reply.verdict()).isEqualTo(Verdict.NAMES_MISSING);
        assertThat(reply.at()).isEqualTo(5);
        assertThat(reply.received()).isEqualTo(4);
        ShipmentReply again = receiver.receive(new Shipment(
                session,
                Shipping.JOB,
                Shipping.HOST,
                5,
                5,
                true,
                0,
                List.of(names(5)),
                shipment(5, 5, 5, 6).frames()));
        assertThat(again.verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(sink.serials).containsOnlyKeys(5L, 6L);
        assertThat(sink.wrong).isEmpty();
        assertThat(sink.missing)
                .as("what an earlier receiver had is not missing")
                .isZero();
    }

    @Test
    void noRoomMeansLaterAndKeepsTheOrder() {
        sink.full = true;
        ShipmentReply reply = send(1, 1, 1, 2);
        assertThat(reply.verdict()).isEqualTo(Verdict.OVERLOADED);
        assertThat(reply.waitMillis()).isPositive();
        assertThat(reply.received()).isZero();
        sink.full = false;
        assertThat(send(1, 1, 1, 2).received()).isEqualTo(2);
        assertThat(receiver.status().overloaded()).isEqualTo(1);
    }

    @Test
    void onlyWhatIsStoredIsDurable() {
        send(1, 1, 1, 2);
        ReceiverSnapshot<String> snapshot = receiver.snapshot(() -> "state");
        send(1, 3, 3);
        assertThat(send(1, 4).durable()).isZero();
        receiver.stored(snapshot);
        assertThat(send(1, 4).durable()).isEqualTo(2);

        FrameReceiver next = new FrameReceiver(new Shipping.Sink(), CommandSource.NONE, false, 3);
        next.restore(snapshot.cursors());
        ShipmentReply reply = next.receive(shipment(1, 4, 4));
        assertThat(reply.verdict()).isEqualTo(Verdict.REWIND);
        assertThat(reply.received()).isEqualTo(2);
        assertThat(reply.durable()).isEqualTo(2);
    }

    @Test
    void aDurableSinkAcknowledgesAtOnce() {
        FrameReceiver durable = new FrameReceiver(sink, CommandSource.NONE, true, 3);
        assertThat(durable.receive(shipment(1, 1, 1, 2)).durable()).isEqualTo(2);
    }

    @Test
    void damagedCursorsAreRefused() {
        send(1, 1, 1);
        byte[] good = receiver.snapshot(() -> "").cursors();
        for (int n = 0; n < good.length; n++) {
            byte[] cut = Arrays.copyOf(good, n);
            assertThatThrownBy(() -> receiver.restore(cut)).isInstanceOf(WireException.class);
        }
    }

    @Test
    void sessionsAreBounded() {
        for (int i = 0; i < 10; i++) {
            receiver.receive(
                    new Shipment(Shipping.session(), Shipping.JOB, Shipping.HOST, 1, 1, true, 0, List.of(), List.of()));
            send(1, 1, 1);
        }
        assertThat(receiver.status().sessions()).isEqualTo(3);
        assertThat(receiver.status().forgotten()).isEqualTo(8);
        assertThat(sink.serials).containsExactlyEntriesOf(Map.of(1L, 1));
    }

    private ShipmentReply named(FrameReceiver to, SessionId of, String job, int count) {
        WireWriter block = new WireWriter();
        block.writeVarint(0).writeLong(0xcbf29ce484222325L).writeVarint(count);
        for (int i = 0; i < count; i++) {
            block.writeText("n" + i);
        }
        return to.receive(
                new Shipment(of, job, Shipping.HOST, 1, 1, false, 0, List.of(block.toByteArray()), List.of()));
    }

    @Test
    void namesOfAllSessionsAreBounded() {
        long most = 1 << 20;
        FrameReceiver bounded =
                new FrameReceiver(new Shipping.Sink(), CommandSource.NONE, true, 1_000, most, System::nanoTime);
        SessionId own = Shipping.session();
        assertThat(named(bounded, own, "own", 1_000).names()).isEqualTo(1_000);
        for (int i = 0; i < 50; i++) { // 10 MB
            assertThat(named(bounded, Shipping.session(), "hostile", 10_000).verdict())
                    .isEqualTo(Verdict.ACCEPTED);
        }
        assertThat(bounded.namesBytes()).isLessThanOrEqualTo(most);
        assertThat(named(bounded, Shipping.session(), "late", 1_000).names()).isEqualTo(1_000);
        assertThat(named(bounded, own, "own", 0).names()).isEqualTo(1_000);
    }

    @Test
    void namesOfSilentSessionsAreAskedForAgainAndSessionsEnd() {
        AtomicLong now = new AtomicLong();
        FrameReceiver timed =
                new FrameReceiver(new Shipping.Sink(), CommandSource.NONE, false, 1_000, 1 << 20, now::get);
        timed.receive(shipment(1, 1, 1, 2, 3));
        now.set(FrameReceiver.NAMES_NANOS + 1);
        timed.snapshot(() -> "");
        assertThat(timed.namesBytes()).isZero();
        assertThat(timed.receive(shipment(1, 4, 4)).verdict()).isEqualTo(Verdict.NAMES_MISSING);
        now.addAndGet(FrameReceiver.SILENT_NANOS + 1);
        timed.snapshot(() -> "");
        assertThat(timed.status().sessions()).isZero();
    }

    /** Its table of names is another one: numbers mean other names. */
    @Test
    void aJobThatWasForgottenLearnsNamesAnew() {
        AtomicReference<Shipping.Sink> of = new AtomicReference<>(new Shipping.Sink());
        FrameSink forgetful = new FrameSink() {
            @Override
            public NameTable names(String job) {
                return of.get().names;
            }

            @Override
            public boolean take(Frame frame) {
                return of.get().take(frame);
            }

            @Override
            public void missing(SessionId session, String job, String host, long first, long last) {}
        };
        FrameReceiver to = new FrameReceiver(forgetful, CommandSource.NONE, true, 3);
        to.receive(shipment(1, 1, 1, 2, 3));
        of.set(new Shipping.Sink());
        of.get().names.id("another id for the first name");
        assertThat(to.receive(shipment(4, 4, 4, 5)).verdict()).isEqualTo(Verdict.NAMES_MISSING);
        assertThat(of.get().wrong).isEmpty();
    }

    @Test
    void framesOfOthersAndOfNoJobAreRefused() {
        send(1, 1, 1);
        Shipment asAnother = new Shipment(
                session,
                Shipping.JOB,
                "host9",
                1,
                2,
                true,
                0,
                List.of(),
                shipment(1, 2, 2).frames());
        assertThat(receiver.receive(asAnother).verdict()).isEqualTo(Verdict.REFUSED);
        Shipment wrongNumber = new Shipment(
                session,
                Shipping.JOB,
                Shipping.HOST,
                1,
                2,
                true,
                0,
                List.of(),
                List.of(new Shipment.Numbered(2, frames.get(2))));
        ShipmentReply reply = receiver.receive(wrongNumber);
        assertThat(reply.verdict()).isEqualTo(Verdict.NAMES_MISSING);
        assertThat(receiver.receive(new Shipment(
                                session,
                                Shipping.JOB,
                                Shipping.HOST,
                                1,
                                2,
                                true,
                                0,
                                List.of(names(3)),
                                wrongNumber.frames()))
                        .reason())
                .contains("another session");
        FrameSink noJobs = new Shipping.Sink() {
            @Override
            public @Nullable NameTable names(String job) {
                return null;
            }
        };
        assertThat(new FrameReceiver(noJobs, CommandSource.NONE, true, 3)
                        .receive(shipment(1, 1, 1))
                        .reason())
                .contains("no room for this job");
        assertThat(sink.serials).hasSize(1);
    }

    @Test
    void commandsComeWithRepliesUntilTheyAreDone() {
        AgentCommand command = new AgentCommand.Retune(4, Shipping.JOB, RankSet.EMPTY, 1, 1, 1);
        FrameReceiver asking =
                new FrameReceiver(sink, (job, host, after) -> after < 4 ? List.of(command) : List.of(), true, 3);
        assertThat(asking.receive(shipment(1, 1, 1)).commands()).containsExactly(command);
        Shipment done = new Shipment(session, Shipping.JOB, Shipping.HOST, 1, 2, true, 4, List.of(), List.of());
        assertThat(asking.receive(done).commands()).isEmpty();
        Shipment ofThePast = new Shipment(session, Shipping.JOB, Shipping.HOST, 1, 2, false, 0, List.of(), List.of());
        assertThat(asking.receive(ofThePast).commands()).isEmpty();
    }
}
