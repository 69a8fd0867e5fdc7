package dev.argus.simulator;

import java.util.Arrays;
import java.util.Locale;

/** The kinds of scenarios that can be drawn: faults first, then jobs with nothing to alarm about. */
public enum ScenarioKind {
    COMPUTE(true, Needs.ANY),
    THERMAL(true, Needs.ANY),
    HBM(true, Needs.ANY),
    FAMILY(true, Needs.ANY),
    NIC(true, Needs.MANY_HOSTS),
    RAIL(true, Needs.HOSTS),
    PAIR(true, Needs.MANY_HOSTS),
    LEAF(true, Needs.MANY_HOSTS),
    NVLINK(true, Needs.NVLINK_AND_HOSTS),
    PCIE(true, Needs.INPUT),
    CONGESTION(true, Needs.HOSTS),
    NIC_FLAPPING(true, Needs.MANY_HOSTS),
    JIT(true, Needs.ANY),
    JIT_STACKS(true, Needs.ANY),
    GC(true, Needs.ANY),
    GC_STACKS(true, Needs.ANY),
    GC_ROTATING(true, Needs.ANY),
    CPU_STALL(true, Needs.ANY),
    DATA(true, Needs.ANY),
    LAUNCH_RANK(true, Needs.CPU_BOUND),
    LAUNCH_HOST(true, Needs.CPU_BOUND_HOSTS),
    CONTENTION(true, Needs.HOSTS),
    GLOBAL(true, Needs.ANY),
    JIT_ALL(true, Needs.ANY),
    HALF(true, Needs.ANY),
    TWO(true, Needs.ANY),
    REPAIRED(true, Needs.ANY),
    COMPUTE_FLAPPING(true, Needs.ANY),
    HEALTHY(false, Needs.ANY),
    HOT_EXPERT(false, Needs.EXPERTS),
    ROTATING_EXPERT(false, Needs.EXPERTS),
    LOGGING(false, Needs.ANY),
    CHECKPOINT_WRITER(false, Needs.ANY),
    LONG_SHARD(false, Needs.ANY),
    MORE_KERNELS(false, Needs.ANY),
    UNEVEN_STAGES(false, Needs.STAGES),
    RECOMPUTE(false, Needs.STAGES),
    OTHER_HARDWARE(false, Needs.HOSTS),
    LENGTHS(false, Needs.ANY),
    CHECKPOINT(false, Needs.ANY),
    EVALUATION(false, Needs.ANY),
    WARM_UP(false, Needs.ANY),
    PROFILER_START(false, Needs.ANY),
    TENSOR_LOADER(false, Needs.TENSOR);

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

    ScenarioKind(boolean faulty, Needs needs) {
        this.faulty = faulty;
        this.needs = needs;
    }

    /** True when something is wrong in it. */
    public boolean faulty() {
        return faulty;
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
