package dev.argus.kafka;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or process does. */
final class Waiting {
    private static final long MOST_SECONDS = 120;

    private Waiting() {}

    static void until(BooleanSupplier holds, String what) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + MOST_SECONDS + " s: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
