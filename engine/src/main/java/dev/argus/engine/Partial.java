package dev.argus.engine;

/** What transforms hand on to each other. */
public sealed interface Partial permits WorkFinding, KernelFinding, KernelShare, WaitPartial, TransferPartial, TransferFinding, StepFinding, WorkReference {
    /** Attempt of the job. */
    int attempt();
}
