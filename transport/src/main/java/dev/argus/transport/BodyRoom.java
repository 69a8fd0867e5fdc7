package dev.argus.transport;

import java.util.HashMap;
import java.util.Map;

/**
 * Memory for bodies of requests on their way. Who sends may have at most half of what others leave of it, so that there is room for one more whatever somebody sends slowly.
 *
 * <p>Thread-safe; O(1).
 */
final class BodyRoom {
    private final long most;
    private final Map<String, Long> each = new HashMap<>();
    private long all;

    BodyRoom(long most) {
        this.most = most;
    }

    /** Takes bytes for a sender; false, and nothing is taken, when that is more than its share. */
    synchronized boolean take(String sender, long bytes) {
        long own = each.getOrDefault(sender, 0L);
        if (own + bytes > (most - (all - own)) / 2) {
            return false;
        }
        each.put(sender, own + bytes);
        all += bytes;
        return true;
    }

    /** Gives back what was taken. */
    synchronized void give(String sender, long bytes) {
        all -= bytes;
        each.computeIfPresent(sender, (s, own) -> own == bytes ? null : Long.valueOf(own - bytes));
    }
}
