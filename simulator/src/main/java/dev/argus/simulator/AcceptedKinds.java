package dev.argus.simulator;

import dev.argus.model.IncidentKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which of our kinds are right for a fault, by the fault's word in {@code truth.json}, as the scoreboard reads them. */
public final class AcceptedKinds {
    private static final Set<IncidentKind> COMPUTE = EnumSet.of(
            IncidentKind.COMPUTE_STRAGGLER,
            IncidentKind.KERNEL_STRAGGLER,
            IncidentKind.THERMAL_DRIFT,
            IncidentKind.STRAGGLER);
    private static final Set<IncidentKind> KERNELS = EnumSet.of(
            IncidentKind.COMPUTE_STRAGGLER,
            IncidentKind.MEMORY_BANDWIDTH_STRAGGLER,
            IncidentKind.KERNEL_STRAGGLER,
            IncidentKind.STRAGGLER);
    private static final Set<IncidentKind> BUBBLE = EnumSet.of(
            IncidentKind.PIPELINE_BUBBLE,
            IncidentKind.COMPUTE_STRAGGLER,
            IncidentKind.THERMAL_DRIFT,
            IncidentKind.STRAGGLER);
    private static final Map<String, Set<IncidentKind>> BY_FAULT = Map.ofEntries(
            Map.entry("compute-straggler", COMPUTE),
            Map.entry("thermal-drift", COMPUTE),
            Map.entry("masked-straggler", COMPUTE),
            Map.entry("bubble-amplification", BUBBLE),
            Map.entry("hbm-straggler", KERNELS),
            Map.entry("kernel-family-slow", KERNELS),
            Map.entry("nic-degraded", EnumSet.of(IncidentKind.LINK_DEGRADED, IncidentKind.FABRIC_CONGESTION)),
            Map.entry("nvlink-degraded", EnumSet.of(IncidentKind.LINK_DEGRADED, IncidentKind.NVLINK_DEGRADED)),
            Map.entry("jit-stall", EnumSet.of(IncidentKind.JIT_STALL, IncidentKind.CPU_STALL)),
            Map.entry("gc-pause", EnumSet.of(IncidentKind.GC_PAUSE, IncidentKind.CPU_STALL)),
            Map.entry(
                    "cpu-stall",
                    EnumSet.of(
                            IncidentKind.JIT_STALL,
                            IncidentKind.GC_PAUSE,
                            IncidentKind.CPU_STALL,
                            IncidentKind.HOST_CONTENTION)),
            Map.entry("data-stall", EnumSet.of(IncidentKind.DATA_STALL)),
            Map.entry("host-cpu-contention", EnumSet.of(IncidentKind.CPU_STALL, IncidentKind.HOST_CONTENTION)),
            Map.entry("pcie-slow", EnumSet.of(IncidentKind.PCIE_DEGRADED)),
            Map.entry(
                    "global-slowdown",
                    EnumSet.of(
                            IncidentKind.COMPUTE_STRAGGLER,
                            IncidentKind.THERMAL_DRIFT,
                            IncidentKind.GLOBAL_SLOWDOWN,
                            IncidentKind.REGRESSION,
                            IncidentKind.HOST_CONTENTION)),
            Map.entry("hang", EnumSet.of(IncidentKind.HANG)),
            Map.entry("regression", EnumSet.of(IncidentKind.REGRESSION)),
            Map.entry(
                    "fabric-congestion",
                    EnumSet.of(
                            IncidentKind.GLOBAL_SLOWDOWN,
                            IncidentKind.REGRESSION,
                            IncidentKind.LINK_DEGRADED,
                            IncidentKind.FABRIC_CONGESTION)));

    private AcceptedKinds() {}

    /**
     * True if a kind is right for a fault.
     *
     * @param fault the fault's own word
     * @param alsoAcceptable words of kinds that the truth about this fault allows beside
     * @param said what was said
     * @throws IllegalArgumentException if there is no such fault
     */
    public static boolean accepts(String fault, List<String> alsoAcceptable, IncidentKind said) {
        Set<IncidentKind> right = BY_FAULT.get(fault);
        if (right == null) {
            throw new IllegalArgumentException("fault is " + fault + ", must be one of " + BY_FAULT.keySet());
        }
        return right.contains(said) || alsoAcceptable.contains(said.text());
    }
}
