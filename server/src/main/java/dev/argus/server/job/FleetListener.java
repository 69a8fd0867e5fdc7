package dev.argus.server.job;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.storage.Rows;
import java.util.List;

/** Hears what happens to jobs. */
public interface FleetListener {
    /** A job was not known before. */
    default void appeared(JobView job) {}

    /** All ranks that report have ended a step. */
    default void step(JobView job, Rows.Step step, List<Rows.Phase> phases) {}

    /** An incident began, changed or ended. */
    default void incident(JobView job, IncidentChange change) {}

    /** A job is forgotten: nothing was heard of it for long. */
    default void forgotten(JobView job) {}
}
