package dev.argus.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what another thread or process is to bring about: never a measure of time, only an end to hopeless tests. */
public final class Eventually {
    private static final long PATIENCE_SECONDS = 120;
    private static final long PAUSE_MILLIS = 20;

    private Eventually() {}

    /** Returns when the condition holds; an exception counts as not yet. */
    public static void holds(String what, Callable<Boolean> condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Exception last = null;
        while (System.nanoTime() < end) {
            try {
                if (condition.call()) {
                    return;
                }
                last = null;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception notYet) {
                last = notYet;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        throw new AssertionError("not within " + PATIENCE_SECONDS + " s: " + what, last);
    }
}
