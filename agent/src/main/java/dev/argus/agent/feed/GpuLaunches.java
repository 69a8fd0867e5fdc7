package dev.argus.agent.feed;

import dev.argus.model.GpuEvent;
import java.util.Arrays;

/**
 * Launches of kernels whose end has not been reported, by correlation: what lies in the queues of a GPU, runs, or was not told yet.
 *
 * <p>Correlations of a process count up, so a table addressed by their low bits rarely has two for one place; then it grows. State: at most {@value #MOST} launches,
 * 21 bytes each; of more the older one of a place is given up and counted. Cost: constant for each launch and kernel, the table for {@link #oldest}. Launches of graphs, which have many
 * ends, are kept apart ({@link GraphLaunches}).
 */
final class GpuLaunches {
    static final int MOST = 1 << 15;
    private static final int LEAST = 1 << 8;

    private static final byte FREE = 0;
    private static final byte OPEN = 1;

    /** Its kernel was told before the launch itself: buffers come in any order. */
    private static final byte EARLY = 2;

    private long[] starts = new long[LEAST];
    private int[] correlations = new int[LEAST];
    private long[] threads = new long[LEAST];
    private byte[] states = new byte[LEAST];
    private int open;
    private long newest = Long.MIN_VALUE;
    private long foundStart;
    private long foundThread;
    private long givenUp;
    private final GraphLaunches graphs = new GraphLaunches();

    /** Whether a range of time on a thread counts. */
    @FunctionalInterface
    interface Within {
        boolean test(long thread, long startNanos);
    }

    /**
     * A kernel was launched.
     *
     * @return true if its end was told before: it is {@link #ended} by that
     */
    boolean launched(long correlation, long thread, long startNanos) {
        newest = Math.max(newest, startNanos);
        int key = (int) correlation;
        int at = key & (states.length - 1);
        if (states[at] == EARLY && correlations[at] == key) {
            states[at] = FREE;
            foundStart = startNanos;
            foundThread = thread;
            return true;
        }
        while (states[at] == OPEN && correlations[at] != key && states.length < MOST) {
            grow();
            at = key & (states.length - 1);
        }
        if (states[at] == OPEN) {
            givenUp++;
        } else {
            open++;
        }
        states[at] = OPEN;
        correlations[at] = key;
        threads[at] = thread;
        starts[at] = startNanos;
        return false;
    }

    /** A graph was launched, whose nodes may be told one by one. */
    void launchedGraph(long correlation, long thread, long startNanos) {
        newest = Math.max(newest, startNanos);
        int key = (int) correlation;
        int at = key & (states.length - 1);
        boolean early = states[at] == EARLY && correlations[at] == key;
        if (early) {
            states[at] = FREE;
        }
        givenUp += graphs.launched(correlation, thread, startNanos, !early);
    }

    /**
     * Work of the GPU has ended, a node of a graph perhaps.
     *
     * @param wholeGraph true for a graph that is told as a whole
     * @return true if its launch is known: {@link #foundStart} and {@link #foundThread} say of it
     */
    boolean ended(GpuEvent event, boolean wholeGraph) {
        if (event.correlation() == 0) {
            return false;
        }
        if (graphs.ended(event)) {
            foundStart = graphs.foundStart();
            foundThread = graphs.foundThread();
            if (wholeGraph) {
                graphs.endedWhole(event.correlation());
            }
            return true;
        }
        boolean known = ended(event.correlation());
        if (known && graphs.anyOpen()) {
            graphs.passed(event.stream(), foundStart);
        }
        return known;
    }

    /**
     * A kernel has ended that is no node of a graph.
     *
     * @return true if its launch is known: {@link #foundStart} and {@link #foundThread} say of it
     */
    boolean ended(long correlation) {
        int key = (int) correlation;
        int at = key & (states.length - 1);
        if (states[at] == OPEN && correlations[at] == key) {
            states[at] = FREE;
            open--;
            foundStart = starts[at];
            foundThread = threads[at];
            return true;
        }
        if (states[at] != OPEN) {
            states[at] = EARLY;
            correlations[at] = key;
        }
        return false;
    }

    private void grow() {
        int size = 2 * states.length;
        long[] s = new long[size];
        int[] c = new int[size];
        long[] t = new long[size];
        byte[] st = new byte[size];
        for (int i = 0; i < states.length; i++) {
            if (states[i] != FREE) {
                int at = correlations[i] & (size - 1); // those of one place lie in two, so none meets another
                s[at] = starts[i];
                c[at] = correlations[i];
                t[at] = threads[i];
                st[at] = states[i];
            }
        }
        starts = s;
        correlations = c;
        threads = t;
        states = st;
    }

    long foundStart() {
        return foundStart;
    }

    long foundThread() {
        return foundThread;
    }

    /** Begin of the newest launch, {@link Long#MIN_VALUE} before the first. */
    long newest() {
        return newest;
    }

    /**
     * Begin of the oldest launch of which something is known not to have ended and that does not lie within these, {@link Long#MAX_VALUE} for none. A graph of which all may have ended, and nobody
     * knows, is none.
     */
    long oldestUnfinished(Within without) {
        return Math.min(oldestKernel(without), graphs.oldestUnfinished(without));
    }

    /** Begin of the oldest launch of which all is not known to have ended, {@link Long#MAX_VALUE} for none. */
    long oldest() {
        return Math.min(oldestKernel((thread, start) -> false), graphs.oldest());
    }

    private long oldestKernel(Within without) {
        long oldest = Long.MAX_VALUE;
        if (open > 0) {
            for (int i = 0; i < states.length; i++) {
                if (states[i] == OPEN && starts[i] < oldest && !without.test(threads[i], starts[i])) {
                    oldest = starts[i];
                }
            }
        }
        return oldest;
    }

    /** What was launched before a time has ended, though nobody said so. */
    void over(long beforeNanos) {
        givenUp += graphs.over(beforeNanos);
        if (open > 0) {
            for (int i = 0; i < states.length; i++) {
                if (states[i] == OPEN && starts[i] < beforeNanos) {
                    states[i] = FREE;
                    open--;
                    givenUp++;
                }
            }
        }
    }

    /** What was launched on a thread between two times, both included, has ended, though nobody said so. */
    void over(long thread, long fromNanos, long toNanos) {
        givenUp += graphs.over(thread, fromNanos, toNanos);
        if (open > 0) {
            for (int i = 0; i < states.length; i++) {
                if (states[i] == OPEN && threads[i] == thread && starts[i] >= fromNanos && starts[i] <= toNanos) {
                    states[i] = FREE;
                    open--;
                    givenUp++;
                }
            }
        }
    }

    /** Knows of no launch any more: their kernels may be among records that are missing. */
    void clear() {
        givenUp += open + graphs.clear();
        open = 0;
        Arrays.fill(states, FREE);
    }

    /** Launches whose kernels have not ended. */
    int open() {
        return open + graphs.size();
    }

    /** Launches whose kernel nobody waits for any more. */
    long givenUp() {
        return givenUp;
    }
}
