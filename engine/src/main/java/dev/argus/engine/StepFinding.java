package dev.argus.engine;

import dev.argus.model.IncidentKind;

/**
 * L1: steps of the whole job that took longer together.
 *
 * @param attempt attempt of the job
 * @param kind what they are; {@link IncidentKind#TRANSIENT} when nothing says
 * @param steps the steps, ascending
 * @param excessNanos time above the typical step at each
 * @param typicalNanos typical step time
 */
@SuppressWarnings("ArrayRecordComponent")
public record StepFinding(int attempt, IncidentKind kind, long[] steps, double[] excessNanos, double typicalNanos)
        implements Partial {}
