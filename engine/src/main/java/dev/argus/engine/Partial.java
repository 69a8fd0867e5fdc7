package dev.argus.engine;

/** What transforms hand on to each other. */
public sealed interface Partial
        permits WorkFinding,
                WorkReference,
                RankLoad,
                PeerShift,
                LaunchFinding,
                KernelFinding,
                KernelShare,
                WaitPartial,
                TransferPartial,
                TransferFinding,
                LinksUntold,
                StepFinding,
                StepTimes,
                Judged,
                Concluded {
    /** Attempt of the job. */
    int attempt();
}
