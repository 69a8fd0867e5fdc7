package dev.argus.sketch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the kernels of one rank while a window is open: a log-spaced histogram per kernel and stream, 128 bins an octave,
 * count and sum exact, and the longest events of each with their start.
 *
 * <p>Cost: constant time an event, no allocation once the kernels and their ranges have been met. Sketches merge; neither the order of events
 * nor that of merges changes what is read from them.
 *
 * <p>Footprint: {@link #footprintBytes()} = per kernel and stream 272 B and 4 B a bin of the range met (at most 29,184 B, 512 B an octave),
 * and 24 B for each of {@code 2 x} the most kernels. Example: 100 keys over two octaves each, room for 1,024: 182 kB. At most
 * 2^31 - 1 events a bin and window.
 *
 * <p>Belongs to one thread.
 */
public final class KernelSketch {
    private static final int DEFAULT_KEYS = 4096;
    private static final int KEY_BYTES = 272;
    private static final int SLOT_BYTES = 24;

    private final int mostKeys;
    private final int mask;
    private final long[] slotKeys;
    private final @Nullable OpenKey[] slots;
    private final List<OpenKey> keys = new ArrayList<>();
    private long lost;

    /** With room for 4,096 kernels and streams. */
    public KernelSketch() {
        this(DEFAULT_KEYS);
    }

    /**
     * With room for so many.
     *
     * @param mostKeys most pairs of kernel and stream, &gt;= 1; events of others are counted as lost
     */
    public KernelSketch(int mostKeys) {
        this.mostKeys = mostKeys;
        int size = Integer.highestOneBit(Math.max(1, mostKeys)) << 2;
        this.mask = size - 1;
        this.slotKeys = new long[size];
        this.slots = new OpenKey[size];
    }

    /**
     * Adds one event.
     *
     * @param name name id of the kernel
     * @param stream stream number
     * @param startNanos start, on any clock
     * @param durationNanos duration; negative ones are counted as lost
     */
    public void add(int name, int stream, long startNanos, long durationNanos) {
        add(name, stream, startNanos, durationNanos, 0);
    }

    /**
     * Adds one event of known work.
     *
     * @param name name id of the kernel
     * @param stream stream number
     * @param startNanos start, on any clock
     * @param durationNanos duration; negative ones are counted as lost
     * @param workItems threads launched
     */
    public void add(int name, int stream, long startNanos, long durationNanos, long workItems) {
        long key = (long) name << 32 | stream & 0xFFFFFFFFL;
        int at = hash(key) & mask;
        OpenKey open = slots[at];
        if (slotKeys[at] != key || open == null) {
            open = find(key, at);
        }
        if (durationNanos < 0 || open == null) {
            lost++;
            return;
        }
        open.add(startNanos, durationNanos, workItems);
    }

    private static int hash(long key) {
        return (int) (key * 0x9E3779B97F4A7C15L >>> 40);
    }

    /** The key's place, made if there is room; null if there is none. */
    private @Nullable OpenKey find(long key, int from) {
        int at = from;
        while (true) {
            OpenKey open = slots[at];
            if (open == null) {
                return keys.size() < mostKeys ? make(key, at) : null;
            }
            if (slotKeys[at] == key) {
                return open;
            }
            at = (at + 1) & mask;
        }
    }

    private OpenKey make(long key, int at) {
        OpenKey made = new OpenKey((int) (key >> 32), (int) key);
        slotKeys[at] = key;
        slots[at] = made;
        keys.add(made);
        return made;
    }

    /** Adds the events of another sketch, which stays as it is. */
    public void merge(KernelSketch other) {
        for (OpenKey theirs : other.keys) {
            if (theirs.count() > 0) {
                long key = (long) theirs.name << 32 | theirs.stream & 0xFFFFFFFFL;
                OpenKey mine = find(key, hash(key) & mask);
                if (mine == null) {
                    lost += theirs.count();
                } else {
                    mine.merge(theirs);
                }
            }
        }
        lost += other.lost;
    }

    /** Forgets the events and keeps the room, for the next window. */
    public void clear() {
        keys.forEach(OpenKey::clear);
        lost = 0;
    }

    /** Forgets the kernels too: after a change of the program, when old ones only take room. */
    public void forget() {
        keys.clear();
        Arrays.fill(slots, null);
        lost = 0;
    }

    /** Number of events that found no room, or were negative. */
    public long lost() {
        return lost;
    }

    /** Bytes held now. */
    public long footprintBytes() {
        long bytes = (long) SLOT_BYTES * slots.length;
        for (OpenKey key : keys) {
            bytes += KEY_BYTES + 4L * key.binsHeld();
        }
        return bytes;
    }

    List<OpenKey> keys() {
        return keys;
    }
}
