package dev.argus.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Drops clients that take nothing: a thread that writes for longer than it may is interrupted, which closes its connection. Only threads that write are watched, never
 * ones that read a store.
 */
final class WriteWatch implements AutoCloseable {
    private static final long LOOK_NANOS = 500_000_000L;

    private final LongSupplier nanoTime;
    private final long longestNanos;
    private final Set<Writing> all = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private volatile boolean ended;

    /** One thread that writes. */
    final class Writing implements AutoCloseable {
        private final Thread writer = Thread.currentThread();
        private long deadline;
        private boolean over;

        private Writing() {
            goesOn();
        }

        /** Something was written. */
        synchronized void goesOn() {
            deadline = nanoTime.getAsLong() + longestNanos;
        }

        private synchronized void look(long now) {
            if (!over && now - deadline > 0) {
                writer.interrupt();
            }
        }

        @Override
        public void close() {
            all.remove(this);
            synchronized (this) {
                over = true;
            }
        }
    }

    WriteWatch(LongSupplier nanoTime, long longestNanos) {
        this.nanoTime = nanoTime;
        this.longestNanos = longestNanos;
        thread = Thread.ofPlatform().daemon().name("http-write-watch").start(this::watch);
    }

    /** This thread begins to write. */
    Writing begin() {
        Writing writing = new Writing();
        all.add(writing);
        return writing;
    }

    private void watch() {
        while (!ended) {
            LockSupport.parkNanos(LOOK_NANOS);
            long now = nanoTime.getAsLong();
            all.forEach(writing -> writing.look(now));
        }
    }

    @Override
    public void close() {
        ended = true;
        LockSupport.unpark(thread);
    }
}
