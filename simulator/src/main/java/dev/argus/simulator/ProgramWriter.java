package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends operations and keeps the order that a framework gives them: a communication starts after the compute issued
 * before it, compute waits for what it was told to wait for.
 */
final class ProgramWriter {
    private static final int[] NONE = {};

    private final List<Op> ops = new ArrayList<>();
    private final EnumMap<GroupKind, Integer> ordinals = new EnumMap<>(GroupKind.class);
    private final List<Integer> awaited = new ArrayList<>();
    private int lastCompute = -1;
    private int microbatch = -1;

    /** What follows belongs to a microbatch, or to none (-1). */
    void microbatch(int number) {
        this.microbatch = number;
    }

    int size() {
        return ops.size();
    }

    Program finish(int queueDepth) {
        return new Program(ops, queueDepth);
    }

    /** The next compute waits for this work. */
    void await(int op) {
        if (op >= 0) {
            awaited.add(op);
        }
    }

    int kernel(KernelKind kind, double nanos, int sequencePower) {
        int at = add(
                Op.Type.KERNEL, Lane.COMPUTE, kind, nanos, null, CollectiveOp.UNKNOWN, 0, 0, sequencePower, "", take());
        lastCompute = at;
        return at;
    }

    /** Issues a collective over all members; work that needs it must await it. */
    int collective(GroupKind kind, CollectiveOp op, double bytes, int sequencePower) {
        int ordinal = ordinals.merge(kind, 1, Integer::sum) - 1;
        return add(
                Op.Type.COLLECTIVE,
                Lane.of(kind),
                null,
                0,
                kind,
                op,
                ordinal,
                (long) bytes,
                sequencePower,
                "",
                afterCompute());
    }

    /** Issues a collective that needs another communication done. */
    int collectiveAfter(int before, GroupKind kind, CollectiveOp op, double bytes) {
        int ordinal = ordinals.merge(kind, 1, Integer::sum) - 1;
        return add(
                Op.Type.COLLECTIVE, Lane.of(kind), null, 0, kind, op, ordinal, (long) bytes, 0, "", new int[] {before});
    }

    /** A collective that the next compute waits for. */
    void blocking(GroupKind kind, CollectiveOp op, double bytes, int sequencePower) {
        await(collective(kind, op, bytes, sequencePower));
    }

    int message(boolean send, Lane lane, int tag, double bytes) {
        return add(
                send ? Op.Type.SEND : Op.Type.RECEIVE,
                lane,
                null,
                0,
                GroupKind.PIPELINE,
                send ? CollectiveOp.SEND : CollectiveOp.RECV,
                tag,
                (long) bytes,
                1,
                "",
                afterCompute());
    }

    int copy(String label, long bytes, double nanos) {
        int at = add(Op.Type.COPY, Lane.COMPUTE, null, nanos, null, CollectiveOp.UNKNOWN, 0, bytes, 0, label, take());
        lastCompute = at;
        return at;
    }

    void sync(int op) {
        add(
                Op.Type.SYNC,
                Lane.COMPUTE,
                null,
                0,
                null,
                CollectiveOp.UNKNOWN,
                0,
                0,
                0,
                "cudaStreamSynchronize",
                new int[] {op});
    }

    int cpu(double nanos) {
        return add(Op.Type.CPU, Lane.COMPUTE, null, nanos, null, CollectiveOp.UNKNOWN, 0, 0, 0, "", NONE);
    }

    void open(String range) {
        add(Op.Type.OPEN, Lane.COMPUTE, null, 0, null, CollectiveOp.UNKNOWN, 0, 0, 0, range, NONE);
    }

    void close(String range) {
        add(Op.Type.CLOSE, Lane.COMPUTE, null, 0, null, CollectiveOp.UNKNOWN, 0, 0, 0, range, NONE);
    }

    private int[] afterCompute() {
        return lastCompute < 0 ? NONE : new int[] {lastCompute};
    }

    private int[] take() {
        int[] after = awaited.stream().mapToInt(i -> i).toArray();
        awaited.clear();
        return after;
    }

    private int add(
            Op.Type type,
            Lane lane,
            @Nullable KernelKind kernel,
            double nanos,
            @Nullable GroupKind group,
            CollectiveOp collective,
            int ordinal,
            long bytes,
            int sequencePower,
            String label,
            int[] after) {
        ops.add(new Op(
                type, lane, kernel, nanos, group, collective, ordinal, bytes, microbatch, sequencePower, label, after));
        return ops.size() - 1;
    }
}
