package dev.argus.benchmarks.accuracy;

import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Severity;
import java.util.EnumSet;
import java.util.Set;

/** The sets of scenarios that have bars of their own. A scenario is in one of them. */
public enum JobSet {
    /** Faults that cost 2 % of the step and more, links excepted. */
    STRONG,
    /** Faults of any kind that cost 0.5 to 2 %, or make own work 3 to 8 % slower. */
    WEAK,
    /** Strong faults of links: host, rail, pair, leaf switch, NVLink domain, PCIe, flapping. */
    LINKS,
    /** Nothing to act on, also where it looks so. */
    HEALTHY,
    /** Strong faults and healthy jobs whose record is damaged: ranks missing, other windows, events lost or
     * twice, one step only, no marks, no groups, two attempts. */
    POOR;

    private static final Set<ScenarioKind> LINK_KINDS = EnumSet.of(
            ScenarioKind.NIC,
            ScenarioKind.RAIL,
            ScenarioKind.PAIR,
            ScenarioKind.LEAF,
            ScenarioKind.NVLINK,
            ScenarioKind.PCIE,
            ScenarioKind.NIC_FLAPPING);

    static JobSet of(ScenarioKind kind, Severity severity) {
        if (!kind.faulty()) {
            return HEALTHY;
        }
        if (severity != Severity.STRONG) {
            return WEAK;
        }
        return LINK_KINDS.contains(kind) ? LINKS : STRONG;
    }
}
