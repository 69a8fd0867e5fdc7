package dev.argus.server.ingest;

import dev.argus.wire.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits for the thread of a job, in its order: frames, which share a bound over all jobs, and requests of the server itself, which always find room.
 *
 * <p>Thread-safe.
 */
final class Inbox {
    /** What waits. */
    sealed interface Item {}

    /**
     * A frame.
     *
     * @param frame it
     * @param atNanos when it came, by the clock of the server
     * @param weight bytes it takes
     */
    record Arrived(Frame frame, long atNanos, long weight) implements Item {}

    /**
     * Frames that never come.
     *
     * @param host host
     * @param count how many
     */
    record Missing(String host, long count) implements Item {}

    /** Something to be done between two frames. */
    record Request(Runnable what) implements Item {}

    private final AtomicLong shared;
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Deque<Item> items = new ArrayDeque<>();
    private boolean closed;

    /**
     * Empty.
     *
     * @param shared bytes that wait in all inboxes
     * @param mostBytes bytes that may wait in all of them
     */
    Inbox(AtomicLong shared, long mostBytes) {
        this.shared = shared;
        this.mostBytes = mostBytes;
    }

    /** Puts a frame behind the others; false when there is no room. */
    boolean offer(Frame frame, long atNanos) {
        long weight = FrameWeight.of(frame);
        if (shared.get() + weight > mostBytes) {
            return false;
        }
        if (!put(new Arrived(frame, atNanos, weight))) {
            return false;
        }
        shared.addAndGet(weight);
        return true;
    }

    /** Puts something of the server's own behind the others; false when the job has ended. */
    boolean put(Item item) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            items.addLast(item);
            filled.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes at most so many, waiting a while for the first. */
    List<Item> take(int most, long waitNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = waitNanos;
            while (items.isEmpty() && !closed && left > 0) {
                left = filled.awaitNanos(left);
            }
            List<Item> taken = new ArrayList<>(Math.min(most, items.size()));
            while (taken.size() < most && !items.isEmpty()) {
                Item item = items.removeFirst();
                if (item instanceof Arrived arrived) {
                    shared.addAndGet(-arrived.weight());
                }
                taken.add(item);
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** When the oldest frame that waits came; Long.MAX_VALUE when none waits. */
    long oldestNanos() {
        lock.lock();
        try {
            for (Item item : items) {
                if (item instanceof Arrived arrived) {
                    return arrived.atNanos();
                }
            }
            return Long.MAX_VALUE;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return items.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more. Returns what was left. */
    List<Item> close() {
        lock.lock();
        try {
            closed = true;
            List<Item> left = List.copyOf(items);
            for (Item item : left) {
                if (item instanceof Arrived arrived) {
                    shared.addAndGet(-arrived.weight());
                }
            }
            items.clear();
            filled.signalAll();
            return left;
        } finally {
            lock.unlock();
        }
    }
}
