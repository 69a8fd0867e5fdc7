package dev.argus.hostflink.replay;

import dev.argus.hostflink.Arrival;
import dev.argus.hostflink.Said;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ReplaySource} plays: records by partition, kept in this process under a name. Playing may stop at a place until it is let go on, and may fail at one, once.
 *
 * <p>Thread-safe where it says what was played; records are added before it is played.
 */
public final class ReplayScript {
    private static final Map<String, ReplayScript> SCRIPTS = new ConcurrentHashMap<>();
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String name = "script-" + NUMBER.incrementAndGet();
    private final List<List<Arrival>> partitions = new ArrayList<>();
    private final ConcurrentLinkedQueue<Said> said = new ConcurrentLinkedQueue<>();
    private final AtomicLong played = new AtomicLong();
    private final AtomicLong failAt = new AtomicLong(Long.MAX_VALUE);
    private volatile long stopMillis = Long.MAX_VALUE;
    private volatile CompletableFuture<Void> goOn = CompletableFuture.completedFuture(null);

    /** Without records. */
    public ReplayScript(int partitions) {
        for (int i = 0; i < partitions; i++) {
            this.partitions.add(new ArrayList<>());
        }
        SCRIPTS.put(name, this);
    }

    /** Name to give to a {@link ReplaySource}. */
    public String name() {
        return name;
    }

    static ReplayScript named(String name) {
        ReplayScript script = SCRIPTS.get(name);
        if (script == null) {
            throw new IllegalStateException("no script " + name + " in this process");
        }
        return script;
    }

    /** Forgets it. */
    public void close() {
        SCRIPTS.remove(name);
    }

    /**
     * Appends to a partition.
     *
     * @param atMillis when the broker takes it, not before the one before it
     * @param bytes shipment, or nothing for a tick
     */
    public void add(int partition, long atMillis, byte[] bytes) {
        List<Arrival> to = partitions.get(partition);
        if (!to.isEmpty() && to.getLast().atMillis() > atMillis) {
            throw new IllegalArgumentException("record at " + atMillis + " ms behind one at "
                    + to.getLast().atMillis() + " ms");
        }
        to.add(new Arrival("", partition, to.size(), atMillis, bytes));
    }

    /** Partitions. */
    public int partitions() {
        return partitions.size();
    }

    /** Records of all partitions in the order in which they are judged. */
    public List<Arrival> inOrder() {
        TreeMap<Long, List<Arrival>> byTime = new TreeMap<>();
        partitions.forEach(p -> p.forEach(a ->
                byTime.computeIfAbsent(a.atMillis(), t -> new ArrayList<>()).add(a)));
        return byTime.values().stream().flatMap(List::stream).toList();
    }

    @Nullable
    Arrival get(int partition, long position) {
        List<Arrival> of = partitions.get(partition);
        return position < of.size() ? of.get((int) position) : null;
    }

    /** Stops before records of a time, milliseconds since the Unix epoch, until {@link #goOn}. */
    public void stopAt(long millis) {
        goOn = new CompletableFuture<>();
        stopMillis = millis;
    }

    /** Plays on. */
    public void goOn() {
        stopMillis = Long.MAX_VALUE;
        goOn.complete(null);
    }

    /** Fails, once, when so many records have been played. */
    public void failAt(long records) {
        failAt.set(records);
    }

    /** True if it has failed, or was not to fail. */
    public boolean hasFailed() {
        return failAt.get() == Long.MAX_VALUE;
    }

    /** Records played so far, again after a failure or not. */
    public long played() {
        return played.get();
    }

    boolean stops(Arrival next) {
        return next.atMillis() >= stopMillis;
    }

    CompletableFuture<Void> whenGoingOn() {
        return goOn;
    }

    /** Keeps what is said about what is played under a name; nothing when it is forgotten. */
    static void hear(String name, Said said) {
        ReplayScript script = SCRIPTS.get(name);
        if (script != null) {
            script.said.add(said);
        }
    }

    /** What was said so far, what was said again after a failure included. */
    public List<Said> said() {
        return List.copyOf(said);
    }

    void count() {
        long at = failAt.get();
        if (played.incrementAndGet() >= at && failAt.compareAndSet(at, Long.MAX_VALUE)) {
            throw new IllegalStateException("the script says so");
        }
    }
}
