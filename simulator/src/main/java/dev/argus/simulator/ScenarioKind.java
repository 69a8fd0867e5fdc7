package dev.argus.simulator;

import java.util.Arrays;
import java.util.Locale;

/**
 * The kinds of scenarios that can be drawn: faults, and jobs with nothing to alarm about. What is drawn from a seed hangs on the place here: new kinds come
 * last.
 */
public enum ScenarioKind {
    COMPUTE(true, Needs.ANY, "a GPU computes slower"),
    THERMAL(true, Needs.ANY, "a GPU gets slower step by step, as heat makes it"),
    HBM(true, Needs.ANY, "the memory of a GPU is slow"),
    FAMILY(true, Needs.ANY, "one family of kernels is slow on a rank"),
    NIC(true, Needs.MANY_HOSTS, "the network of a host is slow"),
    RAIL(true, Needs.HOSTS, "the NIC of one GPU is slow"),
    PAIR(true, Needs.MANY_HOSTS, "the way between two hosts is slow"),
    LEAF(true, Needs.MANY_HOSTS, "a switch with several hosts is slow"),
    NVLINK(true, Needs.NVLINK_AND_HOSTS, "NVLink of a host is slow"),
    PCIE(true, Needs.INPUT, "copies to the GPU of a rank are slow"),
    CONGESTION(true, Needs.HOSTS, "the fabric is congested, nobody to blame"),
    NIC_FLAPPING(true, Needs.MANY_HOSTS, "the network of a host is slow in some steps"),
    JIT(true, Needs.ANY, "a rank compiles for a while"),
    JIT_STACKS(true, Needs.ANY, "the same, with Python stacks"),
    GC(true, Needs.ANY, "a rank collects garbage"),
    GC_STACKS(true, Needs.ANY, "the same, with Python stacks"),
    GC_ROTATING(true, Needs.ANY, "ranks collect garbage in turn"),
    CPU_STALL(true, Needs.ANY, "the CPU of a rank stops launching"),
    DATA(true, Needs.ANY, "a rank waits for its data"),
    LAUNCH_RANK(true, Needs.CPU_BOUND, "a rank launches 8 to 30 % slower"),
    LAUNCH_HOST(true, Needs.CPU_BOUND_HOSTS, "all ranks of a host launch slower"),
    CONTENTION(true, Needs.HOSTS, "a host is busy with something else"),
    GLOBAL(true, Needs.ANY, "all GPUs become slower"),
    JIT_ALL(true, Needs.ANY, "all ranks compile"),
    HALF(true, Needs.ANY, "half of the peers compute slower"),
    TWO(true, Needs.ANY, "a slow GPU and a stalling rank"),
    REPAIRED(true, Needs.ANY, "a slow GPU that is well again"),
    COMPUTE_FLAPPING(true, Needs.ANY, "a GPU that is slow in some steps"),
    HEALTHY(false, Needs.ANY, "noise only"),
    HOT_EXPERT(false, Needs.EXPERTS, "one expert gets more tokens"),
    ROTATING_EXPERT(false, Needs.EXPERTS, "experts in turn get more tokens"),
    LOGGING(false, Needs.ANY, "rank 0 writes logs"),
    CHECKPOINT_WRITER(false, Needs.ANY, "rank 0 writes checkpoints"),
    LONG_SHARD(false, Needs.ANY, "one data shard has longer samples"),
    MORE_KERNELS(false, Needs.ANY, "a rank runs more kernels"),
    UNEVEN_STAGES(false, Needs.STAGES, "one stage has a layer more"),
    RECOMPUTE(false, Needs.STAGES, "one stage runs the forward again"),
    OTHER_HARDWARE(false, Needs.HOSTS, "a host has slower GPUs of another model"),
    LENGTHS(false, Needs.ANY, "lengths of samples vary"),
    CHECKPOINT(false, Needs.ANY, "all ranks write a checkpoint"),
    EVALUATION(false, Needs.ANY, "an evaluation every few steps"),
    WARM_UP(false, Needs.ANY, "the first steps of a job"),
    PROFILER_START(false, Needs.ANY, "the profiler starts"),
    TENSOR_LOADER(false, Needs.TENSOR, "the first tensor rank loads for its group"),
    BACKWARD(true, Needs.ANY, "the backward pass of a rank is slow"),
    NEW_VERSION(true, Needs.ANY, "all ranks are slower since a restart with other software"),
    SLOW_STAGE(true, Needs.STAGES, "all GPUs of a pipeline stage compute slower");

    /** What the job must have for the kind to mean something. */
    enum Needs {
        ANY,
        HOSTS,
        MANY_HOSTS,
        NVLINK_AND_HOSTS,
        INPUT,
        CPU_BOUND,
        CPU_BOUND_HOSTS,
        EXPERTS,
        STAGES,
        TENSOR;

        boolean hosts() {
            return this == HOSTS || this == NVLINK_AND_HOSTS || this == CPU_BOUND_HOSTS;
        }

        boolean cpuBound() {
            return this == CPU_BOUND || this == CPU_BOUND_HOSTS;
        }

        boolean tensor() {
            return this == TENSOR || this == NVLINK_AND_HOSTS;
        }
    }

    private final boolean faulty;
    private final Needs needs;
    private final String about;

    ScenarioKind(boolean faulty, Needs needs, String about) {
        this.faulty = faulty;
        this.needs = needs;
        this.about = about;
    }

    /** True when something is wrong in it. */
    public boolean faulty() {
        return faulty;
    }

    /** What happens in it, in words. */
    public String about() {
        return about;
    }

    /** Attempts of the job that it takes to show it. */
    public int attempts() {
        return this == NEW_VERSION ? 2 : 1;
    }

    Needs needs() {
        return needs;
    }

    /** As written on a command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads a word. */
    public static ScenarioKind of(String word) {
        for (ScenarioKind kind : values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("kind is " + word + ", must be one of "
                + String.join(
                        ", ", Arrays.stream(values()).map(ScenarioKind::word).toList()));
    }
}
