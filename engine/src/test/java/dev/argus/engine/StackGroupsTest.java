package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.SideRecord;
import dev.argus.model.StackRecord;
import dev.argus.model.StackRecord.Stack;
import dev.argus.model.Topology;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Equal stacks, and the odd one out. */
class StackGroupsTest {
    private static final String[] WAITING = {"wait (distributed_c10d.py:5)", "all_reduce (x.py:1)", "main (t.py:1)"};
    private static final String[] LOADING = {"get (queue.py:1)", "_next_data (dataloader.py:9)", "main (t.py:1)"};
    private static final String[] RUNNING = {"forward (model.py:3)", "main (t.py:1)"};

    private NameTable names = new NameTable();

    private StackRecord process(int rank, String... frames) {
        int[] ids = Stream.of(frames).mapToInt(names::id).toArray();
        Stack stack = new Stack(names.id("MainThread"), true, 1, ids);
        return new StackRecord(0, rank, names.id("file" + rank), List.of(stack), 1, false);
    }

    private List<SideRecord> processes(int waiting, int others, String... frames) {
        List<SideRecord> list = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            list.add(process(i, WAITING));
        }
        for (int i = 0; i < others; i++) {
            list.add(process(waiting + i, frames));
        }
        return list;
    }

    private Concluded conclude(List<? extends SideRecord> records) {
        JobShape shape = new JobShape(
                0,
                8,
                RankSet.EMPTY,
                Map.of(),
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                List.of(),
                List.of());
        SideRecords detector = new SideRecords(shape, names);
        List<Concluded> out = new ArrayList<>();
        Out to = new Out() {
            @Override
            public void emit(Partial partial) {
                out.add((Concluded) partial);
            }

            @Override
            public void timer(long eventNanos) {}

            @Override
            public void loss(String reason) {}
        };
        for (int seed = 0; seed < 3; seed++) {
            List<SideRecord> order = new ArrayList<>(records);
            order.addAll(records);
            Collections.shuffle(order, new Random(seed));
            SideRecords.State state = detector.fresh(0);
            for (SideRecord r : order) {
                detector.onRecord(state, r, to);
                WireWriter bytes = new WireWriter();
                detector.encode(state, bytes);
                state = detector.decode(0, new WireReader(bytes.toByteArray()));
            }
            detector.onTimer(state, Long.MAX_VALUE, to);
        }
        assertThat(out).as("in any order").containsOnly(out.getFirst());
        return out.getFirst();
    }

    @Test
    void equalStacksAreCounted() {
        Concluded c = conclude(processes(6, 2, RUNNING));
        assertThat(c.notes())
                .containsExactly(
                        "stacks: 8 processes in 2 groups of equal stacks",
                        "stacks: 6 of 8, ranks 0-5: wait (distributed_c10d.py:5) < all_reduce (x.py:1) < main (t.py:1)",
                        "stacks: 2 of 8, ranks 6-7: forward (model.py:3) < main (t.py:1)");
    }

    @Test
    void fires_forTheOddOneThatOthersWaitFor() {
        Incident i = conclude(processes(7, 1, LOADING)).observations().getFirst();
        assertThat(i.kind()).isEqualTo(IncidentKind.DATA_STALL);
        assertThat(i.ranks()).isEqualTo(RankSet.of(7));
        assertThat(i.summary()).isEqualTo("rank 7 is in get (queue.py:1), while 7 of 8 processes wait in a collective");
        assertThat(conclude(processes(7, 1, "collect (gc.py:1)", "gc.collect (x)"))
                        .observations()
                        .getFirst()
                        .kind())
                .isEqualTo(IncidentKind.GC_PAUSE);
        assertThat(conclude(processes(7, 1, "x (torch/_inductor/a.py:1)"))
                        .observations()
                        .getFirst()
                        .kind())
                .isEqualTo(IncidentKind.JIT_STALL);
        assertThat(conclude(processes(7, 1, RUNNING)).observations().getFirst().kind())
                .isEqualTo(IncidentKind.CPU_STALL);
    }

    @Test
    void justNot_whenTheOddAreMoreThanAQuarter() {
        assertThat(conclude(processes(6, 2, RUNNING)).observations()).hasSize(1);
        assertThat(conclude(processes(5, 3, RUNNING)).observations()).isEmpty();
    }

    /** It waits too, elsewhere. */
    @Test
    void justNot_whenTheOddOneWaitsAsWell() {
        assertThat(conclude(processes(7, 1, "barrier (distributed_c10d.py:9)", "main (t.py:1)"))
                        .observations())
                .isEmpty();
    }

    @Test
    void notApplicable_whenTheUsualOnesWaitForNobody() {
        List<SideRecord> running = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            running.add(process(i, RUNNING));
        }
        running.add(process(7, LOADING));
        assertThat(conclude(running).observations()).isEmpty();
    }

    @Test
    void notApplicable_toFewProcessesOrUnknownRanks() {
        assertThat(conclude(processes(2, 1, LOADING)).observations()).isEmpty();
        List<SideRecord> unknown = processes(7, 0);
        unknown.add(process(-1, LOADING));
        assertThat(conclude(unknown).observations()).isEmpty();
    }

    /** What the missing rank of a hang does stands in its evidence. */
    @Test
    void stacksExplainAHang() {
        FlightScene scene = new FlightScene(4).group("dp", RankSet.range(0, 3), 40, 42, 42, 40, 42);
        names = scene.names;
        List<SideRecord> records = new ArrayList<>(scene.records());
        records.add(process(0, WAITING));
        records.add(process(2, LOADING));
        Incident i = conclude(records).incidents().getFirst();
        assertThat(i.ranks()).isEqualTo(RankSet.of(2));
        assertThat(i.levels()).contains(Level.L5);
        assertThat(i.evidence().getLast().what()).startsWith("stack of rank 2: get (queue.py:1)");
    }
}
