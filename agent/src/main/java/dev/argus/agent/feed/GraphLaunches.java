package dev.argus.agent.feed;

import dev.argus.agent.feed.GpuLaunches.Within;
import dev.argus.model.GpuEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Launches of graphs that are told node by node: one correlation, many ends, and nobody says which is the last.
 *
 * <p>All of a graph has ended when something launched later has ended on a stream of it, since a stream does not go on before; that is always so with the next of its kind.
 * From then on it is known what the nodes of a graph that begins with this one come to (their number and names, in whatever order), and the next launch is over when its own come
 * to the same, without waiting for what runs behind it. Where one graph is the beginning of another, that is found out by the node that comes too much, and not believed again.
 *
 * <p>State: at most {@value #MOST} open launches, of more the oldest is given up; at most {@value #MOST_KINDS} first nodes with {@value #MOST_SUMS} graphs each. Cost: constant for each node, and
 * for each kernel the open launches, of which there is one or two.
 */
final class GraphLaunches {
    static final int MOST = 64;
    private static final int MOST_KINDS = 256;
    private static final int MOST_SUMS = 16;
    private static final int MOST_STREAMS = 32;

    private static final class Graph {
        final long thread;
        final long startNanos;

        /** Nodes may have been told before the launch itself: what is told comes to less. */
        final boolean counted;

        final Set<Integer> streams = new HashSet<>();
        int first = -1;
        long sum;

        Graph(long thread, long startNanos, boolean counted) {
            this.thread = thread;
            this.startNanos = startNanos;
            this.counted = counted;
        }

        void add(GpuEvent event) {
            first = first < 0 ? event.name() : first;
            sum += mixed(event.name());
            if (streams.size() < MOST_STREAMS) {
                streams.add(event.stream());
            }
        }
    }

    private final Map<Integer, Graph> open = new LinkedHashMap<>();

    /** What the nodes of whole graphs came to, by their first node; false for what is also the beginning of another. */
    private final Map<Integer, Map<Long, Boolean>> kinds = new LinkedHashMap<>(16, 0.75f, true);

    /** Launches that were over by what their nodes came to, for the one node too much. */
    private final Map<Integer, Graph> believed = new LinkedHashMap<>();

    private long foundStart;
    private long foundThread;

    /**
     * A graph was launched.
     *
     * @param counted false if a node of it was told before
     * @return launches that were given up for it
     */
    int launched(long correlation, long thread, long startNanos, boolean counted) {
        open.put((int) correlation, new Graph(thread, startNanos, counted));
        if (open.size() > MOST) {
            dropFirst(open);
            return 1;
        }
        return 0;
    }

    boolean anyOpen() {
        return !open.isEmpty();
    }

    int size() {
        return open.size();
    }

    /** A graph has ended that is told as a whole. */
    void endedWhole(long correlation) {
        open.remove((int) correlation);
    }

    /**
     * A node of a graph has ended, if that is what it is.
     *
     * @return false if it is of no graph that was launched
     */
    boolean ended(GpuEvent event) {
        int key = (int) event.correlation();
        Graph of = open.get(key);
        if (of == null) {
            of = believed.isEmpty() ? null : believed.remove(key);
            if (of == null) {
                return false;
            }
            kind(of.first)
                    .put(
                            of.sum,
                            false); // one more than the whole: it is no sign of the end, and the graph is open again
            open.put(key, of);
        }
        foundStart = of.startNanos;
        foundThread = of.thread;
        passed(event.stream(), of.startNanos);
        of.add(event);
        if (of.counted && kinds.getOrDefault(of.first, Map.of()).getOrDefault(of.sum, false)) {
            open.remove(key);
            believed.put(key, of);
            if (believed.size() > MOST) {
                dropFirst(believed);
            }
        }
        return true;
    }

    /** Begin of the launch of the last node. */
    long foundStart() {
        return foundStart;
    }

    /** Thread of the launch of the last node. */
    long foundThread() {
        return foundThread;
    }

    /** What was launched before on a stream is over when later work of it has ended; and then it is known what it comes to. */
    void passed(int stream, long launchNanos) {
        for (Iterator<Graph> all = open.values().iterator(); all.hasNext(); ) {
            Graph g = all.next();
            if (g.startNanos < launchNanos && g.streams.contains(stream)) {
                all.remove();
                learn(g);
            }
        }
    }

    private void learn(Graph g) {
        if (g.counted) {
            Map<Long, Boolean> whole = kind(g.first);
            if (whole.size() < MOST_SUMS) {
                whole.putIfAbsent(g.sum, true);
            }
        }
    }

    private Map<Long, Boolean> kind(int first) {
        Map<Long, Boolean> kind = kinds.computeIfAbsent(first, f -> new HashMap<>());
        if (kinds.size() > MOST_KINDS) {
            dropFirst(kinds);
        }
        return kind;
    }

    private static <V> void dropFirst(Map<Integer, V> map) {
        Iterator<Integer> keys = map.keySet().iterator();
        keys.next();
        keys.remove();
    }

    /** Of a name, so that sums of names and how many they are tell graphs apart. */
    private static long mixed(int name) {
        long z = (name + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        return z ^ (z >>> 31);
    }

    /** Begin of the oldest open launch, {@link Long#MAX_VALUE} for none. */
    long oldest() {
        long oldest = Long.MAX_VALUE;
        for (Graph g : open.values()) {
            oldest = Math.min(oldest, g.startNanos);
        }
        return oldest;
    }

    /**
     * Begin of the oldest launch of which it is known that nodes are missing, and that does not lie within these: none of its nodes has ended, or they do not come to those of any graph
     * that begins like it. {@link Long#MAX_VALUE} for none.
     */
    long oldestUnfinished(Within without) {
        long oldest = Long.MAX_VALUE;
        for (Graph g : open.values()) {
            Map<Long, Boolean> whole = kinds.get(g.first);
            boolean unfinished = g.counted && (g.first < 0 || (whole != null && !whole.containsKey(g.sum)));
            if (unfinished && g.startNanos < oldest && !without.test(g.thread, g.startNanos)) {
                oldest = g.startNanos;
            }
        }
        return oldest;
    }

    /** Those launched before a time are over, though nobody said so; returns how many. */
    int over(long beforeNanos) {
        return remove(g -> g.startNanos < beforeNanos);
    }

    /** Those launched on a thread between two times are over; returns how many. */
    int over(long thread, long fromNanos, long toNanos) {
        return remove(g -> g.thread == thread && g.startNanos >= fromNanos && g.startNanos <= toNanos);
    }

    private int remove(Predicate<Graph> which) {
        int before = open.size();
        if (before > 0) {
            open.values().removeIf(which);
        }
        return before - open.size();
    }

    /** Knows of no launch any more; what graphs come to stays. Returns how many were open. */
    int clear() {
        int were = open.size();
        open.clear();
        believed.clear();
        return were;
    }
}
