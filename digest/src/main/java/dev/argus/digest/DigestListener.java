package dev.argus.digest;

import dev.argus.model.StepDigest;

/** Takes the step digests of one rank in ascending order of time. */
@FunctionalInterface
public interface DigestListener {
    /** One step; attempt 0 and the rank given to the assembler, to be stamped by whoever knows the job. */
    void digest(StepDigest digest);
}
