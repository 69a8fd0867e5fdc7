package dev.argus.engine;

import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.PackedCollectives;
import dev.argus.model.RankSet;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The ledger: matches collectives across the members of a group and splits each duration in wait and transfer. Key: (attempt,
 * group).
 *
 * <p>For operations in which all wait for the last (all-reduce, all-gather, reduce-scatter, barrier, balanced all-to-all): transfer
 * = the shortest member's duration, wait = own duration less that, and the shortest member is the last to arrive. Only the
 * part of a wait that no compute of the waiting rank covers counts as lost. Instances match by sequence number, else by order;
 * where the members disagree about operation or payload the instance is ambiguous and nobody is blamed.
 *
 * <p>Transfers are handed on to be compared where they can tell about links ({@link Mover}); of groups that are not complete always, for those are compared to find
 * who is missing.
 *
 * <p>State: steps that not all members have reported, about 30 bytes a collective; a step is closed when all have reported, or
 * when it is {@value #OPEN_STEPS} steps behind the newest, with the members that have.
 */
final class GroupWaits implements Transform<GroupStep, GroupWaits.State> {
    static final int OPEN_STEPS = 8;

    /** Numbers of closed steps remembered, so that a record that comes again does not open them again. */
    private static final int CLOSED_STEPS = 64;

    private final JobShape shape;

    /** Members of each group that can report. */
    private final int[] expected;

    private final List<TransferSample.Spread> spreads = new ArrayList<>();

    GroupWaits(JobShape shape) {
        this.shape = shape;
        expected = new int[shape.groups().size()];
        for (int g = 0; g < expected.length; g++) {
            RankSet ranks = shape.groups().get(g).ranks();
            expected[g] = ranks.intersect(shape.ranks()).size();
            spreads.add(TransferSample.Spread.of(shape, ranks));
        }
    }

    /** Steps that are not closed yet. */
    static final class State {
        final int attempt;
        final int group;
        final TreeMap<Long, GroupMembers> open = new TreeMap<>();
        final TreeSet<Long> closed = new TreeSet<>();

        /** Of {@code open} the step of the last record, for most records are of it. */
        private long newest;

        private @Nullable GroupMembers ofNewest;

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
        GroupMembers step = state.ofNewest;
        if (step == null || r.step() != state.newest) {
            if (state.closed.contains(r.step())
                    || (state.closed.size() == CLOSED_STEPS && r.step() < state.closed.first())) {
                out.loss("repeated-step");
                return;
            }
            step = state.open.computeIfAbsent(r.step(), s -> new GroupMembers(expected[state.group]));
            state.newest = r.step();
            state.ofNewest = step;
        }
        step.put(r.rank(), r.mover(), r.collectives());
        if (step.size() >= expected[state.group]) {
            close(state, r.step(), out);
        }
        while (state.open.size() > OPEN_STEPS) {
            close(state, state.open.firstKey(), out);
        }
    }

    @Override
    public void onTimer(State state, long eventNanos, Out out) {
        while (!state.open.isEmpty()) {
            close(state, state.open.firstKey(), out);
        }
    }

    private void close(State state, long step, Out out) {
        GroupMembers byRank = state.open.remove(step);
        state.ofNewest = null;
        state.closed.add(step);
        if (state.closed.size() > CLOSED_STEPS) {
            state.closed.pollFirst();
        }
        RankSet group = shape.groups().get(state.group).ranks();
        boolean whole = expected[state.group] == group.size();
        if (byRank == null || (byRank.size() < 2 && whole)) {
            return;
        }
        new GroupMatching(shape, state.attempt, state.group, step, byRank, group, spreads.get(state.group)).emit(out);
    }

    @Override
    public void encode(State state, WireWriter to) {
        to.writeVarint(state.closed.size());
        state.closed.forEach(to::writeSigned);
        to.writeVarint(state.open.size());
        state.open.forEach((step, byRank) -> {
            to.writeSigned(step);
            to.writeByte(byRank.mover().ordinal());
            to.writeVarint(byRank.size());
            for (int rank : byRank.ranks()) {
                List<CollectiveStat> list = byRank.of(rank);
                to.writeVarint(rank);
                to.writeVarint(list.size());
                list.forEach(c -> CollectiveCodec.encode(c, to));
            }
        });
    }

    @Override
    public State decode(long key, WireReader from) {
        State state = fresh(key);
        int closed = from.readCount(1);
        for (int i = 0; i < closed; i++) {
            state.closed.add(from.readSigned());
        }
        int steps = from.readCount(3);
        if (steps > OPEN_STEPS) {
            throw new WireException("state of " + steps + " open steps, expected at most " + OPEN_STEPS);
        }
        for (int i = 0; i < steps; i++) {
            GroupMembers byRank = new GroupMembers(0);
            state.open.put(from.readSigned(), byRank);
            Mover mover = Mover.at(from.readByte());
            int ranks = from.readCount(2);
            for (int r = 0; r < ranks; r++) {
                int rank = from.readInt();
                List<CollectiveStat> list = new ArrayList<>();
                int n = from.readCount(CollectiveCodec.MIN_BYTES);
                for (int c = 0; c < n; c++) {
                    list.add(CollectiveCodec.decode(from));
                }
                byRank.put(rank, mover, PackedCollectives.of(list));
            }
        }
        return state;
    }
}
