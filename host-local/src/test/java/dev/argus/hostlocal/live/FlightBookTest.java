package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.CollectiveOp;
import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.FlightRecord.Group;
import dev.argus.model.FlightRecord.Status;
import dev.argus.model.RankSet;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Flight records over a restart. */
class FlightBookTest {
    private static List<FlightRecord> flights() {
        Group world = new Group(1, 2, RankSet.range(0, 999), true);
        Group odd = new Group(3, 3, RankSet.of(Integer.MIN_VALUE, -1, 7, Integer.MAX_VALUE), false);
        Call call = new Call(1, 101, CollectiveOp.ALL_REDUCE, 4, 5, -1, true, 77);
        List<FlightRecord> all = new ArrayList<>();
        for (int rank = 0; rank < 100; rank++) {
            all.add(new FlightRecord(
                    3,
                    rank,
                    rank % 2 == 0 ? List.of(world, odd) : List.of(world),
                    List.of(new Status(0, 0, 1, 101, 100, false)),
                    rank % 3 == 0 ? List.of(call) : List.of(),
                    1,
                    -5,
                    9));
        }
        return all;
    }

    private static byte[] bytes(List<FlightRecord> flights) {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        SnapshotOut out = new SnapshotOut(to);
        FlightBook.encode(flights, out);
        out.end();
        return Arrays.copyOf(to.toByteArray(), to.size() - 4);
    }

    @Test
    void comeBackAsTheyWereAndWriteGroupsOnce() {
        byte[] bytes = bytes(flights());
        WireReader from = new WireReader(bytes);
        assertThat(FlightBook.decode(from)).isEqualTo(flights());
        from.expectEnd();
        assertThat(bytes.length)
                .as("a thousand members once, not a hundred times")
                .isLessThan(6_000);
    }

    @Test
    void cutsAreRefused() {
        byte[] bytes = bytes(flights());
        for (int cut = 0; cut < bytes.length; cut += 7) {
            byte[] part = Arrays.copyOf(bytes, cut);
            assertThatThrownBy(() -> FlightBook.decode(new WireReader(part))).isInstanceOf(WireException.class);
        }
    }
}
