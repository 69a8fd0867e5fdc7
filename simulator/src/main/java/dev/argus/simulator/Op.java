package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import org.jspecify.annotations.Nullable;

/**
 * One thing a rank does in a step, the same for all ranks of a program: on its CPU, or launched by it onto a lane.
 *
 * @param type what it is
 * @param lane where GPU work runs; compute for the CPU's own things
 * @param kernel kind of a kernel
 * @param nanos time without noise of a kernel, or on the CPU; time on the CPU beside the launch for GPU work is a CPU op
 * @param group group of a collective
 * @param collective operation of a collective
 * @param ordinal position among the collectives of this kind in the step; the tag of a send or receive
 * @param bytes bytes of the whole collective, of a message or a copy
 * @param microbatch which microbatch's work it is, -1 for none
 * @param sequencePower how its time and work grow with the length of the microbatch: 0, 1 or 2
 * @param label name of a range, a copy or a call
 * @param after positions of the work it waits for beside its lane
 */
@SuppressWarnings("ArrayRecordComponent")
record Op(
        Type type,
        Lane lane,
        @Nullable KernelKind kernel,
        double nanos,
        @Nullable GroupKind group,
        CollectiveOp collective,
        int ordinal,
        long bytes,
        int microbatch,
        int sequencePower,
        String label,
        int[] after) {

    enum Type {
        KERNEL,
        COLLECTIVE,
        SEND,
        RECEIVE,
        COPY,
        /** The CPU waits for the work in {@code after}. */
        SYNC,
        /** The CPU works. */
        CPU,
        OPEN,
        CLOSE;

        boolean onGpu() {
            return this == KERNEL || this == COLLECTIVE || this == SEND || this == RECEIVE || this == COPY;
        }

        boolean communicates() {
            return this == COLLECTIVE || this == SEND || this == RECEIVE;
        }
    }

    boolean onGpu() {
        return type.onGpu();
    }
}
