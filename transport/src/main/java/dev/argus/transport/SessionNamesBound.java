package dev.argus.transport;

import dev.argus.wire.NameBook;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many bytes the names of all sessions take: those of a job at most half of what others leave of the bound, so that there is room for one more, and at least a {@value #PARTS}th of it.
 * Beyond it names of the session of that job that was silent longest are forgotten first, and where that is not enough those of any.
 *
 * <p>Thread-safe. O(1) while there is room, else O(sessions).
 */
final class SessionNamesBound {
    private static final int PARTS = 64;

    /** Part of the heap. */
    private static final int HEAP = 8;

    private static final long SESSION_BYTES = 200;

    private final long most;
    private final AtomicLong all = new AtomicLong();
    private final Map<String, Long> jobs = new ConcurrentHashMap<>();
    private final ReentrantLock tidying = new ReentrantLock();

    SessionNamesBound(long most) {
        this.most = most;
    }

    /** Bytes that they may take in this process: an eighth of its heap. */
    static long usual() {
        return Runtime.getRuntime().maxMemory() / HEAP;
    }

    long bytes() {
        return all.get();
    }

    /** Counts what its names take now. Under the lock of the session. */
    void changed(AgentSession session) {
        int names = session.namesKnown();
        long now = names == 0 ? 0 : SESSION_BYTES + (long) NameBook.NAME_BYTES * names;
        long more = now - session.namesBytes;
        session.namesBytes = now;
        if (more != 0) {
            all.addAndGet(more);
            jobs.compute(session.job, (job, was) -> {
                long sum = (was == null ? 0 : was) + more;
                return sum == 0 ? null : sum;
            });
        }
    }

    /** Forgets the names of a session. */
    void forget(AgentSession session) {
        synchronized (session) {
            session.forgetNames();
            changed(session);
        }
    }

    /** Forgets names until those of a job, and all, are within their bounds. */
    void keep(String job, Collection<AgentSession> sessions) {
        if ((of(job) <= share(job) && all.get() <= most) || !tidying.tryLock()) {
            return;
        }
        try {
            List<AgentSession> oldest = sessions.stream()
                    .filter(s -> s.namesBytes > 0)
                    .sorted(Comparator.comparingLong((AgentSession s) -> s.heardNanos))
                    .toList();
            long least = share(job) / PARTS * (PARTS - 1); // not again with the next shipment
            if (of(job) > share(job)) {
                for (AgentSession s : oldest) {
                    if (of(job) > least && s.job.equals(job)) {
                        forget(s);
                    }
                }
            }
            for (AgentSession s : oldest) {
                if (all.get() > most) {
                    forget(s);
                }
            }
        } finally {
            tidying.unlock();
        }
    }

    private long of(String job) {
        return jobs.getOrDefault(job, 0L);
    }

    private long share(String job) {
        return Math.max(most / PARTS, (most - (all.get() - of(job))) / 2);
    }
}
