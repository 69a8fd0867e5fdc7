package dev.argus.hostlocal.live;

import java.util.List;

/**
 * What came of a tick.
 *
 * @param changes what has changed about incidents, in the order in which an operator should hear it
 * @param steps the steps that went on with this tick, in their order: each step of a job is in one tick only
 * @param late steps of ranks that came after theirs had gone on: never judged, but known
 * @param concluded true if detectors were asked for a conclusion, which is what a tick costs; how long it took may be told to {@link LiveJob#spent}
 */
public record LiveTick(List<IncidentChange> changes, List<JobStep> steps, List<RankStep> late, boolean concluded) {
    /** Copies defensively. */
    public LiveTick {
        changes = List.copyOf(changes);
        steps = List.copyOf(steps);
        late = List.copyOf(late);
    }
}
