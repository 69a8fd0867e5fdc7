package dev.argus.trace;

/** Members of the object that a file of JSON is, and what each is for: events, the header, or a format beside traces. */
final class TraceMembers {
    static final int EVENTS = 16;
    static final int BASE_TIME = 17;
    static final int FLIGHT = 18;
    static final int PROFILES = 19;
    static final int PROMETHEUS = 20;

    /** All of them, several of which are one thing. */
    static final KeyTable ALL = KeyTable.of(
            "traceEvents",
            EVENTS,
            "baseTimeNanoseconds",
            BASE_TIME,
            "distributedInfo",
            HeaderBuilder.DISTRIBUTED,
            "deviceProperties",
            HeaderBuilder.DEVICES,
            "host_name",
            HeaderBuilder.HOST,
            "hostname",
            HeaderBuilder.HOST,
            "hostName",
            HeaderBuilder.HOST,
            "job_name",
            HeaderBuilder.JOB,
            "jobName",
            HeaderBuilder.JOB,
            "job_id",
            HeaderBuilder.JOB,
            "jobId",
            HeaderBuilder.JOB,
            "run_id",
            HeaderBuilder.JOB,
            "metadata",
            HeaderBuilder.METADATA,
            "cupti_version",
            HeaderBuilder.SOFTWARE,
            "cuda_runtime_version",
            HeaderBuilder.SOFTWARE + 1,
            "cuda_driver_version",
            HeaderBuilder.SOFTWARE + 2,
            "roctracer_version",
            HeaderBuilder.SOFTWARE + 3,
            "hip_runtime_version",
            HeaderBuilder.SOFTWARE + 4,
            "hip_driver_version",
            HeaderBuilder.SOFTWARE + 5,
            "pytorch_version",
            HeaderBuilder.SOFTWARE + 6,
            "torch_version",
            HeaderBuilder.SOFTWARE + 7,
            "pg_config",
            FLIGHT,
            "pg_status",
            FLIGHT,
            "entries",
            FLIGHT,
            "profiles",
            PROFILES,
            "shared",
            PROFILES,
            "data",
            PROMETHEUS);

    private TraceMembers() {}

    /** True if the member tells a format beside traces. */
    static boolean isBeside(int member) {
        return member >= FLIGHT;
    }
}
