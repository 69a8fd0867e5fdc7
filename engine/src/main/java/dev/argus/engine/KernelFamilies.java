package dev.argus.engine;

import java.util.List;
import java.util.Locale;

/**
 * What limits a compute kernel, by the words in its name: the arithmetic units (matrix products, attention, convolutions: they
 * slow down with the clock) or the memory (element-wise, norms, reductions, optimizers: they slow down with HBM).
 */
final class KernelFamilies {
    private static final List<String> ARITHMETIC = List.of(
            "gemm",
            "nvjet",
            "cutlass",
            "flash",
            "fmha",
            "attn",
            "attention",
            "conv",
            "wgrad",
            "dgrad",
            "xmma",
            "cijk_",
            "mma_",
            "matmul",
            "winograd",
            "sm80_",
            "sm90_",
            "sm100_",
            "addmm",
            "wmma");

    private static final List<String> ATTENTION = List.of("flash", "fmha", "attn", "attention");

    private KernelFamilies() {}

    /** True if one launch of it is many matrix products of sizes that the data decides: those of experts. */
    static boolean isGrouped(String name) {
        String n = shortened(name);
        return n.contains("gemmgrouped")
                || n.contains("grouped_gemm")
                || n.contains("groupedgemm")
                || n.contains("group_gemm")
                || n.contains("groupproblemshape")
                || n.contains("moe");
    }

    private static String shortened(String name) {
        return (name.length() > 256 ? name.substring(0, 256) : name).toLowerCase(Locale.ROOT);
    }

    /** True if the arithmetic units limit it, false if the memory does. */
    static boolean isArithmetic(String name) {
        String n = shortened(name);
        return ARITHMETIC.stream().anyMatch(n::contains);
    }

    /** True if it is attention: each rank's own, whatever its experts get. */
    static boolean isAttention(String name) {
        String n = shortened(name);
        return ATTENTION.stream().anyMatch(n::contains);
    }
}
