package dev.argus.stacks;

import java.util.concurrent.locks.LockSupport;

/** Waits until a sampler wants to be called, as whoever drives one does. */
final class Pace {
    private Pace() {}

    static void next(StackSampler sampler) {
        long wait = sampler.nextNanos() - System.nanoTime();
        if (sampler.taken() > 0 && wait > 0) {
            LockSupport.parkNanos(wait);
        }
    }
}
