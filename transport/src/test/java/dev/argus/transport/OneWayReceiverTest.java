package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.NameTable;
import dev.argus.model.RecordLoss;
import dev.argus.wire.Frame;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Shipments on a way without replies. */
class OneWayReceiverTest {
    private static final SessionId SESSION = new SessionId(7, 8);

    private final NameTable sent = new NameTable();
    private final FrameWriter writer = new FrameWriter(SESSION, "job", "host", sent);
    private final NameTable table = new NameTable();
    private final List<String> taken = new ArrayList<>();
    private final Map<String, Long> losses = new TreeMap<>();
    private OneWayReceiver receiver = new OneWayReceiver("job", table);

    private Shipment.Numbered frame(String reason) {
        assertThat(writer.add(new RecordLoss(0, -1, sent.id(reason), 1))).isEqualTo(FrameWriter.Added.YES);
        Shipment.Numbered frame = new Shipment.Numbered(writer.counter(), writer.frame(0, 5));
        writer.stored();
        return frame;
    }

    private static Shipment shipment(String host, List<byte[]> names, Shipment.Numbered... frames) {
        long from = frames.length == 0 ? 1 : frames[0].counter();
        return new Shipment(SESSION, "job", host, 1, from, false, 0, names, List.of(frames));
    }

    private void take(Shipment shipment, long now) {
        receiver.take(shipment, now, this::keep, (why, n) -> {
            if (n > 0) {
                losses.merge(why, n, Long::sum);
            }
        });
    }

    private void keep(Frame frame) {
        frame.records().forEach(r -> taken.add(table.name(((RecordLoss) r).reason())));
    }

    @Test
    void eachFrameOnceInOrder() {
        Shipment.Numbered a = frame("a");
        Shipment.Numbered b = frame("b");
        take(shipment("host", List.of(), a), 1);
        take(shipment("host", List.of(), a, b), 2);
        take(shipment("host", List.of(), a, b), 3);
        assertThat(taken).containsExactly("a", "b");
        assertThat(losses).isEqualTo(Map.of("frame-twice", 3L));
    }

    @Test
    void aHoleIsCountedAndWhatBuildsOnItsNamesToo() {
        Shipment.Numbered a = frame("a");
        Shipment.Numbered lost = frame("b");
        Shipment.Numbered c = frame("c");
        take(shipment("host", List.of(), a), 1);
        take(shipment("host", List.of(), c), 2);
        assertThat(taken).containsExactly("a");
        assertThat(losses).isEqualTo(Map.of("frame-missing", 1L, "names-missing", 1L));
        Shipment.Numbered again = frame("b");
        take(shipment("host", List.of(writer.names()), again), 3);
        assertThat(taken).as("all names came again").containsExactly("a", "b");
        take(shipment("host", List.of(), lost), 4);
        assertThat(losses).containsEntry("frame-twice", 1L);
    }

    @Test
    void aSessionMetInItsMiddleIsTakenFromThere() {
        frame("a");
        frame("b");
        Shipment.Numbered c = frame("c");
        take(shipment("host", List.of(writer.names()), c), 1);
        assertThat(taken).containsExactly("c");
        assertThat(losses).isEmpty();
    }

    @Test
    void namesMayComeAlone() {
        Shipment.Numbered a = frame("a");
        Shipment.Numbered b = frame("b");
        take(new Shipment(SESSION, "job", "host", 1, 2, false, 0, List.of(writer.names()), List.of()), 1);
        take(shipment("host", List.of(), b), 2);
        assertThat(taken).containsExactly("b");
        take(shipment("host", List.of(), a), 3);
        assertThat(losses).isEqualTo(Map.of("frame-twice", 1L));
    }

    @Test
    void whatIsOfOthersOrDamagedIsRefused() {
        Shipment.Numbered a = frame("a");
        take(shipment("host", List.of(), a), 1);
        take(shipment("other", List.of(), frame("b")), 2);
        take(new Shipment(SESSION, "another", "host", 1, 1, false, 0, List.of(), List.of(a)), 3);
        byte[] damaged = frame("c").bytes().clone();
        damaged[20] ^= 1;
        take(shipment("host", List.of(), new Shipment.Numbered(3, damaged)), 4);
        // A frame under another number than its own.
        take(shipment("host", List.of(writer.names()), new Shipment.Numbered(9, a.bytes())), 5);
        take(shipment("host", List.of(new byte[] {1, 2, 3})), 6);
        assertThat(taken).containsExactly("a");
        assertThat(losses)
                .containsEntry("frame-of-other-session", 3L)
                .containsEntry("frame-refused", 1L)
                .containsEntry("names-contradict", 1L);
    }

    @Test
    void itGoesOnWhereItWasWrittenDown() {
        Shipment.Numbered a = frame("a");
        take(shipment("host", List.of(), a), 1);
        WireWriter to = new WireWriter();
        receiver.encode(to);
        byte[] bytes = to.toByteArray();
        WireReader from = new WireReader(bytes);
        receiver = OneWayReceiver.decode("job", table, () -> true, from);
        from.expectEnd();
        WireWriter again = new WireWriter();
        receiver.encode(again);
        assertThat(again.toByteArray()).isEqualTo(bytes);
        take(shipment("host", List.of(), a), 2);
        take(shipment("host", List.of(), frame("b")), 3);
        assertThat(taken).containsExactly("a", "b");
        assertThat(losses).isEqualTo(Map.of("frame-twice", 1L));
    }

    @Test
    void sessionsAreBounded() {
        for (int i = 0; i < OneWayReceiver.MOST_SESSIONS + 5; i++) {
            take(new Shipment(new SessionId(i, 1), "job", "host", 1, 1, false, 0, List.of(), List.of()), i);
        }
        assertThat(receiver.sessions()).isEqualTo(OneWayReceiver.MOST_SESSIONS);
        assertThat(losses).isEqualTo(Map.of("session-forgotten", 5L));
        take(new Shipment(SESSION, "job", "host", 1, 1, false, 0, List.of(), List.of()), 2 * 86_400_000_000_000L);
        assertThat(receiver.sessions()).as("silent for a day").isEqualTo(1);
    }
}
