package dev.argus.testkit;

import static dev.argus.testkit.JsonBytes.bytes;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a trace says beside the collectives of a data-parallel job, ready to be written. */
final class CollectiveWords {
    private static final long GRADIENTS = 60_000_000;
    private static final int PRINTED_RANKS = 30;

    final byte[] kernelName;
    final byte[] arguments;

    private CollectiveWords(byte[] kernelName, byte[] arguments) {
        this.kernelName = kernelName;
        this.arguments = arguments;
    }

    static CollectiveWords bucket(KinetoJob job) {
        return job.sharded()
                ? of(job, "ReduceScatter_Sum_bf16_RING_LL", "_reduce_scatter_base", GRADIENTS, GRADIENTS / job.ranks())
                : of(job, "AllReduce_Sum_bf16_RING_LL", "allreduce", GRADIENTS, GRADIENTS);
    }

    static CollectiveWords gather(KinetoJob job) {
        return of(job, "AllGather_RING_LL", "_allgather_base", GRADIENTS / job.ranks(), GRADIENTS);
    }

    private static CollectiveWords of(KinetoJob job, String kernel, String operation, long in, long out) {
        String members = IntStream.range(0, Math.min(job.ranks(), PRINTED_RANKS))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", ", "[", job.ranks() > PRINTED_RANKS ? ", ...]" : "]"));
        return new CollectiveWords(
                bytes("ncclDevKernel_" + kernel + "(ncclDevKernelArgsStorage<4096ul>)"),
                bytes(", \"Collective name\": \"" + operation + "\", \"In msg nelems\": " + in
                        + ", \"Out msg nelems\": "
                        + out + ", \"Group size\": " + job.ranks()
                        + ", \"dtype\": \"BFloat16\", \"In split size\": \"[]\""
                        + ", \"Out split size\": \"[]\", \"Process Group Name\": \"1\""
                        + ", \"Process Group Description\": \"DATA_PARALLEL_GROUP\", \"Process Group Ranks\": \""
                        + members + "\", \"Seq\": "));
    }
}
