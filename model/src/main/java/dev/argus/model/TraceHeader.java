package dev.argus.model;

import java.util.List;

/**
 * What a trace file says about itself and its rank, beside its events.
 *
 * @param rank global rank, or -1 when neither the content nor the file name tells
 * @param worldSize world size, or -1
 * @param host host name, or empty
 * @param backend communication backend such as {@code nccl}, or empty
 * @param groups process groups this rank declares
 * @param gpuModel name of the first GPU listed, or empty
 * @param gpusPerHost number of GPUs listed, or -1
 * @param jobName something that tells two jobs apart when the file has it, or empty
 */
public record TraceHeader(
        int rank,
        int worldSize,
        String host,
        String backend,
        List<ProcessGroup> groups,
        String gpuModel,
        int gpusPerHost,
        String jobName) {}
