package dev.argus.transport;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.model.NameTable;
import dev.argus.testkit.Fuzzed;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.WireException;
import dev.argus.wire.WireWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a shipment whose checksum is right: an answer that can be read, and cursors that never go back. */
@Fuzzed
class ReceiverFuzz {
    private static final SessionId SESSION = new SessionId(7, 7);

    private static Shipment shipment(int frames) {
        NameTable names = new NameTable();
        FrameWriter writer = new FrameWriter(SESSION, Shipping.JOB, Shipping.HOST, names);
        List<Shipment.Numbered> list = IntStream.rangeClosed(1, frames)
                .mapToObj(i -> {
                    writer.add(Shipping.record(names, i));
                    Shipment.Numbered frame = new Shipment.Numbered(i, writer.frame(0, 0));
                    writer.stored();
                    return frame;
                })
                .toList();
        return new Shipment(SESSION, Shipping.JOB, Shipping.HOST, 1, 1, true, 0, List.of(writer.names()), list);
    }

    static Stream<byte[]> seeds() {
        return IntStream.range(0, 4).mapToObj(n -> {
            byte[] bytes = shipment(n).encode();
            return Arrays.copyOf(bytes, bytes.length - 4);
        });
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void answered(byte[] unsummed) {
        byte[] bytes = new WireWriter().writeRaw(unsummed).writeChecksum(0).toByteArray();
        FrameReceiver receiver = new FrameReceiver(new Shipping.Sink(), CommandSource.NONE, true, 4);
        receiver.receive(shipment(2));
        Shipment shipment;
        try {
            shipment = Shipment.decode(bytes);
        } catch (WireException refused) {
            return;
        }
        ShipmentReply reply = ShipmentReply.decode(receiver.receive(shipment).encode());
        boolean back = reply.session().equals(SESSION)
                && reply.verdict() != ShipmentReply.Verdict.REFUSED
                && reply.received() < 2;
        if (back) {
            throw new AssertionError("cursor went back to " + reply.received());
        }
    }
}
