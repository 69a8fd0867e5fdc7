package dev.argus.digest;

import dev.argus.model.CollectiveOp;
import dev.argus.model.KernelClass;
import java.util.Locale;

/**
 * What a kernel's name tells: its class, and for communication the operation. Names change between versions of NCCL and
 * RCCL ({@code ncclKernel_*}, {@code ncclDevKernel_*}, {@code ncclDevKernel_Generic}, {@code rcclGenericKernel}), so the rule
 * is the library's name anywhere in the text, not a list of kernels. Where the trace states the collective, that wins.
 */
public final class KernelClasses {
    private KernelClasses() {}

    /** Class of a kernel by its name. */
    public static KernelClass classOf(String name) {
        if (containsIgnoreCase(name, "nccl") || containsIgnoreCase(name, "rccl")) {
            return KernelClass.COMMUNICATION;
        }
        return KernelClass.COMPUTE;
    }

    /** Operation of a communication kernel by its name; {@link CollectiveOp#UNKNOWN} for generic ones. */
    public static CollectiveOp opOf(String name) {
        String n = name.toLowerCase(Locale.ROOT);
        if (n.contains("allreduce") || n.contains("all_reduce")) {
            return CollectiveOp.ALL_REDUCE;
        }
        if (n.contains("reducescatter") || n.contains("reduce_scatter")) {
            return CollectiveOp.REDUCE_SCATTER;
        }
        if (n.contains("allgather") || n.contains("all_gather")) {
            return CollectiveOp.ALL_GATHER;
        }
        if (n.contains("alltoall") || n.contains("all_to_all")) {
            return CollectiveOp.ALL_TO_ALL_V;
        }
        if (n.contains("broadcast")) {
            return CollectiveOp.BROADCAST;
        }
        if (n.contains("sendrecv")) {
            return CollectiveOp.SEND_RECV;
        }
        if (n.contains("barrier")) {
            return CollectiveOp.BARRIER;
        }
        if (n.contains("reduce")) {
            return CollectiveOp.REDUCE;
        }
        return CollectiveOp.UNKNOWN;
    }

    private static boolean containsIgnoreCase(String text, String lower) {
        int last = text.length() - lower.length();
        for (int i = 0; i <= last; i++) {
            if (text.regionMatches(true, i, lower, 0, lower.length())) {
                return true;
            }
        }
        return false;
    }
}
