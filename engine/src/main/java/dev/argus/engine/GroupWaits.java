package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ledger: matches collectives across the members of a group and splits each duration in wait and transfer. Key: (attempt,
 * group).
 *
 * <p>For operations in which all wait for the last (all-reduce, all-gather, reduce-scatter, barrier, balanced all-to-all): transfer
 * = the shortest member's duration, wait = own duration less that, and the shortest member is the last to arrive. Only the
 * part of a wait that no compute of the waiting rank covers counts as lost. Instances match by sequence number, else by order;
 * where the members disagree about operation or payload the instance is ambiguous and nobody is blamed.
 *
 * <p>State: steps that not all members have reported, about 12 bytes a collective; a step is closed when all have reported, or
 * when it is {@value #OPEN_STEPS} steps behind the newest, with the members that have.
 */
final class GroupWaits implements Transform<GroupStep, GroupWaits.State> {
    static final int OPEN_STEPS = 8;

    /** Numbers of closed steps remembered, so that a record that comes again does not open them again. */
    private static final int CLOSED_STEPS = 64;

    /** Below this difference of durations nobody was late: it is how far apart the ends of one collective are. */
    private static final long SAME_ARRIVAL_NANOS = 20_000;

    /** Marks the number of a pair of ranks, apart from positions of groups. */
    private static final int PAIR = 0x4000_0000;

    private static final CollectiveOp[] OPS = CollectiveOp.values();

    private final JobShape shape;

    GroupWaits(JobShape shape) {
        this.shape = shape;
    }

    /** Steps that are not closed yet. */
    static final class State {
        final int attempt;
        final int group;
        final TreeMap<Long, Map<Integer, List<CollectiveStat>>> open = new TreeMap<>();
        final TreeSet<Long> closed = new TreeSet<>();

        State(int attempt, int group) {
            this.attempt = attempt;
            this.group = group;
        }
    }

    @Override
    public long key(GroupStep r) {
        return Keys.of(r.attempt(), r.group(), 0);
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key), Keys.first(key));
    }

    @Override
    public void onRecord(State state, GroupStep r, Out out) {
        if (state.closed.contains(r.step())
                || (state.closed.size() == CLOSED_STEPS && r.step() < state.closed.first())) {
            out.loss("repeated-step");
            return;
        }
        Map<Integer, List<CollectiveStat>> step = state.open.computeIfAbsent(r.step(), s -> new TreeMap<>());
        step.put(r.rank(), r.collectives());
        if (step.size() >= expected(state.group)) {
            close(state, r.step(), out);
        }
        while (state.open.size() > OPEN_STEPS) {
            close(state, state.open.firstKey(), out);
        }
    }

    private int expected(int group) {
        return shape.groups().get(group).ranks().intersect(shape.ranks()).size();
    }

    @Override
    public void onTimer(State state, long eventNanos, Out out) {
        while (!state.open.isEmpty()) {
            close(state, state.open.firstKey(), out);
        }
    }

    private void close(State state, long step, Out out) {
        Map<Integer, List<CollectiveStat>> byRank = state.open.remove(step);
        state.closed.add(step);
        if (state.closed.size() > CLOSED_STEPS) {
            state.closed.pollFirst();
        }
        boolean whole =
                expected(state.group) == shape.groups().get(state.group).ranks().size();
        if (byRank == null || (byRank.size() < 2 && whole)) {
            return;
        }
        RankSet group = shape.groups().get(state.group).ranks();
        new Matching(shape, state, step, byRank, group).emit(out);
    }

    private static final class Matching {
        private final JobShape shape;
        private final State state;
        private final long step;
        private final int[] ranks;
        private final List<List<CollectiveStat>> lists = new ArrayList<>();
        private final List<List<CollectiveStat>> collectives = new ArrayList<>();
        private final RankSet group;
        private final long[] suffered;
        private final long[] caused;
        private int instances;
        private int ambiguous;

        Matching(JobShape shape, State state, long step, Map<Integer, List<CollectiveStat>> byRank, RankSet group) {
            this.shape = shape;
            this.state = state;
            this.step = step;
            this.ranks = byRank.keySet().stream().mapToInt(r -> r).toArray();
            lists.addAll(byRank.values());
            for (List<CollectiveStat> list : lists) {
                collectives.add(
                        list.stream().filter(c -> !c.op().isPointToPoint()).toList());
            }
            this.group = group;
            this.suffered = new long[ranks.length];
            this.caused = new long[ranks.length];
        }

        void emit(Out out) {
            pairs(out);
            Map<Long, TransferSample> transfers = new TreeMap<>();
            for (List<CollectiveStat> instance : match()) {
                if (instance.isEmpty()) {
                    ambiguous++;
                } else {
                    account(instance, transfers);
                }
            }
            if (ambiguous > 0) {
                out.loss("ambiguous-collective");
            }
            out.emit(new WaitPartial(state.attempt, state.group, step, ranks, suffered, caused, instances, ambiguous));
            boolean complete = ranks.length == group.size();
            transfers.forEach((kind, sample) -> out.emit(sample.partial(
                    shape, state.attempt, state.group, group, step, OPS[(int) (kind & 0xF)], kind >> 4, complete)));
        }

        /** The k-th send of a rank to another and the k-th receive there are one transfer; it lasts the shorter of both. */
        private void pairs(Out out) {
            Map<Long, List<CollectiveStat>> sends = new TreeMap<>();
            Map<Long, List<CollectiveStat>> receives = new TreeMap<>();
            for (int i = 0; i < ranks.length; i++) {
                for (CollectiveStat c : lists.get(i)) {
                    if (c.op() == CollectiveOp.SEND && c.peer() >= 0) {
                        sends.computeIfAbsent((long) ranks[i] << 32 | c.peer(), k -> new ArrayList<>())
                                .add(c);
                    } else if (c.op() == CollectiveOp.RECV && c.peer() >= 0) {
                        receives.computeIfAbsent((long) c.peer() << 32 | ranks[i], k -> new ArrayList<>())
                                .add(c);
                    }
                }
            }
            sends.forEach((edge, list) -> {
                List<CollectiveStat> other = receives.get(edge);
                if (other == null || other.size() != list.size()) {
                    return;
                }
                Map<Long, TransferSample> sizes = new TreeMap<>();
                for (int i = 0; i < list.size(); i++) {
                    CollectiveStat send = list.get(i);
                    CollectiveStat receive = other.get(i);
                    long shorter = Math.min(send.durationNanos(), receive.durationNanos());
                    long exposed = Math.max(send.exposedNanos(), receive.exposedNanos());
                    sizes.computeIfAbsent(TransferSample.sizeClass(send.bytes()), k -> new TransferSample())
                            .add(shorter, send.bytes(), exposed);
                }
                int from = (int) (edge >> 32);
                int to = (int) (long) edge;
                sizes.forEach((bytes, sample) -> out.emit(sample.partial(
                        shape,
                        state.attempt,
                        pair(from, to),
                        RankSet.of(from, to),
                        step,
                        CollectiveOp.SEND,
                        bytes,
                        true)));
            });
        }

        /** A number for a direction between two ranks, 30 bits: up to 32,768 ranks all differ, beyond hardly ever two are alike. */
        private static int pair(int from, int to) {
            long mixed = from < 1 << 15 && to < 1 << 15
                    ? (long) from << 15 | to
                    : (from * 0x9E3779B97F4A7C15L + to * 0xC2B2AE3D27D4EB4FL) >>> 34;
            return PAIR | (int) mixed;
        }

        /** One list a collective, members in the order of {@code ranks}; empty where the members disagree. */
        private List<List<CollectiveStat>> match() {
            List<List<CollectiveStat>> instances = new ArrayList<>();
            if (collectives.stream().allMatch(l -> l.stream().allMatch(c -> c.sequence() >= 0))) {
                Map<String, List<CollectiveStat>> bySequence = new TreeMap<>();
                for (List<CollectiveStat> list : collectives) {
                    for (CollectiveStat c : list) {
                        bySequence
                                .computeIfAbsent(c.sequence() + "/" + c.op(), s -> new ArrayList<>())
                                .add(c);
                    }
                }
                bySequence.values().forEach(l -> instances.add(l.size() == ranks.length ? l : List.of()));
                return instances;
            }
            int common = collectives.stream().mapToInt(List::size).min().orElse(0);
            int most = collectives.stream().mapToInt(List::size).max().orElse(0);
            for (int i = 0; i < common; i++) {
                List<CollectiveStat> instance = new ArrayList<>();
                for (List<CollectiveStat> list : collectives) {
                    instance.add(list.get(i));
                }
                instances.add(common == most || alike(instance) ? instance : List.of());
            }
            for (int i = common; i < most; i++) {
                instances.add(List.of());
            }
            return instances;
        }

        private static boolean alike(List<CollectiveStat> instance) {
            CollectiveStat first = instance.getFirst();
            return instance.stream().allMatch(c -> c.op() == first.op() && c.bytes() == first.bytes());
        }

        private void account(List<CollectiveStat> instance, Map<Long, TransferSample> transfers) {
            CollectiveStat first = instance.getFirst();
            if (!first.op().isBarrier()) {
                return;
            }
            if (!alike(instance)) {
                ambiguous++;
                return;
            }
            instances++;
            long shortest = Long.MAX_VALUE;
            long second = Long.MAX_VALUE;
            int last = -1;
            for (int i = 0; i < ranks.length; i++) {
                long d = instance.get(i).durationNanos();
                if (d < shortest) {
                    second = shortest;
                    shortest = d;
                    last = i;
                } else {
                    second = Math.min(second, d);
                }
            }
            long waited = 0;
            long exposed = 0;
            for (int i = 0; i < ranks.length; i++) {
                CollectiveStat c = instance.get(i);
                long wait = Math.min(c.durationNanos() - shortest, c.exposedNanos());
                exposed = Math.max(exposed, c.exposedNanos());
                suffered[i] += wait;
                waited += wait;
            }
            if (second - shortest > SAME_ARRIVAL_NANOS) {
                caused[last] += waited;
            }
            transfers
                    .computeIfAbsent(
                            TransferSample.sizeClass(first.bytes()) << 4
                                    | first.op().ordinal(),
                            k -> new TransferSample())
                    .add(shortest, first.bytes(), exposed);
        }
    }

    @Override
    public void encode(State state, WireWriter to) {
        to.writeVarint(state.closed.size());
        state.closed.forEach(to::writeSigned);
        to.writeVarint(state.open.size());
        state.open.forEach((step, byRank) -> {
            to.writeSigned(step);
            to.writeVarint(byRank.size());
            byRank.forEach((rank, list) -> {
                to.writeVarint(rank);
                to.writeVarint(list.size());
                list.forEach(c -> CollectiveCodec.encode(c, to));
            });
        });
    }

    @Override
    public State decode(long key, WireReader from) {
        State state = fresh(key);
        int closed = from.readCount(1);
        for (int i = 0; i < closed; i++) {
            state.closed.add(from.readSigned());
        }
        int steps = from.readCount(2);
        if (steps > OPEN_STEPS) {
            throw new WireException("state of " + steps + " open steps, expected at most " + OPEN_STEPS);
        }
        for (int i = 0; i < steps; i++) {
            Map<Integer, List<CollectiveStat>> byRank = new TreeMap<>();
            state.open.put(from.readSigned(), byRank);
            int ranks = from.readCount(2);
            for (int r = 0; r < ranks; r++) {
                List<CollectiveStat> list = new ArrayList<>();
                byRank.put(from.readInt(), list);
                int n = from.readCount(CollectiveCodec.MIN_BYTES);
                for (int c = 0; c < n; c++) {
                    list.add(CollectiveCodec.decode(from));
                }
            }
        }
        return state;
    }
}
