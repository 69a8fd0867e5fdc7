package dev.argus.testkit;

import static dev.argus.testkit.JsonBytes.bytes;

import java.util.HashMap;
import java.util.Map;

/** Spells single events of one rank in its dialect. Used by one thread. */
final class KinetoEvents {
    /** Base time of Kineto's relative clock, nanoseconds since the epoch. */
    static final long BASE = 1_751_410_836_000_000_000L;

    private static final long START = BASE + 3_690_164_649_000_000L;
    private static final byte[] DURATION = bytes(", \"dur\": ");
    private static final byte[] ARGS = bytes(",\n    \"args\": {\n      ");
    private static final byte[] END = bytes("\n    }\n  },\n");
    private static final byte[] TIME = bytes(",\n    \"ts\": ");
    private static final byte[] THREAD = bytes(", \"tid\": ");
    private static final byte[] PROCESS = bytes("\", \"pid\": ");

    final KinetoJob job;
    final int rank;
    final int device;
    final long process;
    final JsonBytes out;
    private final boolean old;
    private final long origin;
    private final Map<String, byte[]> openings = new HashMap<>();
    private final byte[] bufferOpening;

    KinetoEvents(KinetoJob job, int rank, JsonBytes out) {
        this.job = job;
        this.rank = rank;
        this.out = out;
        this.device = rank % job.ranksPerHost();
        this.process = 300_000 + 131L * rank;
        this.old = job.dialect().oldCategories();
        int host = rank / job.ranksPerHost();
        double skew = job.hostClockSpreadNanos() * Noise.unit(job.seed(), host, -9, 0);
        this.origin = START + (long) skew;
        this.bufferOpening = bytes("  {\n    \"ph\": \"X\", \"cat\": \"" + (old ? "Kernel" : "kernel")
                + (old ? "\", \n" + "    \"name\": \"" : "\", \"name\": \""));
    }

    /** Thread id of {@link TimelineVisitor#MAIN} or {@link TimelineVisitor#AUTOGRAD}. */
    long thread(int thread) {
        return process + 57L * thread;
    }

    /** A time of the timeline as a reader should see it: epoch nanoseconds, cut where the dialect cuts. */
    long written(long jobNanos) {
        return cut(origin + jobNanos);
    }

    /** A length as a reader should see it. */
    long cut(long nanos) {
        return job.dialect().integerMicros() ? nanos / 1000 * 1000 : nanos;
    }

    void time(long jobNanos) {
        long epoch = origin + jobNanos;
        decimal(job.dialect().absoluteTimes() ? epoch : epoch - BASE);
    }

    private void decimal(long nanos) {
        if (job.dialect().integerMicros()) {
            out.number(nanos / 1000);
        } else {
            out.micros(nanos);
        }
    }

    /** Begins an event on the CPU; arguments follow. */
    void openCpu(String category, String name, long thread, long start, long nanos) {
        out.put(openings.computeIfAbsent(
                category + '/' + name, key -> opening(category, name, Long.toString(process))));
        if (old) {
            out.put("\"").number(thread).put("\"");
        } else {
            out.number(thread);
        }
        times(start, nanos);
    }

    /** Begins an event on a stream; arguments follow. */
    void openGpu(String category, String name, int stream, long start, long nanos) {
        out.put(openings.computeIfAbsent(category + '/' + name, key -> opening(category, name, "" + device)));
        stream(stream);
        times(start, nanos);
    }

    /** Begins a kernel; arguments follow. */
    void openKernel(byte[] name, int stream, long start, long nanos) {
        out.put(bufferOpening).put(name).put(PROCESS).number(device).put(THREAD);
        stream(stream);
        times(start, nanos);
    }

    private byte[] opening(String category, String name, String processText) {
        String between = old ? "\", \n    \"name\": \"" : "\", \"name\": \"";
        String spelled = old ? oldCategory(category) : category;
        return bytes("  {\n    \"ph\": \"X\", \"cat\": \"" + spelled + between + name + "\", \"pid\": " + processText
                + ", \"tid\": ");
    }

    private static String oldCategory(String category) {
        return switch (category) {
            case "cuda_runtime", "cuda_driver" -> "Runtime";
            case "gpu_memcpy" -> "Memcpy";
            default -> "Operator";
        };
    }

    private void stream(int stream) {
        if (old) {
            out.put("\"stream ").number(stream).put("\"");
        } else {
            out.number(stream);
        }
    }

    private void times(long start, long nanos) {
        out.put(TIME);
        time(start);
        out.put(DURATION);
        decimal(nanos);
        out.put(ARGS);
    }

    void close() {
        out.put(END);
    }

    /** The key of the id which joins operators and launches. */
    String externalKey() {
        return old ? "\"external id\": " : "\"External id\": ";
    }

    /** One end of the arrow from a launch to its work. */
    void flow(boolean start, long id, long processOrDevice, long threadOrStream, long at) {
        out.put(start ? "  {\n    \"ph\": \"s\", \"id\": " : "  {\n    \"ph\": \"f\", \"id\": ");
        out.number(id).put(", \"pid\": ").number(processOrDevice).put(THREAD).number(threadOrStream);
        out.put(", \"ts\": ");
        time(at);
        out.put(
                old
                        ? ",\n    \"cat\": \"async\", \"name\": \"launch\""
                        : ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"");
        out.put(start ? "\n  },\n" : ", \"bp\": \"e\"\n  },\n");
    }
}
