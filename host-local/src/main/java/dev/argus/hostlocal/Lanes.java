package dev.argus.hostlocal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;

/**
 * Runs the same task once a lane, at the same time, and waits for all.
 *
 * @param executor runs the tasks of all lanes but the first, which the caller runs; must run them at once, or at least not after it waits for
 *     the caller
 * @param count number of lanes
 */
record Lanes(Executor executor, int count) {
    /** The caller alone. */
    static final Lanes ONE = new Lanes(Runnable::run, 1);

    Lanes {
        if (count < 1) {
            throw new IllegalArgumentException(count + " lanes, expected 1 or more");
        }
    }

    /** Runs a task with the number of each lane; what the lanes wrote is seen by whoever called. */
    void run(IntConsumer task) {
        List<CompletableFuture<Void>> others = new ArrayList<>(count);
        for (int lane = 1; lane < count; lane++) {
            int of = lane;
            others.add(CompletableFuture.runAsync(() -> task.accept(of), executor));
        }
        try {
            task.accept(0);
        } finally {
            others.forEach(f -> f.exceptionally(e -> null).join()); // nobody leaves while a lane still works
        }
        others.forEach(CompletableFuture::join);
    }

    /** Which lane has a key. */
    int of(long key) {
        long h = key * 0x9E3779B97F4A7C15L;
        return (int) Long.remainderUnsigned(h ^ (h >>> 32), count);
    }
}
