package dev.argus.agent.feed;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which collectives one rank has called and not seen end: a flight record that is always there.
 *
 * <p>State: at most {@value #MOST_GROUPS} groups of {@value #MOST_OPEN} open calls; of more the oldest calls are kept, for the first one that does not end is the
 * reason for the others.
 */
final class InFlight {
    static final int MOST_GROUPS = 1024;
    static final int MOST_OPEN = 64;

    private final NameTable names;
    private final Map<Integer, Group> groups = new TreeMap<>();

    private static final class Group {
        long firstCollective = -1;
        long called = -1;
        long completed = -1;
        final Map<Long, Open> open = new TreeMap<>();
    }

    private record Open(CollectiveCall call, int name, long startNanos) {}

    InFlight(NameTable names) {
        this.names = names;
    }

    /** A call has been made. */
    void begun(CollectiveCall call, int name, long startNanos) {
        Group g = group(call);
        if (g == null) {
            return;
        }
        called(g, call);
        if (g.open.size() < MOST_OPEN) {
            g.open.put(key(call), new Open(call, name, startNanos));
        }
    }

    /** A call has ended, for this rank. */
    void ended(CollectiveCall call) {
        Group g = group(call);
        if (g == null) {
            return;
        }
        called(g, call);
        g.open.remove(key(call));
        if (!call.op().isPointToPoint()) {
            g.completed = Math.max(g.completed, call.sequence());
        }
    }

    /** True if a call has not ended. */
    boolean anyOpen() {
        return groups.values().stream().anyMatch(g -> !g.open.isEmpty());
    }

    private @Nullable Group group(CollectiveCall call) {
        Group known = groups.get(call.group());
        if (known != null || call.group() < 0 || groups.size() >= MOST_GROUPS) {
            return known;
        }
        Group fresh = new Group();
        groups.put(call.group(), fresh);
        return fresh;
    }

    private static void called(Group g, CollectiveCall call) {
        if (!call.op().isPointToPoint()) {
            g.called = Math.max(g.called, call.sequence());
            g.firstCollective = g.firstCollective < 0 ? call.sequence() : g.firstCollective;
        }
    }

    /** Sends and receives are numbered apart from collectives, and by peer. */
    private static long key(CollectiveCall call) {
        return call.op().isPointToPoint()
                ? (1L << 62)
                        | (call.op() == CollectiveOp.SEND ? 1L << 61 : 0)
                        | ((call.peer() & 0xFFFFFL) << 40)
                        | (call.sequence() & 0xFF_FFFF_FFFFL)
                : call.sequence();
    }

    /**
     * What is open now.
     *
     * @param declared the groups as the rank declares them, by name
     * @return null when the rank has made no call yet
     */
    @Nullable
    FlightRecord record(int attempt, int rank, Map<String, ProcessGroup> declared, long nowNanos) {
        if (groups.isEmpty()) {
            return null;
        }
        List<FlightRecord.Group> said = new ArrayList<>();
        List<FlightRecord.Status> statuses = new ArrayList<>();
        List<FlightRecord.Call> calls = new ArrayList<>();
        long first = Long.MAX_VALUE;
        int none = names.id("");
        Map<String, ProcessGroup> known = new HashMap<>(declared);
        for (Map.Entry<Integer, Group> e : groups.entrySet()) {
            int at = said.size();
            Group g = e.getValue();
            ProcessGroup of = known.get(names.name(e.getKey()));
            String description = of == null ? "" : of.description();
            said.add(new FlightRecord.Group(
                    e.getKey(),
                    description.isEmpty() ? e.getKey() : names.id(description),
                    of == null ? RankSet.EMPTY : of.ranks(),
                    of != null && of.complete()));
            if (g.called >= 0) {
                statuses.add(new FlightRecord.Status(at, at, g.firstCollective, g.called, g.completed, false));
            }
            for (Open o : g.open.values()) {
                first = Math.min(first, o.startNanos());
                calls.add(new FlightRecord.Call(
                        at,
                        o.call().sequence(),
                        o.call().op(),
                        o.name() >= 0 ? o.name() : names.id(o.call().op().name().toLowerCase(java.util.Locale.ROOT)),
                        none,
                        o.call().op().isPointToPoint() ? o.call().peer() : -1,
                        true,
                        o.startNanos()));
            }
        }
        return new FlightRecord(
                attempt,
                rank,
                said,
                statuses,
                calls,
                calls.size(),
                first == Long.MAX_VALUE ? nowNanos : first,
                nowNanos);
    }
}
