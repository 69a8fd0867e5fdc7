package dev.argus.hostlocal;

import dev.argus.model.Topology;
import org.jspecify.annotations.Nullable;

/**
 * What the user may choose about a diagnosis.
 *
 * @param topology layout given by the user, or null: taken from the traces
 * @param incidentFloorRatio share of the step, 0..1, from which on a fault is an incident; below it is an observation
 * @param explain true to collect lines about rules and thresholds
 */
public record DiagnoseOptions(@Nullable Topology topology, double incidentFloorRatio, boolean explain) {
    /** The floor when nobody says otherwise: 0.5 % of the step. */
    public static final double DEFAULT_INCIDENT_FLOOR_RATIO = 0.005;
}
