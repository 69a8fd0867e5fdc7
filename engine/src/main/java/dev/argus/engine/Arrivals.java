package dev.argus.engine;

import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.StepDigest;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who comes late to the collectives of a record that is too short for steps: one or two of them, or none marked. There is no trend and no
 * persistence, so nothing is an incident; but if one rank keeps the others waiting more than any other does, that is worth saying, and
 * whether its own kernels are longer ({@link ArrivalTally}). Key: attempt.
 *
 * <p>State: of at most {@value #MAX_RANKS} ranks the compute time and, at most {@value #MAX_CALLS}, the collectives of two steps, about 20
 * bytes each; nothing once a third step is seen, which is the other detectors' to judge.
 */
final class Arrivals implements Transform<StepDigest, Arrivals.State> {
    static final int FEW_STEPS = 2;
    static final int MAX_CALLS = 1024;

    /** More ranks are not tallied: two steps of all their collectives are too much to keep for a record so short. */
    static final int MAX_RANKS = 64;

    private final JobShape shape;

    Arrivals(JobShape shape) {
        this.shape = shape;
    }

    /** What one rank spent, over the few steps, by step. */
    record Spent(long durationNanos, long computeNanos, long hostIdleNanos, List<CollectiveStat> collectives) {}

    /** Steps seen, and what the ranks spent in them. */
    static final class State {
        final int attempt;
        final TreeMap<Long, TreeMap<Integer, Spent>> steps = new TreeMap<>();
        boolean many;

        State(int attempt) {
            this.attempt = attempt;
        }
    }

    @Override
    public long key(StepDigest digest) {
        return Keys.of(digest.attempt(), 0, 0);
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key));
    }

    @Override
    public void onRecord(State state, StepDigest d, Out out) {
        if (state.many || shape.ranks().size() > MAX_RANKS) {
            return;
        }
        if (!state.steps.containsKey(d.step()) && state.steps.size() >= FEW_STEPS) {
            state.many = true;
            state.steps.clear();
            return;
        }
        boolean usable = d.gpu() && !d.partial();
        if (usable) {
            List<CollectiveStat> calls = d.collectives().stream()
                    .filter(c -> c.op().isBarrier() && shape.groupIndex(d.rank(), c.group()) >= 0)
                    .limit(MAX_CALLS)
                    .toList();
            Spent spent =
                    new Spent(d.durationNanos(), d.own().computeNanos(), d.own().hostIdleNanos(), calls);
            state.steps.computeIfAbsent(d.step(), s -> new TreeMap<>()).put(d.rank(), spent);
        } else {
            state.steps.computeIfAbsent(d.step(), s -> new TreeMap<>());
        }
    }

    @Override
    public void onTimer(State state, long eventNanos, Out out) {
        if (!state.many && !state.steps.isEmpty()) {
            new ArrivalTally(state, shape).conclude().ifPresent(out::emit);
        }
    }

    @Override
    public void encode(State state, WireWriter to) {
        to.writeByte(state.many ? 1 : 0).writeVarint(state.steps.size());
        state.steps.forEach((step, ranks) -> {
            to.writeSigned(step).writeVarint(ranks.size());
            ranks.forEach((rank, s) -> {
                to.writeVarint(rank)
                        .writeSigned(s.durationNanos())
                        .writeSigned(s.computeNanos())
                        .writeSigned(s.hostIdleNanos())
                        .writeVarint(s.collectives().size());
                s.collectives().forEach(c -> CollectiveCodec.encode(c, to));
            });
        });
    }

    @Override
    public State decode(long key, WireReader from) {
        State state = fresh(key);
        state.many = from.readByte() != 0;
        int steps = from.readCount(2);
        if (steps > FEW_STEPS) {
            throw new WireException("state of " + steps + " steps, expected at most " + FEW_STEPS);
        }
        for (int i = 0; i < steps; i++) {
            Map<Integer, Spent> ranks = state.steps.computeIfAbsent(from.readSigned(), s -> new TreeMap<>());
            int n = from.readCount(5);
            for (int r = 0; r < n; r++) {
                int rank = from.readInt();
                long duration = from.readSigned();
                long compute = from.readSigned();
                long idle = from.readSigned();
                List<CollectiveStat> calls = new ArrayList<>();
                int count = from.readCount(CollectiveCodec.MIN_BYTES);
                for (int c = 0; c < count; c++) {
                    calls.add(CollectiveCodec.decode(from));
                }
                ranks.put(rank, new Spent(duration, compute, idle, calls));
            }
        }
        return state;
    }
}
