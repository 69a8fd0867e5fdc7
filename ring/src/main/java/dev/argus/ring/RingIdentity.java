package dev.argus.ring;

import dev.argus.model.ProcessGroup;
import dev.argus.model.TraceHeader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who a process is, from the headers of its rings and their IDENTITY and GROUP records; one for all rings of a process. What comes later replaces
 * what came before, but an unknown rank never replaces a known one. Bounded; belongs to one thread.
 */
public final class RingIdentity {
    private static final int MOST_GROUPS = 1024;
    private static final int MOST_VERSIONS = 64;
    private static final int MOST_DEVICES = 256;
    private static final int MOST_VERSION_LENGTH = 64;

    private final Map<String, ProcessGroup> groups = new LinkedHashMap<>();
    private final Map<String, String> software = new TreeMap<>();
    private final Map<Long, String> gpuModels = new TreeMap<>();
    private final Map<Long, String> gpuUuids = new TreeMap<>();
    private int rank = -1;
    private int localRank = -1;
    private int worldSize = -1;
    private String host = "";
    private String job = "";
    private int attempt;
    private long device = -1;
    private String backend = "";
    private String topology = "";
    private long mainThread = -1;
    private String framework = "";
    private long unknown;

    /** Takes the ranks that a header states. */
    public void header(RingHeader header) {
        rank = stated(header.rank(), rank);
        localRank = stated(header.localRank(), localRank);
        worldSize = stated(header.worldSize(), worldSize);
    }

    /** Takes one fact; unknown keys are counted. */
    void fact(int key, String text, long value) {
        switch (key) {
            case 1 -> rank = stated(value, rank);
            case 2 -> localRank = stated(value, localRank);
            case 3 -> worldSize = stated(value, worldSize);
            case 4 -> host = text;
            case 5 -> job = text;
            case 6 -> attempt = stated(value, attempt);
            case 7 -> version(text);
            case 8 -> put(gpuModels, value, text);
            case 9 -> put(gpuUuids, value, text);
            case 10 -> device = value;
            case 11 -> backend = text;
            case 12 -> topology = text;
            case 13 -> mainThread = value;
            case 14 -> framework = text;
            default -> unknown++;
        }
    }

    private static int stated(long value, int otherwise) {
        return value >= 0 && value <= Integer.MAX_VALUE ? (int) value : otherwise;
    }

    private void version(String text) {
        int sign = text.indexOf('=');
        if (sign > 0 && sign <= MOST_VERSION_LENGTH && software.size() < MOST_VERSIONS) {
            String version = text.substring(sign + 1);
            software.put(
                    text.substring(0, sign), version.substring(0, Math.min(version.length(), MOST_VERSION_LENGTH)));
        }
    }

    private static void put(Map<Long, String> devices, long device, String text) {
        if (devices.size() < MOST_DEVICES || devices.containsKey(device)) {
            devices.put(device, text);
        }
    }

    void group(ProcessGroup group) {
        if (groups.size() < MOST_GROUPS || groups.containsKey(group.name())) {
            groups.put(group.name(), group);
        }
    }

    /** As the header of a trace of this process; GPUs listed only if the process stated them. */
    public TraceHeader traceHeader() {
        String model = gpuModels.getOrDefault(
                device, gpuModels.values().stream().findFirst().orElse(""));
        return new TraceHeader(
                rank,
                worldSize,
                host,
                backend,
                List.copyOf(new ArrayList<>(groups.values())),
                model,
                gpuModels.isEmpty() ? -1 : gpuModels.size(),
                job,
                Map.copyOf(software));
    }

    /** Rank, or -1. */
    public int rank() {
        return rank;
    }

    /** Job as it was stated, or empty. */
    public String jobName() {
        return job;
    }

    /** Rank on its host, or -1. */
    public int localRank() {
        return localRank;
    }

    /** Number of the start of the job, 0 unless stated. */
    public int attempt() {
        return attempt;
    }

    /** Topology as the framework states it, such as {@code tp=2,dp=4}, or empty. */
    public String topology() {
        return topology;
    }

    /** Thread id of the main thread, or -1. */
    public long mainThread() {
        return mainThread;
    }

    /** Framework, or empty. */
    public String framework() {
        return framework;
    }

    /** Unique id of the GPU the process uses, or empty. */
    public String gpuUuid() {
        return gpuUuids.getOrDefault(
                device, gpuUuids.size() == 1 ? gpuUuids.values().iterator().next() : "");
    }

    /** Facts under keys that this version does not know. */
    public long unknownFacts() {
        return unknown;
    }
}
