package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.AgentCommand;
import dev.argus.model.RankSet;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShipmentTest {
    static final SessionId SESSION = new SessionId(1, -2);

    static Shipment shipment() {
        return new Shipment(
                SESSION,
                "job",
                "host0",
                3,
                5,
                true,
                77,
                List.of(new byte[] {1, 2}),
                List.of(new Shipment.Numbered(5, new byte[] {9}), new Shipment.Numbered(8, new byte[0])));
    }

    static ShipmentReply reply() {
        return new ShipmentReply(
                SESSION,
                ShipmentReply.Verdict.NAMES_MISSING,
                "why",
                9,
                4,
                10,
                300,
                1500,
                List.of(
                        new AgentCommand.Retune(78, "job", RankSet.range(0, 7), 3, 10, 20),
                        new AgentCommand.SendExcerpt(79, "job", RankSet.EMPTY, 1, 1_000, 2_000)));
    }

    @Test
    void aShipmentArrives() {
        Shipment read = Shipment.decode(shipment().encode());

        assertThat(read.encode()).isEqualTo(shipment().encode());
        assertThat(read.floor()).isEqualTo(3);
        assertThat(read.from()).isEqualTo(5);
        assertThat(read.frames()).extracting(Shipment.Numbered::counter).containsExactly(5L, 8L);
        assertThat(read.lastCommand()).isEqualTo(77);
    }

    @Test
    void aReplyArrives() {
        assertThat(ShipmentReply.decode(reply().encode())).isEqualTo(reply());
    }

    @Test
    void theBytesAreThoseOfVersion1() {
        assertThat(HexFormat.of().formatHex(shipment().encode()))
                .isEqualTo("4152475301" + "0100000000000000feffffffffffffff" + "036a6f62" + "05686f737430" + "0305014d"
                        + "01020102" + "0205010908" + "00" + "fc730c30");
        assertThat(HexFormat.of().formatHex(reply().encode()))
                .isEqualTo(
                        "41524752010100000000000000feffffffffffffff020377687909040aac02dc0b02010b4e036a6f62010007030a14020b4f036a6f620001e807e807178c4580");
    }

    @Test
    void cutAndDamagedOnesAreRefused() {
        for (byte[] good : List.of(shipment().encode(), reply().encode())) {
            boolean request = good[3] == 'S';
            for (int n = 0; n < good.length; n++) {
                byte[] cut = Arrays.copyOf(good, n);
                assertThatThrownBy(() -> decode(request, cut)).isInstanceOf(WireException.class);
            }
            for (int at = 0; at < good.length - 4; at++) {
                for (int value = 0; value < 256; value++) {
                    byte[] damaged = good.clone();
                    damaged[at] = (byte) value;
                    Damage.refused(FrameTest.summed(damaged), in -> decode(request, in.readRest()));
                }
            }
        }
    }

    private static void decode(boolean request, byte[] bytes) {
        if (request) {
            Shipment.decode(bytes);
        } else {
            ShipmentReply.decode(bytes);
        }
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> new AgentCommand.Retune(1, "job", RankSet.EMPTY, 1 << 16, 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AgentCommand.SendExcerpt(1, "job", RankSet.EMPTY, 0, 5, 4))
                .isInstanceOf(IllegalArgumentException.class);
        ShipmentReply lying = new ShipmentReply(SESSION, ShipmentReply.Verdict.ACCEPTED, "", 4, 5, 0, 0, 0, List.of());
        assertThatThrownBy(() -> ShipmentReply.decode(lying.encode()))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("durable 5");
        Shipment backwards = new Shipment(
                SESSION, "job", "host0", 1, 2, true, 0, List.of(), List.of(new Shipment.Numbered(1, new byte[0])));
        assertThatThrownBy(() -> Shipment.decode(backwards.encode()))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("frame 1 behind 1");
    }

    @Test
    void aCommandOfAKindNotKnownIsSteppedOver() {
        byte[] bytes = reply().encode();
        int kind =
                HexFormat.of().formatHex(bytes).indexOf("dc0b02") / 2 + 3; // behind the wait and the number of commands
        bytes[kind] = 50;
        assertThat(ShipmentReply.decode(FrameTest.summed(bytes)).commands())
                .singleElement()
                .isInstanceOf(AgentCommand.SendExcerpt.class);
    }
}
