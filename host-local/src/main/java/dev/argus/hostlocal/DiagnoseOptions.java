package dev.argus.hostlocal;

import dev.argus.model.Topology;
import org.jspecify.annotations.Nullable;

/**
 * What the user may choose about a diagnosis.
 *
 * @param topology layout given by the user, or null: taken from the traces
 * @param incidentFloorRatio share of the step, 0..1, from which on a fault is an incident; below it is an observation
 * @param explain true to collect lines about rules and thresholds
 * @param report true to keep what a page shows beside the verdict: one more pass over the digests
 */
public record DiagnoseOptions(@Nullable Topology topology, double incidentFloorRatio, boolean explain, boolean report) {
    /** The floor when nobody says otherwise: 0.5 % of the step. */
    public static final double DEFAULT_INCIDENT_FLOOR_RATIO = 0.005;

    /** The verdict alone. */
    public DiagnoseOptions(@Nullable Topology topology, double incidentFloorRatio, boolean explain) {
        this(topology, incidentFloorRatio, explain, false);
    }
}
