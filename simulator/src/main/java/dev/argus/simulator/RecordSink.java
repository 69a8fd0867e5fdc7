package dev.argus.simulator;

import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.StepDigest;

/** Takes the records of a simulated job that the detectors need. */
public interface RecordSink {
    /** One rank, one step; ranks one after the other, steps ascending. */
    void digest(StepDigest digest);

    /** The kernels of one rank in one step. */
    void kernels(KernelWindow window);

    /** The shape of the job, after all records. */
    void shape(JobShape shape);
}
