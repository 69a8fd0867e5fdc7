package dev.argus.agent.feed;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which collectives one rank has called and not seen end: a flight record that is always there.
 *
 * <p>A call on the host is open until it ends. A call that launches work on a GPU returns at once; it is open until the end of its kernel is told. The kernel is the one that was launched
 * within the call, by thread and time. Calls of one group run in their order, and so do sends and receives of one pair: the end of one is the end of those before, whether
 * theirs were told or not. A lost end is found at the latest when {@link #over} says so.
 *
 * <p>State: at most {@value #MOST_GROUPS} groups, {@value #MOST_OPEN} open calls; of more the oldest of the group are given up and counted. Cost: logarithmic in
 * the open calls.
 */
final class InFlight {
    static final int MOST_GROUPS = 1024;
    static final int MOST_OPEN = 1 << 14;

    /** Calls said of each group: the oldest, for the first that does not end is the reason for the others, and the newest, for others may wait for the next. */
    static final int MOST_SAID = 64;

    /** While a rank goes on nobody asks, and the oldest and the newest are enough: what is said is shipped each second. */
    private static final int MOST_SAID_BUSY = 2;

    private static final long BUSY_NANOS = 5_000_000_000L;
    private static final int MOST_EARLY = 64;

    private final NameTable names;
    private final Map<Integer, Group> groups = new TreeMap<>();

    /** Open calls that have launched work, by thread and begin. */
    private final Map<Long, NavigableMap<Long, Open>> launched = new HashMap<>();

    /** Kernels of communication of which no call was known when their end was told. */
    private final Deque<Early> early = new ArrayDeque<>();

    private final GpuLaunches launches;
    private int open;
    private long newestNanos = Long.MIN_VALUE;
    private long givenUp;

    private static final class Group {
        long firstCollective = -1;
        long called = -1;
        long completed = -1;
        final NavigableMap<Long, Open> open = new TreeMap<>();
    }

    private static final class Open {
        final CollectiveCall call;
        final int name;
        final long startNanos;
        long thread;
        long endNanos = -1;

        /** Another one of the same call: operations of one batch begin together. */
        @Nullable
        Open together;

        Open(CollectiveCall call, int name, long startNanos) {
            this.call = call;
            this.name = name;
            this.startNanos = startNanos;
        }
    }

    private record Early(long thread, long launchNanos) {}

    /** @param launches of the rank: those of calls that have ended are taken out */
    InFlight(NameTable names, GpuLaunches launches) {
        this.names = names;
        this.launches = launches;
    }

    // ---------------------------------------------------------------- what happens

    /** A call has been made. */
    void begun(CollectiveCall call, int name, long startNanos) {
        Group g = group(call);
        if (g != null) {
            called(g, call);
            put(g, new Open(call, name, startNanos));
        }
    }

    /** A call has ended, for this rank. */
    void ended(CollectiveCall call) {
        Group g = group(call);
        if (g != null) {
            called(g, call);
            Open known = g.open.get(key(call));
            if (known != null) {
                remove(g, known);
            }
            completed(g, call);
        }
    }

    /** Ends of calls that began before a time, and have not returned, may be among records that are missing. */
    void forget(long beforeNanos) {
        for (Group g : groups.values()) {
            for (Open o : List.copyOf(g.open.values())) {
                if (o.endNanos < 0 && o.startNanos < beforeNanos) {
                    remove(g, o);
                    givenUp++;
                }
            }
        }
    }

    /** A call has returned whose work is on the GPU. */
    void launched(CollectiveCall call, int name, long thread, long startNanos, long endNanos) {
        Group g = group(call);
        if (g == null) {
            return;
        }
        called(g, call);
        Open known = g.open.get(key(call));
        if (known == null || known.startNanos != startNanos) {
            known = new Open(call, name, startNanos);
            put(g, known);
            if (g.open.get(key(call)) != known) {
                return; // there were too many
            }
        } else if (known.endNanos >= 0) {
            return; // told twice
        }
        known.thread = thread;
        known.endNanos = endNanos;
        known.together = launched.computeIfAbsent(thread, t -> new TreeMap<>()).put(startNanos, known);
        newestNanos = Math.max(newestNanos, endNanos);
        early.removeIf(e -> e.thread() == thread
                && e.launchNanos() >= startNanos
                && e.launchNanos() <= endNanos
                && kernelEnded(e.thread(), e.launchNanos()));
    }

    /** Of a launch whose kernel had ended before it was told: ends the call it lies in, if there is one. */
    void communicatedIfCalled(long thread, long launchNanos) {
        kernelEnded(thread, launchNanos);
    }

    /** A kernel of communication has ended that was launched there. */
    void communicated(long thread, long launchNanos) {
        if (!kernelEnded(thread, launchNanos)) {
            if (early.size() >= MOST_EARLY) {
                early.removeFirst();
            }
            early.addLast(new Early(thread, launchNanos));
        }
    }

    /** The kernel of a call has ended. */
    void kernelEnded(CollectiveCall call) {
        Group g = group(call);
        if (g != null) {
            called(g, call);
            over(g, call);
        }
    }

    private boolean kernelEnded(long thread, long launchNanos) {
        Open of = within(thread, launchNanos);
        for (Open o = of; o != null; ) {
            Open next = o.together;
            Group g = groups.get(o.call.group());
            if (g != null && g.open.get(key(o.call)) == o) {
                over(g, o.call);
            }
            o = next;
        }
        return of != null;
    }

    /** Whether a launch belongs to an open call that has returned. */
    boolean contains(long thread, long launchNanos) {
        return within(thread, launchNanos) != null;
    }

    private @Nullable Open within(long thread, long launchNanos) {
        NavigableMap<Long, Open> all = launched.get(thread);
        Map.Entry<Long, Open> before = all == null ? null : all.floorEntry(launchNanos);
        return before == null || before.getValue().endNanos < launchNanos ? null : before.getValue();
    }

    /** Everything launched before a time has ended, though nobody said so of all. */
    void over(long beforeNanos) {
        for (Group g : groups.values()) {
            List<Open> ended = new ArrayList<>();
            for (Open o : g.open.values()) {
                if (o.endNanos >= 0 && o.startNanos < beforeNanos) {
                    ended.add(o);
                }
            }
            ended.forEach(o -> {
                remove(g, o);
                completed(g, o.call);
            });
        }
        launches.over(beforeNanos);
    }

    /** The end of one is the end of those before in its group, or of its pair. */
    private void over(Group g, CollectiveCall call) {
        NavigableMap<Long, Open> before = call.sequence() < 0
                ? g.open.subMap(key(call), true, key(call), true)
                : g.open.subMap(key(call, 0), true, key(call), true);
        for (Open o : List.copyOf(before.values())) {
            boolean itself = o.call.sequence() == call.sequence();
            if (itself || o.endNanos >= 0) {
                remove(g, o);
            }
            if (!itself && o.endNanos >= 0) {
                launches.over(o.thread, o.startNanos, o.endNanos);
            }
        }
        completed(g, call);
    }

    private void put(Group g, Open o) {
        Open replaced = g.open.put(key(o.call), o);
        if (replaced != null) {
            unlink(replaced);
        } else if (++open > MOST_OPEN) {
            remove(g, g.open.firstEntry().getValue());
            givenUp++;
        }
        newestNanos = Math.max(newestNanos, o.startNanos);
    }

    private void remove(Group g, Open o) {
        if (g.open.remove(key(o.call), o)) {
            open--;
            unlink(o);
        }
    }

    private void unlink(Open o) {
        NavigableMap<Long, Open> all = o.endNanos < 0 ? null : launched.get(o.thread);
        if (all == null) {
            return;
        }
        Open first = all.get(o.startNanos);
        if (first == o) {
            if (o.together == null) {
                all.remove(o.startNanos);
            } else {
                all.put(o.startNanos, o.together);
            }
        } else {
            for (Open at = first; at != null; at = at.together) {
                if (at.together == o) {
                    at.together = o.together;
                }
            }
        }
        if (all.isEmpty()) {
            launched.remove(o.thread);
        }
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

    private static void completed(Group g, CollectiveCall call) {
        if (!call.op().isPointToPoint()) {
            g.completed = Math.max(g.completed, call.sequence());
        }
    }

    private static long key(CollectiveCall call) {
        return key(call, call.sequence());
    }

    /** Sends and receives are numbered apart from collectives, and by peer. */
    private static long key(CollectiveCall call, long sequence) {
        return call.op().isPointToPoint()
                ? (1L << 62)
                        | (call.op() == CollectiveOp.SEND ? 1L << 61 : 0)
                        | ((call.peer() & 0xFFFFFL) << 40)
                        | (sequence & 0xFF_FFFF_FFFFL)
                : sequence;
    }

    // ---------------------------------------------------------------- what is known

    /** True if a call has not ended. */
    boolean anyOpen() {
        return open > 0;
    }

    /** The newest moment at which a call was made or returned. */
    long newestNanos() {
        return newestNanos;
    }

    /** Open calls that nobody waits for any more: there were too many, or their ends may be lost. */
    long givenUp() {
        return givenUp;
    }

    /**
     * What is open now.
     *
     * @param declared the groups as the rank declares them, by name
     * @param knownUntil until when ends are known
     * @param ownNanos begin of the oldest launch of own work that has not ended: a call behind it has not begun on the GPU; {@link Long#MAX_VALUE} for none, {@link Long#MIN_VALUE} when that
     *     is not known and calls count as begun
     * @return null when the rank has made no call yet
     */
    @Nullable
    FlightRecord record(
            int attempt, int rank, Map<String, ProcessGroup> declared, long knownUntil, long ownNanos, long nowNanos) {
        if (groups.isEmpty()) {
            return null;
        }
        List<FlightRecord.Group> said = new ArrayList<>();
        List<FlightRecord.Status> statuses = new ArrayList<>();
        List<FlightRecord.Call> calls = new ArrayList<>();
        long first = Long.MAX_VALUE;
        int none = names.id("");
        for (Map.Entry<Integer, Group> e : groups.entrySet()) {
            int at = said.size();
            Group g = e.getValue();
            ProcessGroup of = declared.get(names.name(e.getKey()));
            String description = of == null ? "" : of.description();
            said.add(new FlightRecord.Group(
                    e.getKey(),
                    description.isEmpty() ? e.getKey() : names.id(description),
                    of == null ? RankSet.EMPTY : of.ranks(),
                    of != null && of.complete()));
            if (g.called >= 0) {
                statuses.add(new FlightRecord.Status(at, at, g.firstCollective, g.called, g.completed, false));
            }
            Open head = g.open.isEmpty() ? null : g.open.firstEntry().getValue();
            for (Open o : said(g, nowNanos - newestNanos < BUSY_NANOS ? MOST_SAID_BUSY : MOST_SAID)) {
                first = Math.min(first, o.startNanos);
                boolean begun = ownNanos == Long.MIN_VALUE
                        || (o.startNanos < ownNanos && (o == head || o.call.op().isPointToPoint()));
                calls.add(new FlightRecord.Call(
                        at,
                        o.call.sequence(),
                        o.call.op(),
                        o.name >= 0 ? o.name : names.id(o.call.op().name().toLowerCase(Locale.ROOT)),
                        none,
                        o.call.op().isPointToPoint() ? o.call.peer() : -1,
                        begun,
                        o.startNanos));
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
                knownUntil);
    }

    private static List<Open> said(Group g, int most) {
        List<Open> all = new ArrayList<>(g.open.values());
        if (all.size() <= most) {
            return all;
        }
        all.sort(Comparator.comparingLong(o -> o.startNanos));
        List<Open> some = new ArrayList<>(all.subList(0, most / 2));
        some.addAll(all.subList(all.size() - most / 2, all.size()));
        some.sort(Comparator.comparingLong(o -> key(o.call)));
        return some;
    }
}
