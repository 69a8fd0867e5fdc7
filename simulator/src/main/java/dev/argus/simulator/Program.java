package dev.argus.simulator;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The operations of one step in the order in which the CPU issues them, with the order that streams and events impose on
 * the GPU. Shared by all ranks that do the same.
 */
final class Program {
    final Op[] ops;
    /** GPU work that becomes possible when an operation ends: next on the lane, or waiting for its event. */
    final int[][] successors;
    /** Number of GPU operations an operation waits for. */
    final int[] predecessors;
    /** Position of the GPU operation whose end lets this one into the launch queue, -1 for none. */
    final int[] admittedBy;
    /** How many GPU operations come before an operation. */
    final int[] ordinals;
    /** Positions of the GPU operations of each lane, in their order. */
    final int[][] lanes;

    private final EnumMap<GroupKind, int[]> collectives = new EnumMap<>(GroupKind.class);
    private final EnumMap<GroupKind, Integer> counts;
    private final Map<Long, Integer> messages = new HashMap<>();

    Program(List<Op> list, int queueDepth) {
        this.ops = list.toArray(Op[]::new);
        int n = ops.length;
        this.predecessors = new int[n];
        this.admittedBy = new int[n];
        this.ordinals = new int[n];
        int[] count = new int[n];
        int[] laneTail = new int[Lane.ALL.length];
        int[] lanePredecessor = new int[n];
        int[] queue = new int[n];
        int queued = 0;
        Arrays.fill(laneTail, -1);
        Arrays.fill(lanePredecessor, -1);
        Arrays.fill(admittedBy, -1);
        EnumMap<GroupKind, Integer> seen = new EnumMap<>(GroupKind.class);
        for (int i = 0; i < n; i++) {
            Op op = ops[i];
            ordinals[i] = queued;
            if (!op.onGpu()) {
                continue;
            }
            if (queued >= queueDepth) {
                admittedBy[i] = queue[queued - queueDepth];
            }
            queue[queued++] = i;
            int tail = laneTail[op.lane().ordinal()];
            laneTail[op.lane().ordinal()] = i;
            lanePredecessor[i] = tail;
            if (tail >= 0) {
                count[tail]++;
                predecessors[i]++;
            }
            for (int before : op.after()) {
                count[before]++;
                predecessors[i]++;
            }
            register(i, op, seen);
        }
        this.counts = seen;
        this.lanes = new int[Lane.ALL.length][];
        for (Lane lane : Lane.ALL) {
            lanes[lane.ordinal()] = IntStream.range(0, n)
                    .filter(i -> ops[i].onGpu() && ops[i].lane() == lane)
                    .toArray();
        }
        this.successors = new int[n][];
        for (int i = 0; i < n; i++) {
            successors[i] = new int[count[i]];
        }
        for (int i = n - 1; i >= 0; i--) {
            if (!ops[i].onGpu()) {
                continue;
            }
            if (lanePredecessor[i] >= 0) {
                successors[lanePredecessor[i]][--count[lanePredecessor[i]]] = i;
            }
            for (int before : ops[i].after()) {
                successors[before][--count[before]] = i;
            }
        }
    }

    private void register(int at, Op op, EnumMap<GroupKind, Integer> seen) {
        switch (op.type()) {
            case COLLECTIVE -> {
                GroupKind kind = Objects.requireNonNull(op.group());
                int ordinal = seen.merge(kind, 1, Integer::sum) - 1;
                if (ordinal != op.ordinal()) {
                    throw new IllegalStateException("collective " + kind + " has ordinal " + op.ordinal() + ", must be "
                            + ordinal + ", its position in the step");
                }
                int[] known = collectives.getOrDefault(kind, new int[64]);
                if (ordinal >= known.length) {
                    known = Arrays.copyOf(known, known.length * 2);
                }
                known[ordinal] = at;
                collectives.put(kind, known);
            }
            case SEND, RECEIVE -> messages.put(messageKey(op.lane(), op.ordinal()), at);
            default -> {}
        }
    }

    private static long messageKey(Lane lane, int tag) {
        return ((long) lane.ordinal() << 32) | tag;
    }

    /** Number of GPU operations. */
    int gpuCount() {
        int count = 0;
        for (int[] lane : lanes) {
            count += lane.length;
        }
        return count;
    }

    /** Number of collectives of a kind in the step. */
    int collectiveCount(GroupKind kind) {
        return counts.getOrDefault(kind, 0);
    }

    /** Position of a collective. */
    int collective(GroupKind kind, int ordinal) {
        return Objects.requireNonNull(collectives.get(kind), "no collective of this kind")[ordinal];
    }

    /** Position of the other half of a message. */
    int partner(Op half) {
        Lane other = switch (half.lane()) {
            case SEND_NEXT -> Lane.RECV_PREVIOUS;
            case RECV_NEXT -> Lane.SEND_PREVIOUS;
            case SEND_PREVIOUS -> Lane.RECV_NEXT;
            case RECV_PREVIOUS -> Lane.SEND_NEXT;
            default -> throw new IllegalArgumentException("no message runs on " + half.lane());
        };
        Integer at = messages.get(messageKey(other, half.ordinal()));
        if (at == null) {
            throw new IllegalStateException("nobody takes message " + half.ordinal() + " on " + half.lane());
        }
        return at;
    }
}
