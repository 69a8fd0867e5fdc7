package dev.argus.wire;

import dev.argus.model.AgentRecord;
import dev.argus.model.AgentTick;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CommunicatorTrail;
import dev.argus.model.FlightRecord;
import dev.argus.model.GpuReading;
import dev.argus.model.GroupUse;
import dev.argus.model.NameTable;
import dev.argus.model.OpaqueRecord;
import dev.argus.model.OverheadReading;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.RankState;
import dev.argus.model.RecordLoss;
import dev.argus.model.StackRecord;
import dev.argus.model.TraceHeader;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One record of each kind, by names of a table. */
final class AgentRecords {
    private AgentRecords() {}

    static TraceHeader header() {
        return new TraceHeader(
                3,
                64,
                "host0",
                "nccl",
                List.of(
                        new ProcessGroup("0", "default_pg", 64, RankSet.range(0, 63), true),
                        new ProcessGroup("12", "", 8, RankSet.of(3, 11, 12, 13, 60), false)),
                "H100",
                8,
                "job",
                Map.of("torch", "2.6", "cuda", "12.8"));
    }

    static RankDeclaration declaration(NameTable names) {
        return new RankDeclaration(
                1,
                3,
                header(),
                5,
                "GPU-1",
                true,
                List.of(
                        new GroupUse(names.id("0"), names.id("[0, 1, ..., 63]"), 64, 900, false),
                        new GroupUse(names.id("12"), -1, -1, 12, true)),
                List.of(new CommunicatorTrail(
                        names.id("\0unnamed 1"), true, List.of(new CommunicatorTrail.Step(7, 3, -5, new long[] {1, 2, 9
                        })))),
                0x1234_5678_9abc_def0L);
    }

    static StackRecord stacks(NameTable names) {
        int[] frames = {names.id("wait (threading.py:306)"), names.id("main (train.py:7)")};
        return new StackRecord(
                1,
                3,
                names.id("pid 7"),
                List.of(new StackRecord.Stack(names.id("MainThread"), true, 20, frames)),
                31,
                true);
    }

    static FlightRecord flight(NameTable names) {
        return new FlightRecord(
                1,
                3,
                List.of(new FlightRecord.Group(names.id("12"), names.id("tp"), RankSet.of(2, 3), true)),
                List.of(new FlightRecord.Status(4, 0, 10, 20, 19, false)),
                List.of(new FlightRecord.Call(
                        0,
                        20,
                        CollectiveOp.ALL_REDUCE,
                        names.id("all_reduce"),
                        names.id("2048x5120 BFloat16"),
                        -1,
                        true,
                        77)),
                100,
                5,
                90);
    }

    static GpuReading reading(NameTable names) {
        return new GpuReading(
                1,
                names.id("host0"),
                5,
                names.id("GPU-1"),
                List.of(new GpuReading.Metric(names.id("DCGM_FI_DEV_SM_CLOCK"), 1980, 1200, 1980, 9, 1, 1_000, 2_000)));
    }

    /** All kinds. Records with arrays are equal by their bytes only. */
    static List<AgentRecord> all(NameTable names, long seed) {
        return List.of(
                declaration(names),
                Renamed.of(new RandomRecords(seed).digest(), id -> id < 0 ? id : names.id("name " + id % 50)),
                Renamed.of(Windows.random(new Random(seed), seed), id -> names.id("void kernel<" + id + ">(int)")),
                stacks(names),
                flight(names),
                reading(names),
                new RecordLoss(1, -1, names.id("ring-full"), 17),
                new RankState(1, 3, 130, RankState.ProcessState.STOPPED, 123, 8, 121, 7, 120, -1, 0),
                new OverheadReading(1, 5, 9, 2, 1 << 20, 3, 4, 0.001, Double.NaN, 0.02),
                new AgentTick(1_700_000_000_000_000_000L, -5),
                new OpaqueRecord(3, new byte[] {1, 2, 3}));
    }
}
