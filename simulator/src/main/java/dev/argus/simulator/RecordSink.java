package dev.argus.simulator;

import dev.argus.digest.AssembledTrace;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.StepDigest;
import dev.argus.model.TraceHeader;

/** Takes the records of a simulated job that the detectors need. */
public interface RecordSink {
    /** Who a rank is and what it used, after its records. */
    default void rank(int rank, TraceHeader header, AssembledTrace trace) {}

    /** One rank, one step; ranks one after the other, steps ascending. */
    void digest(StepDigest digest);

    /** The kernels of one rank in one step. */
    void kernels(KernelWindow window);

    /** The shape of the job, after all records. */
    void shape(JobShape shape);
}
