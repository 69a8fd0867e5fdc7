package dev.argus.trace;

import dev.argus.model.CollectiveOp;
import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.FlightRecord.Group;
import dev.argus.model.FlightRecord.Status;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * From the plain data of a dump to the record of its rank.
 *
 * <p>{@code pg_status} is keyed by an id that is local to the rank; which group it means only the entries tell
 * ({@code pg_id} beside {@code process_group}). Where there is no status (older versions) the entries alone tell how far the rank came.
 */
final class FlightEntries {
    /** Open calls kept of one group: the oldest block, and a CPU runs ahead by tens. */
    static final int MAX_CALLS = 64;

    private static final int MAX_GROUPS = 4096;
    private static final long MAX_SEQUENCE = 1L << 48;
    private static final Pattern PEERS = Pattern.compile("(?:send|recv)\\s+(\\d{1,7})\\s*(?:->|<-)\\s*(\\d{1,7})");

    private final Map<?, ?> dump;
    private final NameTable names;
    private final FlightGroups groups;
    private final Map<Integer, Local> locals = new TreeMap<>();
    private final List<Call> calls = new ArrayList<>();
    private long first = Long.MAX_VALUE;
    private long last;
    private int entries;
    private long unusable;
    private long beyond;

    /** What is known of one local id. */
    private static final class Local {
        int group = -1;
        long first = -1;
        long enqueued = -1;
        long completed = -1;
        boolean status;
        boolean pointToPoint;
        final List<Call> open = new ArrayList<>();
    }

    FlightEntries(Map<?, ?> dump, NameTable names) {
        this.dump = dump;
        this.names = names;
        this.groups = new FlightGroups(dump.get("pg_config"), names);
    }

    /** The rank that all groups have in common, or -1. */
    int statedRank() {
        return groups.commonRank();
    }

    /** Members of the largest group that is known to be whole, or -1. */
    int worldSize() {
        return groups.worldSize();
    }

    List<ProcessGroup> declared() {
        return groups.declared();
    }

    /** Members of groups that are no ranks. */
    long droppedMembers() {
        return groups.dropped();
    }

    /** Entries without group or number. */
    long unusable() {
        return unusable;
    }

    /** Open calls that were not kept. */
    long beyond() {
        return beyond;
    }

    FlightRecord record(int rank) {
        status();
        if (dump.get("entries") instanceof List<?> list) {
            entries = list.size();
            list.forEach(this::entry);
        }
        List<Status> statuses = new ArrayList<>();
        Map<Integer, Integer> kept = new HashMap<>();
        locals.forEach((id, l) -> {
            statuses.add(new Status(id, l.group, l.first, l.enqueued, l.completed, l.pointToPoint));
            l.open.sort(Comparator.comparingLong(Call::sequence));
            for (Call call : l.open) {
                boolean done = !call.pointToPoint() && call.sequence() <= l.completed;
                if (!done && kept.merge(call.group(), 1, Integer::sum) <= MAX_CALLS) {
                    calls.add(call);
                } else if (!done) {
                    beyond++;
                }
            }
        });
        List<Group> all = groups.groups();
        return new FlightRecord(0, rank, all, statuses, calls, entries, last == 0 ? 0 : Math.min(first, last), last);
    }

    // ---------------------------------------------------------------- status

    private void status() {
        if (!(dump.get("pg_status") instanceof Map<?, ?> statuses)) {
            return;
        }
        statuses.forEach((key, value) -> {
            int id = Ids.of(FlightGroups.whole(key, -1), -1);
            if (id >= 0 && value instanceof Map<?, ?> status && locals.size() < MAX_GROUPS) {
                Local local = locals.computeIfAbsent(id, k -> new Local());
                local.status = true;
                local.enqueued = sequence(status.get("last_enqueued_collective"));
                local.completed = sequence(status.get("last_completed_collective"));
            }
        });
    }

    private static long sequence(@Nullable Object value) {
        long number = FlightGroups.whole(value, -1);
        return number >= 0 && number < MAX_SEQUENCE ? number : -1;
    }

    // ---------------------------------------------------------------- entries

    private void entry(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> entry)) {
            unusable++;
            return;
        }
        long created = FlightGroups.whole(entry.get("time_created_ns"), 0);
        moment(created);
        moment(FlightGroups.whole(entry.get("time_discovered_completed_ns"), 0));
        int group = groups.of(entry.get("process_group"));
        String name = FlightGroups.text(entry.get("profiling_name"));
        boolean pair = Boolean.TRUE.equals(entry.get("is_p2p"));
        long sequence = sequence(entry.get(pair ? "p2p_seq_id" : "collective_seq_id"));
        if (sequence < 0) {
            sequence = sequence(entry.get("seq_id")); // before the two were counted apart
        }
        int id = Ids.of(FlightGroups.whole(entry.get("pg_id"), -1), -1);
        if (group < 0 || sequence < 0 || (locals.size() >= MAX_GROUPS && !locals.containsKey(id))) {
            unusable++;
            return;
        }
        Local local = locals.computeIfAbsent(id >= 0 ? id : -2 - group, k -> new Local());
        local.group = group;
        local.pointToPoint |= pair;
        boolean done = "completed".equals(entry.get("state"));
        if (!pair) {
            local.first = local.first < 0 ? sequence : Math.min(local.first, sequence);
            if (!local.status) {
                local.enqueued = Math.max(local.enqueued, sequence);
                local.completed = done ? Math.max(local.completed, sequence) : local.completed;
            }
        }
        if (!done) {
            local.open.add(call(entry, group, sequence, name, pair, created));
        }
    }

    private void moment(long nanos) {
        if (nanos > 0) {
            first = Math.min(first, nanos);
            last = Math.max(last, nanos);
        }
    }

    private Call call(Map<?, ?> entry, int group, long sequence, String name, boolean pair, long created) {
        String word = name.substring(name.indexOf(':') + 1);
        CollectiveOp named = CollectiveNames.op(word);
        CollectiveOp op = named == null ? CollectiveOp.UNKNOWN : named;
        int peer = -1;
        if (pair) {
            Matcher sides = PEERS.matcher(word);
            if (sides.find()) {
                peer = groups.global(group, Integer.parseInt(sides.group(2)));
            }
            op = op.isPointToPoint() ? op : CollectiveOp.SEND_RECV;
        }
        return new Call(
                group,
                sequence,
                op,
                names.id(cut(word)),
                names.id(cut(shape(entry))),
                peer,
                "started".equals(entry.get("state")),
                Math.max(0, created));
    }

    private static String cut(String text) {
        return text.length() > 200 ? text.substring(0, 200) : text;
    }

    /** The first input, such as {@code 2048x5120 BFloat16}. */
    private static String shape(Map<?, ?> entry) {
        StringBuilder text = new StringBuilder();
        if (firstOf(entry.get("input_sizes")) instanceof List<?> sizes) {
            for (int i = 0; i < Math.min(8, sizes.size()); i++) {
                text.append(i == 0 ? "" : "x").append(FlightGroups.whole(sizes.get(i), 0));
            }
        }
        String type = FlightGroups.text(firstOf(entry.get("input_dtypes")));
        return type.isEmpty() ? text.toString() : text + " " + type;
    }

    private static @Nullable Object firstOf(@Nullable Object value) {
        return value instanceof List<?> list && !list.isEmpty() ? list.getFirst() : null;
    }
}
