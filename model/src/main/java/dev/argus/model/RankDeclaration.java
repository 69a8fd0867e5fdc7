package dev.argus.model;

import java.util.List;

/**
 * What one rank says of itself and its place in the job: all that the shape of the job is built from. Stated again whenever it changes;
 * the newest one of an attempt holds.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param header what the rank's record says about itself
 * @param gpuIndex index of the GPU it works on, -1 when unknown or none
 * @param gpuUuid uuid of that GPU, or empty when unknown
 * @param gpu true when there was work of a GPU
 * @param groups use of process groups by its collectives
 * @param trails ends of the calls of communicators that do not name their group
 * @param workSignature hash of the distinct names of its compute kernels: equal for ranks that do the same work; 0 without kernels
 */
public record RankDeclaration(
        int attempt,
        int rank,
        TraceHeader header,
        int gpuIndex,
        String gpuUuid,
        boolean gpu,
        List<GroupUse> groups,
        List<CommunicatorTrail> trails,
        long workSignature)
        implements AgentRecord {
    /** Copies defensively. */
    public RankDeclaration {
        groups = List.copyOf(groups);
        trails = List.copyOf(trails);
    }

    /** The same of another attempt. */
    public RankDeclaration of(int newAttempt) {
        return new RankDeclaration(newAttempt, rank, header, gpuIndex, gpuUuid, gpu, groups, trails, workSignature);
    }
}
