package dev.argus.trace;

import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.TraceHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a Kineto file says beside its events, wherever in the file it stands.
 *
 * <p>A job is told apart from another by an explicit name only ({@code job_name}, {@code job_id}, {@code run_id} and their
 * like, at the top, in {@code distributedInfo} or in {@code metadata}): the world size may change between attempts of one
 * job, and {@code trace_id} differs between its ranks.
 */
final class HeaderBuilder {
    static final int DISTRIBUTED = 1;
    static final int DEVICES = 2;
    static final int HOST = 3;
    static final int JOB = 4;
    static final int METADATA = 5;

    /** Versions of software at the top of a file: this and the members after it, in the order of {@link #SOFTWARE_KEYS}. */
    static final int SOFTWARE = 6;

    private static final List<String> SOFTWARE_KEYS = List.of(
            "cupti_version",
            "cuda_runtime_version",
            "cuda_driver_version",
            "roctracer_version",
            "hip_runtime_version",
            "hip_driver_version",
            "pytorch_version",
            "torch_version",
            "nccl_version",
            "python_version");

    private static final int MAX_VERSION_LENGTH = 64;
    private static final int MAX_LISTED_RANKS = 1 << 20;
    private static final List<String> HOST_KEYS = List.of("host_name", "hostname", "host", "node", "node_name");
    private static final List<String> JOB_KEYS =
            List.of("job_name", "jobName", "job_id", "jobId", "run_id", "runId", "run_name", "SLURM_JOB_ID");

    private int rank = -1;
    private int worldSize = -1;
    private String host = "";
    private String backend = "";
    private List<ProcessGroup> groups = List.of();
    private String gpuModel = "";
    private int gpus = -1;
    private String job = "";
    private final Map<String, String> software = new TreeMap<>();

    /** Rank stated inside the file, or -1. */
    int statedRank() {
        return rank;
    }

    /** The header, completed by what the label tells. */
    TraceHeader build(String label) {
        return new TraceHeader(
                rank >= 0 ? rank : FileNames.rank(label),
                worldSize,
                host.isEmpty() ? FileNames.host(label) : host,
                backend,
                groups,
                gpuModel,
                gpus,
                job,
                Map.copyOf(software));
    }

    /** Takes one member of the file. */
    void put(int member, @Nullable Object value) {
        switch (member) {
            case DISTRIBUTED -> distributed(value);
            case DEVICES -> devices(value);
            case HOST -> host = host.isEmpty() ? text(value) : host;
            case JOB -> job = job.isEmpty() ? text(value) : job;
            case METADATA -> named(value);
            default -> {
                if (member < SOFTWARE || member >= SOFTWARE + SOFTWARE_KEYS.size()) {
                    throw new IllegalArgumentException("member " + member);
                }
                software(SOFTWARE_KEYS.get(member - SOFTWARE), value);
            }
        }
    }

    private void software(String key, @Nullable Object value) {
        if (value instanceof String || value instanceof Number) {
            String text = value.toString();
            software.put(key, text.substring(0, Math.min(MAX_VERSION_LENGTH, text.length())));
        }
    }

    private void named(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            for (String key : HOST_KEYS) {
                host = host.isEmpty() && map.get(key) instanceof String text ? text : host;
            }
            for (String key : JOB_KEYS) {
                job = job.isEmpty() ? text(map.get(key)) : job;
            }
            for (String key : SOFTWARE_KEYS) {
                software(key, map.get(key));
            }
        }
    }

    private void distributed(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return;
        }
        rank = integer(map.get("rank"), rank);
        worldSize = integer(map.get("world_size"), worldSize);
        backend = text(map.get("backend"));
        named(map);
        groups = groups(map.get("pg_config"));
    }

    private void devices(@Nullable Object value) {
        if (value instanceof List<?> list && !list.isEmpty()) {
            gpus = list.size();
            if (list.getFirst() instanceof Map<?, ?> first) {
                gpuModel = text(first.get("name"));
            }
        }
    }

    private List<ProcessGroup> groups(@Nullable Object config) {
        Object value = config;
        if (config instanceof String printed) {
            byte[] bytes = printed.getBytes(StandardCharsets.UTF_8);
            try {
                value = JsonTree.parse(bytes, 0, bytes.length);
            } catch (JsonError notJson) {
                return List.of();
            }
        }
        List<ProcessGroup> out = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object entry : list) {
                if (entry instanceof Map<?, ?> group) {
                    out.add(group(group));
                }
            }
        }
        return List.copyOf(out);
    }

    private ProcessGroup group(Map<?, ?> group) {
        Object listed = group.get("ranks");
        int size = integer(group.get("pg_size"), integer(group.get("group_count"), -1));
        List<Integer> ranks = new ArrayList<>();
        boolean complete = listed instanceof String printed ? printedRanks(printed, ranks) : listedRanks(listed, ranks);
        RankSet set = RankSet.of(ranks);
        if (set.isEmpty() && size > 0 && size == worldSize && size <= MAX_LISTED_RANKS) {
            // The default group is printed without its members by some versions.
            set = RankSet.range(0, size - 1);
        }
        return new ProcessGroup(
                text(group.get("pg_name")),
                text(group.get("pg_desc")),
                size,
                set,
                complete && !set.isEmpty() && (size < 0 || set.size() == size));
    }

    private static boolean listedRanks(@Nullable Object listed, List<Integer> out) {
        boolean complete = true;
        if (listed instanceof List<?> list) {
            for (Object rank : list) {
                int number = integer(rank, -1);
                if (number < 0) {
                    complete = false;
                } else {
                    out.add(number);
                }
            }
        }
        return complete;
    }

    private static boolean printedRanks(String printed, List<Integer> out) {
        long number = -1;
        boolean complete = !printed.contains("...");
        for (int i = 0; i <= printed.length(); i++) {
            char c = i < printed.length() ? printed.charAt(i) : ' ';
            if (c >= '0' && c <= '9') {
                number = number > Integer.MAX_VALUE ? number : Math.max(number, 0) * 10 + (c - '0');
            } else {
                int rank = Ids.of(number, -1);
                complete &= rank >= 0 || number < 0;
                if (rank >= 0) {
                    out.add(rank);
                }
                number = -1;
            }
        }
        return complete;
    }

    private static int integer(@Nullable Object value, int absent) {
        if (value instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE) {
            return number.intValue();
        }
        if (value instanceof String text && text.matches("\\d{1,9}")) {
            return Integer.parseInt(text);
        }
        return absent;
    }

    private static String text(@Nullable Object value) {
        return value instanceof String || value instanceof Long ? value.toString() : "";
    }
}
