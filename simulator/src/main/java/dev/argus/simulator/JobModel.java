package dev.argus.simulator;

import java.util.Set;

/**
 * What is trained and how: it fixes the work of every kernel and the bytes of every collective.
 *
 * @param hidden width of the model
 * @param sequence tokens of a sequence
 * @param tokens tokens of a microbatch, over all context ranks
 * @param vocabulary size of the vocabulary
 * @param layersPerChunk layers of every virtual stage, in the order of the model
 * @param chunks virtual stages per rank; above 1 the schedule is interleaved
 * @param microbatches microbatches a step
 * @param sharding how weights and gradients are spread over data ranks
 * @param moe true when every second layer has experts
 * @param topK experts a token goes to
 * @param recompute pipeline stages that run the forward again in the backward
 * @param inputBytes bytes copied to the device per microbatch
 * @param tensorRankZeroLoads true when the first tensor rank loads for its group and broadcasts
 * @param launchNanos time of one launch on the CPU
 * @param layerPythonNanos time of the framework's code per layer and direction
 * @param dataNanos time to take a loaded batch
 * @param relativeSpeed speed of the GPU, 1 for the fast generation
 * @param ampere names of the older generation
 */
@SuppressWarnings("ArrayRecordComponent")
public record JobModel(
        int hidden,
        int sequence,
        int tokens,
        int vocabulary,
        int[] layersPerChunk,
        int chunks,
        int microbatches,
        Sharding sharding,
        boolean moe,
        int topK,
        Set<Integer> recompute,
        long inputBytes,
        boolean tensorRankZeroLoads,
        long launchNanos,
        long layerPythonNanos,
        long dataNanos,
        double relativeSpeed,
        boolean ampere) {

    /** How weights and gradients are spread over data ranks. */
    public enum Sharding {
        /** Every rank has all, gradients are all-reduced in the backward. */
        DDP,
        /** Optimizer states are sharded: reduce-scatter in the backward, all-gather at the start of the next step. */
        ZERO1,
        /** Weights are sharded by layer over all data ranks, gathered before use. */
        FSDP,
        /** Weights are sharded inside a shard group, gradients all-reduced across. */
        HSDP
    }

    private static final double FLOPS_PER_NANO = 6.2e5;
    private static final double MEMORY_BYTES_PER_NANO = 2600;

    /** Duration of a kernel bound by arithmetic. */
    double arithmetic(double flops) {
        return flops / (FLOPS_PER_NANO * relativeSpeed) + 3000;
    }

    /** Duration of a kernel bound by memory. */
    double memory(double bytes) {
        return bytes / (MEMORY_BYTES_PER_NANO * relativeSpeed) + 2500;
    }

    /** True when the job has traffic in groups of a kind. */
    boolean uses(GroupKind kind) {
        return switch (kind) {
            case SHARD, REPLICATE -> sharding == Sharding.HSDP;
            case DATA -> sharding != Sharding.HSDP;
            case EXPERT, EXPERT_DATA -> moe;
            default -> true;
        };
    }

    /** Width of the feed-forward part. */
    double feedForward() {
        return 2.75 * hidden;
    }

    /** Weights of a layer, all tensor ranks together. */
    double layerWeights() {
        return hidden * (2.5 * hidden + 3 * feedForward());
    }

    /** Same with another time on the CPU. */
    public JobModel withCpu(long launch, long python) {
        return new JobModel(
                hidden,
                sequence,
                tokens,
                vocabulary,
                layersPerChunk,
                chunks,
                microbatches,
                sharding,
                moe,
                topK,
                recompute,
                inputBytes,
                tensorRankZeroLoads,
                launch,
                python,
                dataNanos,
                relativeSpeed,
                ampere);
    }
}
