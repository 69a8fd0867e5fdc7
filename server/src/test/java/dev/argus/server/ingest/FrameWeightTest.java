package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.AgentRecord;
import dev.argus.model.CollectiveOp;
import dev.argus.model.FlightRecord;
import dev.argus.model.RankSet;
import dev.argus.wire.Frame;
import dev.argus.wire.FrameHead;
import dev.argus.wire.SessionId;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameWeightTest {
    private static long weight(AgentRecord record) {
        return FrameWeight.of(new Frame(new FrameHead(new SessionId(1, 2), 1, "j", 0, "h", 0), List.of(record), 0, 0));
    }

    @Test
    void aFlightRecordWeighsWhatItHolds() {
        assertThat(weight(new FlightRecord(0, 0, List.of(), List.of(), List.of(), 0, 0, 0)))
                .isLessThan(1_000);
        FlightRecord.Call call = new FlightRecord.Call(0, 1, CollectiveOp.ALL_REDUCE, 0, 0, -1, true, 0);
        FlightRecord.Group group = new FlightRecord.Group(0, 0, RankSet.range(0, 100_000), true);
        assertThat(weight(new FlightRecord(0, 0, List.of(), List.of(), Collections.nCopies(10_000, call), 0, 0, 0)))
                .isBetween(500_000L, 5_000_000L);
        assertThat(weight(new FlightRecord(0, 0, List.of(group), List.of(), List.of(), 0, 0, 0)))
                .isGreaterThan(400_000);
    }
}
