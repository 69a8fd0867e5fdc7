package dev.argus.cli.text;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.Level;

/** The words of the report: what each kind, level and probability is called. */
final class Words {
    private Words() {}

    /** What a kind means, in a few plain words. */
    static String kind(IncidentKind kind) {
        return switch (kind) {
            case COMPUTE_STRAGGLER -> "the GPU computes slower than its peers";
            case MEMORY_BANDWIDTH_STRAGGLER -> "kernels bound by GPU memory run slower than on the peers";
            case KERNEL_STRAGGLER -> "some kernels run slower than on the peers";
            case THERMAL_DRIFT -> "the GPU becomes slower and slower";
            case GLOBAL_SLOWDOWN -> "all ranks became slower alike";
            case REGRESSION -> "slower since a change of software or configuration";
            case LINK_DEGRADED -> "transfers over a network link take longer";
            case NVLINK_DEGRADED -> "transfers between the GPUs of a host take longer";
            case PCIE_DEGRADED -> "copies between host and GPU take longer";
            case FABRIC_CONGESTION -> "transfers take longer all over the network";
            case PIPELINE_BUBBLE -> "a whole pipeline stage makes the others wait";
            case JIT_STALL -> "stopped while code was being compiled";
            case GC_PAUSE -> "stopped for garbage collection";
            case DATA_STALL -> "waited for input data";
            case CPU_STALL -> "the CPU gave the GPU no work for a while";
            case HOST_CONTENTION -> "the CPUs of the host are short of time";
            case HANG -> "no progress any more";
            case STRAGGLER -> "slower than its peers; what holds it up was not recorded";
            case CHECKPOINT -> "the job saved its state";
            case EVALUATION -> "the job evaluated the model";
            case WARMUP -> "the job was warming up";
            case WORKLOAD_IMBALANCE -> "ranks get different amounts of work";
            case EXPERT_IMBALANCE -> "experts get different numbers of tokens";
            case SEQUENCE_LENGTH_VARIATION -> "samples differ in length";
            case STAGE_IMBALANCE -> "pipeline stages have different amounts of work";
            case RANK_ASYMMETRY -> "the rank has more work than its peers";
            case HETEROGENEOUS_HARDWARE -> "the GPUs are of different models";
            case TRANSIENT -> "steps that are longer than the others";
            case CLOCK_SKEW -> "clocks of hosts disagree";
            case MISSING_TRACE -> "the late rank has no trace";
        };
    }

    /** The same of an incident: of several ranks, where there are several. */
    static String kind(Incident incident) {
        if (incident.kind() == IncidentKind.TRANSIENT && incident.everySteps() > 0) {
            return "a regular pause of all ranks";
        }
        if (incident.ranks().size() < 2) {
            return kind(incident.kind());
        }
        return switch (incident.kind()) {
            case COMPUTE_STRAGGLER -> "these GPUs compute slower than their peers, or than before";
            case THERMAL_DRIFT -> "these GPUs become slower and slower";
            case RANK_ASYMMETRY -> "these ranks have more work than their peers";
            case MISSING_TRACE -> "the late ranks have no trace";
            default -> kind(incident.kind());
        };
    }

    /** A probability in words. */
    static String confidence(double probability) {
        if (!(probability >= 0)) {
            return "unknown";
        }
        if (probability >= 0.95) {
            return "almost certain";
        }
        if (probability >= 0.85) {
            return "very likely";
        }
        if (probability >= 0.7) {
            return "likely";
        }
        return probability >= 0.5 ? "more likely than not" : "uncertain";
    }

    /** What a level looks at. */
    static String level(Level level) {
        return switch (level) {
            case L1 -> "L1 (steps)";
            case L2 -> "L2 (phases and ranks)";
            case L3 -> "L3 (kernels)";
            case L4 -> "L4 (timeline)";
            case L5 -> "L5 (what the CPU ran)";
        };
    }

    /** Whether it lasts. */
    static String state(IncidentState state, long lastStep) {
        String step = lastStep < 0 ? "" : " step " + Numbers.grouped(lastStep);
        return state == IncidentState.RESOLVED
                ? "over after" + (step.isEmpty() ? " a while" : step)
                : "still there at" + (step.isEmpty() ? " the end" : step);
    }
}
