package dev.argus.model;

/**
 * What is wrong ({@link #isIncident()}), or what explains slowness and needs no action. The glossary states per kind the
 * evidence required and which kind wins.
 */
public enum IncidentKind {
    COMPUTE_STRAGGLER("compute-straggler", true),
    MEMORY_BANDWIDTH_STRAGGLER("memory-bandwidth-straggler", true),
    KERNEL_STRAGGLER("kernel-straggler", true),
    THERMAL_DRIFT("thermal-drift", true),
    GLOBAL_SLOWDOWN("global-slowdown", true),
    REGRESSION("regression", true),
    LINK_DEGRADED("link-degraded", true),
    NVLINK_DEGRADED("nvlink-degraded", true),
    PCIE_DEGRADED("pcie-degraded", true),
    FABRIC_CONGESTION("fabric-congestion", true),
    PIPELINE_BUBBLE("pipeline-bubble", true),
    JIT_STALL("jit-stall", true),
    GC_PAUSE("gc-pause", true),
    DATA_STALL("data-stall", true),
    CPU_STALL("cpu-stall", true),
    HOST_CONTENTION("host-contention", true),
    HANG("hang", true),
    /** A late rank whose cause cannot be decided from the data. */
    STRAGGLER("straggler", true),

    CHECKPOINT("checkpoint", false),
    EVALUATION("evaluation", false),
    WARMUP("warmup", false),
    WORKLOAD_IMBALANCE("workload-imbalance", false),
    EXPERT_IMBALANCE("expert-imbalance", false),
    SEQUENCE_LENGTH_VARIATION("sequence-length-variation", false),
    STAGE_IMBALANCE("stage-imbalance", false),
    RANK_ASYMMETRY("rank-asymmetry", false),
    HETEROGENEOUS_HARDWARE("heterogeneous-hardware", false),
    TRANSIENT("transient", false),
    CLOCK_SKEW("clock-skew", false),
    MISSING_TRACE("missing-trace", false);

    private final String text;
    private final boolean incident;

    IncidentKind(String text, boolean incident) {
        this.text = text;
        this.incident = incident;
    }

    /** The name in contracts and texts, such as {@code compute-straggler}. */
    public String text() {
        return text;
    }

    /** True if an operator should act on it; false for what only explains. */
    public boolean isIncident() {
        return incident;
    }
}
