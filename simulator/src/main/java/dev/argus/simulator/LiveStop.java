package dev.argus.simulator;

import dev.argus.model.RankSet;

/**
 * What makes a job that goes on stand still: from then on its ranks come as far as they can without what does not happen, and wait.
 *
 * @param kind what does not happen
 * @param ranks where
 * @param step in which step
 * @param fraction where in the step, 0 to 1, by its operations up to where CPUs wait for the last meeting of all ranks
 */
public record LiveStop(Kind kind, RankSet ranks, int step, double fraction) {
    /** What does not happen. */
    public enum Kind {
        /** The CPU goes on: the process lives and does nothing. */
        CPU,
        /** A kernel of computation ends. */
        KERNEL,
        /** A collective that ends for all others ends. */
        COLLECTIVE,
        /** Anything: the host is gone with its processes. */
        HOST
    }

    /** Refuses what cannot be. */
    public LiveStop {
        if (ranks.isEmpty() || !(fraction >= 0 && fraction <= 1)) {
            throw new IllegalArgumentException(
                    "stop of ranks " + ranks + " at " + fraction + ", must be of a rank or more, at 0 to 1");
        }
    }

    /** Position of the operation of a program that does not happen on a rank, -1 for none. */
    int at(Program program, int rank, int of) {
        if (of != step || !ranks.contains(rank)) {
            return -1;
        }
        int length = 0; // up to where all CPUs wait for what all ranks have reduced
        for (int i = 0; i < program.ops.length; i++) {
            length = program.ops[i].type() == Op.Type.SYNC ? i : length;
        }
        for (int i = 0; i < length; i++) {
            int at = ((int) (fraction * (length - 1)) + i) % length;
            Op.Type type = program.ops[at].type();
            if (type == (kind == Kind.COLLECTIVE ? Op.Type.COLLECTIVE : Op.Type.KERNEL)) {
                return at;
            }
        }
        return -1;
    }

    /** True if the CPU does not come beyond the operation. */
    boolean ofCpu() {
        return kind == Kind.CPU || kind == Kind.HOST;
    }
}
