package dev.argus.trace;

import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.TraceHeader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The workers of a timeline, from the names it gives to processes ({@code DP rank [1]}) and threads
 * ({@code PP rank 3, TP rank 0, dp-comm}).
 *
 * <p>Number of a worker = (stage x DP + replica) x TP + tensor coordinate: the order of the file's own thread numbers, and
 * Megatron's default order. Where the file merges tensor ranks, TP is 1 and a worker stands for all of them.
 */
final class TimelineWorkers {
    private static final Pattern THREAD = Pattern.compile("PP rank (\\d{1,4})(?:, TP rank (\\d{1,4}))?.*");
    private static final Pattern PROCESS = Pattern.compile("DP rank \\D*(\\d{1,5}).*");
    private static final int MAX_WORKERS = 1 << 20;

    /** Place of a worker. */
    record Place(int stage, int replica, int tensor) {}

    private record Track(long process, long thread) {}

    private record Role(int stage, int tensor) {}

    private final Map<Track, Role> roles = new HashMap<>();
    private final Map<Long, Integer> replicas = new HashMap<>();
    private int stages = 1;
    private int replicaCount = 1;
    private int tensors = 1;

    /** Takes a metadata event of the file. */
    void metadata(String kind, long process, long thread, String label) {
        if (kind.equals("thread_name")) {
            thread(new Track(process, thread), THREAD.matcher(label));
        } else if (kind.equals("process_name")) {
            Matcher named = PROCESS.matcher(label);
            if (named.matches()) {
                replica(process, Integer.parseInt(named.group(1)));
            }
        }
    }

    private void thread(Track track, Matcher named) {
        if (named.matches()) {
            int stage = Integer.parseInt(named.group(1));
            String printed = named.group(2);
            int tensor = printed == null ? 0 : Integer.parseInt(printed);
            roles.put(track, new Role(stage, tensor));
            stages = Math.max(stages, stage + 1);
            tensors = Math.max(tensors, tensor + 1);
        }
    }

    /** Takes a process that has events, named or not. */
    void process(long process) {
        if (!replicas.containsKey(process) && process >= 0 && process < MAX_WORKERS) {
            replica(process, (int) process);
        }
    }

    private void replica(long process, int replica) {
        replicas.put(process, replica);
        replicaCount =
                1 + replicas.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    boolean hasStages() {
        return !roles.isEmpty();
    }

    /** Number of workers; 0 if there are more than anybody has. */
    int count() {
        long count = (long) stages * replicaCount * tensors;
        return count > MAX_WORKERS ? 0 : (int) count;
    }

    /** Number of the worker an event belongs to, or -1. */
    int worker(long process, long thread) {
        Integer replica = replicas.get(process);
        Role role = roles.get(new Track(process, thread));
        if (replica == null || (role == null && hasStages())) {
            return -1;
        }
        return role == null ? number(0, replica, 0) : number(role.stage(), replica, role.tensor());
    }

    int number(int stage, int replica, int tensor) {
        return (stage * replicaCount + replica) * tensors + tensor;
    }

    Place place(int worker) {
        int row = worker / tensors;
        return new Place(row / replicaCount, row % replicaCount, worker % tensors);
    }

    int stages() {
        return stages;
    }

    /** Members of the named kind of group ({@code dp}, {@code pp}, {@code tp}, {@code embd}) that a worker belongs to. */
    RankSet members(String kind, Place at) {
        return switch (kind) {
            case "dp" -> numbers(replicaCount, i -> number(at.stage(), i, at.tensor()));
            case "pp" -> numbers(stages, i -> number(i, at.replica(), at.tensor()));
            case "tp" -> numbers(tensors, i -> number(at.stage(), at.replica(), i));
            case "embd" ->
                RankSet.of(number(0, at.replica(), at.tensor()), number(stages - 1, at.replica(), at.tensor()));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static RankSet numbers(int count, IntUnaryOperator worker) {
        return RankSet.of(IntStream.range(0, count).map(worker));
    }

    /** Name of that group, the same on all its members and on no other group. */
    String groupName(String kind, Place at) {
        return switch (kind) {
            case "dp" -> "dp-pp" + at.stage() + "-tp" + at.tensor();
            case "tp" -> "tp-pp" + at.stage() + "-dp" + at.replica();
            default -> kind + "-dp" + at.replica() + "-tp" + at.tensor();
        };
    }

    /** Id of the printed list of members, as Kineto prints it. */
    static int printed(RankSet members, NameTable names) {
        return names.id(Arrays.toString(members.toArray()));
    }

    TraceHeader header(int worker) {
        Place at = place(worker);
        List<ProcessGroup> groups = List.of(
                group("tp", "TENSOR_MODEL_PARALLEL_GROUP", at),
                group("dp", "DATA_PARALLEL_GROUP", at),
                group("pp", "PIPELINE_MODEL_PARALLEL_GROUP", at),
                group("embd", "EMBEDDING_GROUP", at));
        return new TraceHeader(worker, count(), "", "", groups, "", -1, "");
    }

    private ProcessGroup group(String kind, String description, Place at) {
        RankSet members = members(kind, at);
        return new ProcessGroup(groupName(kind, at), description, members.size(), members, true);
    }

    String label(int worker) {
        Place at = place(worker);
        return "pp" + at.stage() + "-dp" + at.replica() + (tensors > 1 ? "-tp" + at.tensor() : "");
    }
}
