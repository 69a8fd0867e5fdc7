package dev.argus.trace;

import dev.argus.model.CollectiveOp;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The spellings of collective operations: of c10d ({@code _allgather_base}), of its annotations ({@code nccl:all_gather}),
 * of NCCL's and RCCL's kernels ({@code ncclDevKernel_AllGather_RING_LL}), and of Megatron's timers
 * ({@code grads-reduce-scatter}).
 */
final class CollectiveNames {
    private static final byte[][] PREFIXES = {
        ascii("record_param_comms"),
        ascii("nccl:"),
        ascii("gloo:"),
        ascii("c10d::"),
        ascii("_c10d_functional::"),
        ascii("c10d_functional::"),
        ascii("mpi:"),
        ascii("ucc:"),
        ascii("rccl:")
    };

    private static final long HASHES = Swar.all('#');

    private CollectiveNames() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** True if a short operator of this name is to be kept: a collective, or one of the old schema's annotations. */
    static boolean mayMatter(byte[] b, int from, int to) {
        for (byte[] prefix : PREFIXES) {
            if (startsWith(b, from, to, prefix)) {
                return true;
            }
        }
        return hasHash(b, from, Math.min(to, from + 128));
    }

    private static boolean startsWith(byte[] b, int from, int to, byte[] prefix) {
        if (to - from < prefix.length || b[from] != prefix[0]) {
            return false;
        }
        for (int i = 1; i < prefix.length; i++) {
            if (b[from + i] != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasHash(byte[] b, int from, int to) {
        int p = from;
        for (; p + 8 <= to; p += 8) {
            if (Swar.someZero(Swar.word(b, p) ^ HASHES) != 0) {
                return true;
            }
        }
        for (; p < to; p++) {
            if (b[p] == '#') {
                return true;
            }
        }
        return false;
    }

    /** True if an operator or annotation of this name is a collective call or its record. */
    static boolean isCall(String name) {
        for (byte[] prefix : PREFIXES) {
            if (name.startsWith(new String(prefix, StandardCharsets.US_ASCII))) {
                return true;
            }
        }
        return false;
    }

    /** True if a kernel of this name communicates. */
    static boolean isKernel(String name) {
        String head = name.substring(0, Math.min(name.length(), 64)).toLowerCase(Locale.ROOT);
        return head.contains("nccl") || head.contains("rccl");
    }

    /** Operation a name tells, {@link CollectiveOp#UNKNOWN} if it tells none, null if it is no transfer at all. */
    static @Nullable CollectiveOp op(String name) {
        String word = squeezed(name);
        if (word.endsWith("wait") || word.endsWith("init") || word.equals("recordparamcomms")) {
            return null;
        }
        if (word.contains("allreduce")) {
            return CollectiveOp.ALL_REDUCE;
        }
        if (word.contains("reducescatter")) {
            return CollectiveOp.REDUCE_SCATTER;
        }
        if (word.contains("allgather")) {
            return CollectiveOp.ALL_GATHER;
        }
        if (word.contains("alltoallv")) {
            return CollectiveOp.ALL_TO_ALL_V;
        }
        if (word.contains("alltoall")) {
            return CollectiveOp.ALL_TO_ALL;
        }
        return rooted(word);
    }

    private static CollectiveOp rooted(String word) {
        boolean send = word.contains("send");
        boolean recv = word.contains("recv");
        if (send || recv) {
            return send && recv ? CollectiveOp.SEND_RECV : send ? CollectiveOp.SEND : CollectiveOp.RECV;
        }
        if (word.contains("barrier")) {
            return CollectiveOp.BARRIER;
        }
        if (word.contains("broadcast")) {
            return CollectiveOp.BROADCAST;
        }
        if (word.contains("gather")) {
            return CollectiveOp.GATHER;
        }
        if (word.contains("scatter")) {
            return CollectiveOp.SCATTER;
        }
        return word.contains("reduce") ? CollectiveOp.REDUCE : CollectiveOp.UNKNOWN;
    }

    /** The part of a name that tells the operation, in lower case without separators: arguments of a kernel tell nothing. */
    private static String squeezed(String name) {
        int end = name.indexOf('(');
        String head =
                name.substring(0, Math.min(end < 0 ? name.length() : end, 96)).toLowerCase(Locale.ROOT);
        StringBuilder out = new StringBuilder(head.length());
        for (int i = 0; i < head.length(); i++) {
            char c = head.charAt(i);
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Bytes of one element of a c10 type ("BFloat16", "c10::Half", "float"), or -1. */
    static int elementBytes(String dtype) {
        String word = dtype.substring(dtype.lastIndexOf(':') + 1).toLowerCase(Locale.ROOT);
        return switch (word) {
            case "double", "long", "int64", "uint64", "float64", "complexfloat" -> 8;
            case "float", "int", "int32", "uint32", "float32", "qint32", "complexhalf" -> 4;
            case "half", "bfloat16", "short", "int16", "uint16", "float16" -> 2;
            case "byte", "char", "bool", "int8", "uint8", "qint8", "quint8" -> 1;
            case "complexdouble" -> 16;
            default -> word.startsWith("float8") ? 1 : -1;
        };
    }

    /** True if a printed list of split sizes is there and not all alike. */
    static boolean isUneven(String printed) {
        String first = "";
        int p = 0;
        while (p < printed.length()) {
            int start = p;
            while (p < printed.length() && Character.isDigit(printed.charAt(p))) {
                p++;
            }
            if (p > start) {
                String size = printed.substring(start, p);
                if (first.isEmpty()) {
                    first = size;
                } else if (!first.equals(size)) {
                    return true;
                }
            } else {
                p++;
            }
        }
        return false;
    }
}
