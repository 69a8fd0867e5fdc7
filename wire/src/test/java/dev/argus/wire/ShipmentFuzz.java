package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.testkit.Fuzzed;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a shipment and as a reply whose checksum is right: refused by name, or read. */
@Fuzzed
class ShipmentFuzz {
    static Stream<byte[]> seeds() {
        return Stream.of(ShipmentTest.shipment().encode(), ShipmentTest.reply().encode())
                .map(b -> Arrays.copyOf(b, b.length - 4));
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void refusedOrReadAgain(byte[] unsummed) {
        byte[] bytes = new WireWriter().writeRaw(unsummed).writeChecksum(0).toByteArray();
        long allowed = (1 << 20) + 64L * bytes.length;
        Shipment shipment = Fuzzing.decoded(Shipment::decode, bytes, allowed);
        if (shipment != null) {
            Shipment.decode(shipment.encode());
        }
        ShipmentReply reply = Fuzzing.decoded(ShipmentReply::decode, bytes, allowed);
        if (reply != null) {
            Fuzzing.check(ShipmentReply.decode(reply.encode()).equals(reply), "another reply the second time");
        }
    }
}
