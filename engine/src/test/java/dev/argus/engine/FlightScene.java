package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.FlightRecord.Group;
import dev.argus.model.FlightRecord.Status;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A stopped job, put together member by member: who called and saw complete how much of each group. */
final class FlightScene {
    private static final long START = 1_700_000_000_000_000_000L;

    final NameTable names = new NameTable();
    private final int world;
    private final Map<Integer, List<Group>> groups = new TreeMap<>();
    private final Map<Integer, List<Status>> statuses = new TreeMap<>();
    private final Map<Integer, List<Call>> calls = new TreeMap<>();
    private int made;

    FlightScene(int world) {
        this.world = world;
    }

    /** One group: what each member called last, all of which completed {@code completed}. */
    FlightScene group(String label, RankSet members, long completed, long... called) {
        return group(label, CollectiveOp.ALL_REDUCE, members, completed, called);
    }

    FlightScene group(String label, CollectiveOp op, RankSet members, long completed, long... called) {
        made++;
        for (int i = 0; i < called.length; i++) {
            member(label, op, members, members.get(i), completed, called[i]);
        }
        return this;
    }

    /** One member of a group made before, or of a new one if the label is new. */
    FlightScene member(String label, CollectiveOp op, RankSet members, int rank, long completed, long called) {
        int group = declare(label, members, rank);
        of(statuses, rank).add(new Status(made, group, completed + 1, called, completed, false));
        for (long s = completed + 1; s <= called; s++) {
            call(rank, group, s, op, op.name().toLowerCase(java.util.Locale.ROOT), -1);
        }
        return this;
    }

    private int declare(String label, RankSet members, int rank) {
        List<Group> own = of(groups, rank);
        own.add(new Group(names.id(String.valueOf(made)), names.id(label), members, true));
        return own.size() - 1;
    }

    FlightScene pair(String label, RankSet members, int rank, CollectiveOp op, int peer) {
        int group = declare(label, members, rank);
        of(statuses, rank).add(new Status(100 + made, group, -1, 5, 4, true));
        call(rank, group, 9, op, op == CollectiveOp.SEND ? "send" : "recv", peer);
        return this;
    }

    /** Replaces the name of one open call. */
    FlightScene renamed(int rank, long sequence, CollectiveOp op, String name) {
        List<Call> own = of(calls, rank);
        own.replaceAll(c -> c.sequence() == sequence
                ? new Call(c.group(), sequence, op, names.id(name), c.shape(), -1, false, c.createdNanos())
                : c);
        return this;
    }

    /** The ring of a rank is empty: its local ids tell no group. */
    FlightScene emptyRing(int rank) {
        of(calls, rank).clear();
        of(statuses, rank).replaceAll(s -> new Status(s.localId(), -1, -1, s.enqueued(), s.completed(), false));
        return this;
    }

    /** A rank without any record. */
    FlightScene without(int rank) {
        groups.remove(rank);
        return this;
    }

    private void call(int rank, int group, long sequence, CollectiveOp op, String name, int peer) {
        of(calls, rank)
                .add(new Call(
                        group,
                        sequence,
                        op,
                        names.id(name),
                        names.id("8 Half"),
                        peer,
                        false,
                        START + sequence * 1000 + rank));
    }

    private static <T> List<T> of(Map<Integer, List<T>> map, int rank) {
        return map.computeIfAbsent(rank, r -> new ArrayList<>());
    }

    List<FlightRecord> records() {
        List<FlightRecord> list = new ArrayList<>();
        groups.forEach((rank, own) -> {
            List<Call> open = calls.getOrDefault(rank, List.of());
            list.add(new FlightRecord(
                    0, rank, own, statuses.getOrDefault(rank, List.of()), open, open.size(), START, START + 1));
        });
        return list;
    }

    /** Of the open calls of a rank these have begun on the GPU, and no others. */
    FlightScene begun(int rank, long... sequences) {
        of(calls, rank)
                .replaceAll(c -> new Call(
                        c.group(),
                        c.sequence(),
                        c.op(),
                        c.name(),
                        c.shape(),
                        c.peer(),
                        java.util.Arrays.stream(sequences).anyMatch(s -> s == c.sequence()),
                        c.createdNanos()));
        return this;
    }

    /** Open calls of a rank between two numbers, both included, are not told. */
    FlightScene dropped(int rank, long from, long to) {
        of(calls, rank).removeIf(c -> c.sequence() >= from && c.sequence() <= to);
        return this;
    }

    /** All open calls of a rank have this number. */
    FlightScene numbered(int rank, long sequence) {
        of(calls, rank)
                .replaceAll(c -> new Call(
                        c.group(), sequence, c.op(), c.name(), c.shape(), c.peer(), c.started(), c.createdNanos()));
        return this;
    }

    /** What is concluded of ranks that are being watched, whose ends are all known, or not. */
    Concluded watched(boolean known) {
        Map<Integer, FlightRecord> all = new TreeMap<>();
        records()
                .forEach(r -> all.put(
                        r.rank(),
                        new FlightRecord(
                                0,
                                r.rank(),
                                r.groups(),
                                r.statuses(),
                                r.calls(),
                                r.entries(),
                                START,
                                known ? START + 1_000_000_000L : 0)));
        return new HangSuspects(all, shape(), names, true).draw();
    }

    private SideRecords detector() {
        return new SideRecords(shape(), names);
    }

    private JobShape shape() {
        RankSet ranks = RankSet.of(groups.keySet().stream().mapToInt(r -> r).toArray());
        return new JobShape(
                0,
                world,
                ranks,
                Map.of(),
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                List.of(),
                List.of());
    }

    /** What is concluded; in another order of records, with each given twice, and written down and taken up in the middle: the same. */
    Concluded conclude() {
        Concluded first = conclude(records());
        for (int seed = 0; seed < 5; seed++) {
            List<FlightRecord> order = new ArrayList<>(records());
            order.addAll(records());
            Collections.shuffle(order, new Random(seed));
            Concluded again = conclude(order);
            if (!again.equals(first)) {
                throw new AssertionError("seed " + seed + ": " + again + " instead of " + first);
            }
        }
        return first;
    }

    private Concluded conclude(List<FlightRecord> order) {
        SideRecords hangs = detector();
        List<Concluded> out = new ArrayList<>();
        Out to = new Out() {
            @Override
            public void emit(Partial partial) {
                out.add((Concluded) partial);
            }

            @Override
            public void timer(long eventNanos) {}

            @Override
            public void loss(String reason) {
                throw new AssertionError(reason);
            }
        };
        SideRecords.State state = hangs.fresh(0);
        for (FlightRecord record : order) {
            hangs.onRecord(state, record, to);
            WireWriter bytes = new WireWriter();
            hangs.encode(state, bytes);
            WireReader from = new WireReader(bytes.toByteArray());
            state = hangs.decode(0, from);
            from.expectEnd();
        }
        hangs.onTimer(state, Long.MAX_VALUE, to);
        return out.getFirst();
    }
}
