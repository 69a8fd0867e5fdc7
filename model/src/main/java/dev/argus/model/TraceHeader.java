package dev.argus.model;

import java.util.List;
import java.util.Map;

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
 * @param software versions of software by name, such as {@code cuda_driver_version}, as far as the file has them
 */
public record TraceHeader(
        int rank,
        int worldSize,
        String host,
        String backend,
        List<ProcessGroup> groups,
        String gpuModel,
        int gpusPerHost,
        String jobName,
        Map<String, String> software) {
    /** A header that says nothing of software. */
    public TraceHeader(
            int rank,
            int worldSize,
            String host,
            String backend,
            List<ProcessGroup> groups,
            String gpuModel,
            int gpusPerHost,
            String jobName) {
        this(rank, worldSize, host, backend, groups, gpuModel, gpusPerHost, jobName, Map.of());
    }
}
