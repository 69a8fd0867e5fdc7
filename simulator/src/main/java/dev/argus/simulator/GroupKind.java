package dev.argus.simulator;

/** The kinds of process groups of a job, with the names that the framework prints for them. */
public enum GroupKind {
    WORLD("default_pg", 40),
    TENSOR("TENSOR_MODEL_PARALLEL_GROUP", 20),
    CONTEXT("CONTEXT_PARALLEL_GROUP", 44),
    /** All replicas of the same weights, context ranks among them. */
    DATA("DATA_PARALLEL_GROUP_WITH_CP", 24),
    /** Within it the weights are sharded (HSDP): neighbours of the data dimension. */
    SHARD("DP_SHARD", 24),
    /** Across the shards of HSDP. */
    REPLICATE("DP_REPLICATE", 48),
    EXPERT("EXPERT_MODEL_PARALLEL_GROUP", 36),
    /** The replicas of one set of experts. */
    EXPERT_DATA("EXPERT_DATA_PARALLEL_GROUP", 52),
    PIPELINE("PIPELINE_MODEL_PARALLEL_GROUP", 28);

    private final String description;
    private final int stream;

    GroupKind(String description, int stream) {
        this.description = description;
        this.stream = stream;
    }

    /** The framework's description. */
    public String description() {
        return description;
    }

    /** Stream number its communication usually has. */
    int stream() {
        return stream;
    }
}
