package dev.argus.trace;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What kind of event a {@code cat} makes it; the old schema's words are the new ones with a capital. */
final class Category {
    /** The event has no {@code cat}. */
    static final int ABSENT = 0;

    static final int KERNEL = 1;
    static final int MEMCPY = 2;
    static final int MEMSET = 3;
    static final int RUNTIME = 4;
    static final int CPU_OP = 5;
    static final int ANNOTATION = 6;
    static final int GPU_ANNOTATION = 7;
    static final int PYTHON = 8;
    /** Nothing that is read. */
    static final int OTHER = 9;

    private static final KeyTable KNOWN = KeyTable.of(
            "kernel", KERNEL,
            "Kernel", KERNEL,
            "gpu_memcpy", MEMCPY,
            "Memcpy", MEMCPY,
            "memcpy", MEMCPY,
            "gpu_memset", MEMSET,
            "Memset", MEMSET,
            "memset", MEMSET,
            "cuda_runtime", RUNTIME,
            "cuda_driver", RUNTIME,
            "hip_runtime", RUNTIME,
            "hip_driver", RUNTIME,
            "Runtime", RUNTIME,
            "runtime", RUNTIME,
            "cpu_op", CPU_OP,
            "Operator", CPU_OP,
            "operator", CPU_OP,
            "user_annotation", ANNOTATION,
            "gpu_user_annotation", GPU_ANNOTATION,
            "python_function", PYTHON,
            "ac2g", OTHER,
            "async_cpu_to_gpu", OTHER,
            "async", OTHER,
            "fwdbwd", OTHER,
            "forward_backward", OTHER,
            "Trace", OTHER,
            "overhead", OTHER,
            "cuda_sync", OTHER,
            "cpu_instant_event", OTHER);

    private Category() {}

    /** Category of the word in {@code bytes[from, to)}; eight bytes from {@code from} must be readable. */
    static int of(byte[] bytes, int from, int to) {
        int known = KNOWN.find(Swar.word(bytes, from), bytes, from, to);
        return known != KeyTable.UNKNOWN ? known : ofOtherCase(bytes, from, to);
    }

    private static int ofOtherCase(byte[] bytes, int from, int to) {
        if (to - from > 32) {
            return OTHER;
        }
        String lower = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        int known = KNOWN.find(lower.getBytes(StandardCharsets.ISO_8859_1));
        return known != KeyTable.UNKNOWN ? known : OTHER;
    }

    /** True for work on a GPU. */
    static boolean isGpuWork(int category) {
        return category >= KERNEL && category <= MEMSET;
    }
}
