package dev.argus.testkit;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What stands around the events of a file: the header and the closing metadata. */
final class KinetoFrame {
    private final KinetoEvents events;
    private final KinetoJob job;

    KinetoFrame(KinetoEvents events) {
        this.events = events;
        this.job = events.job;
    }

    void open() {
        if (job.dialect().plainList()) {
            events.out.put("[\n");
            return;
        }
        events.out.put("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n");
        String model = job.dialect().oldCategories() ? "Tesla V100-DGXS-32GB" : "NVIDIA H100 80GB HBM3";
        events.out.put(IntStream.range(0, job.ranksPerHost())
                .mapToObj(id -> "    {\n      \"id\": " + id + ", \"name\": \"" + model
                        + "\", \"totalGlobalMem\": 85028765696,\n      \"computeMajor\": 9, \"computeMinor\": 0,\n"
                        + "      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n"
                        + "      \"regsPerBlock\": 65536, \"warpSize\": 32,\n"
                        + "      \"sharedMemPerBlock\": 49152, \"numSms\": 132\n    }")
                .collect(Collectors.joining(",\n", "", "\n  ],\n")));
        if (!job.dialect().oldCategories()) {
            modernHeader();
        }
        events.out.put("  \"traceEvents\": [\n");
    }

    private void modernHeader() {
        String members =
                IntStream.range(0, job.ranks()).mapToObj(Integer::toString).collect(Collectors.joining(", ", "[", "]"));
        String group =
                "\"backend_config\": \"cuda:nccl\", \"pg_size\": " + job.ranks() + ", \"ranks\": " + members + "}";
        events.out.put(
                "  \"cupti_version\": 24,\n  \"cuda_runtime_version\": 12060,\n  \"cuda_driver_version\": 12060,\n");
        events.out.put("  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + events.rank + ", \"world_size\": "
                + job.ranks() + ", \"pg_count\": 2, \"pg_config\": [{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", "
                + group + ", {\"pg_name\": \"1\", \"pg_desc\": \"DATA_PARALLEL_GROUP\", " + group
                + "], \"nccl_version\": \"2.26.2\"},\n");
        events.out.put("  \"host_name\": \"" + job.host(events.rank) + "\",\n  \"with_stack\": "
                + (job.framesPerStep() > 0 || job.bytesPerFile() > 0 ? 1 : 0) + ",\n  \"trace_id\": \""
                + Long.toHexString(Noise.bits(job.seed(), events.rank, -5, 0))
                + "\",\n  \"displayTimeUnit\": \"ms\",\n");
        if (!job.dialect().absoluteTimes()) {
            events.out.put("  \"baseTimeNanoseconds\": " + KinetoEvents.BASE + ",\n");
        }
    }

    void close() {
        metadata("process_name", events.process, "0", "\"name\": \"python3.11\"");
        metadata("process_labels", events.process, "0", "\"labels\": \"CPU\"");
        metadata("process_name", events.device, "0", "\"name\": \"python3.11\"");
        metadata("process_labels", events.device, "0", "\"labels\": \"GPU " + events.device + "\"");
        for (int stream : new int[] {TimelineVisitor.COMPUTE_STREAM, TimelineVisitor.COMM_STREAM}) {
            metadata("thread_name", events.device, "" + stream, "\"name\": \"stream " + stream + " \"");
        }
        long main = events.thread(TimelineVisitor.MAIN);
        long autograd = events.thread(TimelineVisitor.AUTOGRAD);
        metadata("thread_name", events.process, "" + main, "\"name\": \"thread " + main + " (python3)\"");
        metadata("thread_name", events.process, "" + autograd, "\"name\": \"thread " + autograd + " (pt_autograd_0)\"");
        events.out.put("  {\n    \"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n"
                + "    \"pid\": \"\", \"tid\": \"\", \"ts\": ");
        events.time(0);
        events.out.put("\n  }\n  ]");
        if (!job.dialect().plainList()) {
            events.out.put(",\n  \"traceName\": \"/tmp/prof/" + job.fileName(events.rank) + "\"\n}");
        }
        events.out.put("\n");
    }

    private void metadata(String name, long process, String thread, String argument) {
        events.out.put("  {\n    \"name\": \"" + name + "\", \"ph\": \"M\", \"ts\": ");
        events.time(0);
        events.out.put(", \"pid\": " + process + ", \"tid\": " + thread + ",\n    \"args\": {\n      " + argument);
        events.close();
    }
}
