package dev.argus.model;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * The collectives of a step as columns of numbers: some 28 bytes each instead of 70, in three arrays instead of an object each, for whoever
 * takes the steps of many ranks. A list like any other; each element asked for is made anew. Immutable.
 *
 * <p>What is the same in many collectives (operation, group, payload, peer, stream) is held once a kind; the rest as 32 bits each, numbers and starts
 * counted from the first one's, and as 64 where one of them does not fit: of a step in which starts are more than 2.1 s apart all take 44 bytes.
 *
 * <p>Cost: an element, or one value of it, in O(1).
 */
public final class PackedCollectives extends AbstractList<CollectiveStat> implements RandomAccess {
    private static final CollectiveOp[] OPS = CollectiveOp.values();
    private static final int[] NONE = {};

    /** Columns of {@link #low}. */
    private static final int SEQUENCE = 0;

    private static final int START = 1;
    private static final int DURATION = 2;
    private static final int EXPOSED = 3;
    private static final int KIND = 4;
    private static final int COLUMNS = 5;

    /** What {@link #kinds} has of each. */
    private static final int OP = 0;

    private static final int GROUP = 1;
    private static final int PEER = 2;
    private static final int STREAM = 3;
    private static final int PARTS = 4;

    /** Of the operation of a kind: it was queued. */
    private static final int QUEUED = 0x100;

    /** No collectives. */
    public static final PackedCollectives EMPTY = new Builder(0).build();

    private final int from;
    private final int size;

    /** Row by row; the lower half of what does not fit. */
    private final int[] low;

    /** The upper halves; empty where everything fits. */
    private final int[] high;

    private final long firstSequence;
    private final long firstStart;
    private final int[] kinds;
    private final long[] bytes;

    private PackedCollectives(
            int from, int size, int[] low, int[] high, long firstSequence, long firstStart, int[] kinds, long[] bytes) {
        this.from = from;
        this.size = size;
        this.low = low;
        this.high = high;
        this.firstSequence = firstSequence;
        this.firstStart = firstStart;
        this.kinds = kinds;
        this.bytes = bytes;
    }

    /** The list itself if it is packed, else its elements, packed. */
    public static PackedCollectives of(List<CollectiveStat> list) {
        if (list instanceof PackedCollectives packed) {
            return packed;
        }
        Builder builder = new Builder(list.size());
        for (CollectiveStat c : list) {
            builder.add(
                    c.op(),
                    c.group(),
                    c.sequence(),
                    c.bytes(),
                    c.peer(),
                    c.stream(),
                    c.startNanos(),
                    c.durationNanos(),
                    c.exposedNanos(),
                    c.queued());
        }
        return builder.build();
    }

    /** Those between two positions, the second not among them; nothing is copied. */
    public PackedCollectives range(int first, int end) {
        if (first < 0 || end < first || end > size) {
            throw new IndexOutOfBoundsException(first + " to " + end + " of " + size + " collectives");
        }
        return end - first == size
                ? this
                : new PackedCollectives(from + first, end - first, low, high, firstSequence, firstStart, kinds, bytes);
    }

    /** Those at some positions, in that order. */
    public PackedCollectives at(int... positions) {
        int[] lowOf = new int[positions.length * COLUMNS];
        int[] highOf = high.length == 0 ? NONE : new int[lowOf.length];
        for (int i = 0; i < positions.length; i++) {
            int row = row(positions[i]);
            System.arraycopy(low, row, lowOf, i * COLUMNS, COLUMNS);
            if (high.length > 0) {
                System.arraycopy(high, row, highOf, i * COLUMNS, COLUMNS);
            }
        }
        return new PackedCollectives(0, positions.length, lowOf, highOf, firstSequence, firstStart, kinds, bytes);
    }

    private int row(int at) {
        if (at < 0 || at >= size) {
            throw new IndexOutOfBoundsException("collective " + at + " of " + size);
        }
        return (from + at) * COLUMNS;
    }

    private int kind(int at, int part) {
        return kinds[low[row(at) + KIND] * PARTS + part];
    }

    private long value(int at, int column) {
        int place = row(at) + column;
        return high.length == 0 ? low[place] : ((long) high[place] << 32) | (low[place] & 0xFFFFFFFFL);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public CollectiveStat get(int at) {
        return new CollectiveStat(
                op(at),
                group(at),
                sequence(at),
                bytes(at),
                peer(at),
                kind(at, STREAM),
                firstStart + value(at, START),
                durationNanos(at),
                exposedNanos(at),
                (kind(at, OP) & QUEUED) != 0);
    }

    /** Operation. */
    public CollectiveOp op(int at) {
        return OPS[kind(at, OP) & (QUEUED - 1)];
    }

    /** Name id of the process group, or -1. */
    public int group(int at) {
        return kind(at, GROUP);
    }

    /** Sequence number in the group, or -1. */
    public long sequence(int at) {
        return firstSequence + value(at, SEQUENCE);
    }

    /** Payload in bytes, or -1. */
    public long bytes(int at) {
        return bytes[low[row(at) + KIND]];
    }

    /** The other side's global rank or the root, or -1. */
    public int peer(int at) {
        return kind(at, PEER);
    }

    /** Duration: wait plus transfer. */
    public long durationNanos(int at) {
        return value(at, DURATION);
    }

    /** Part of the duration that no compute of the rank covers. */
    public long exposedNanos(int at) {
        return value(at, EXPOSED);
    }

    /** Payload of all of one operation, as far as known. */
    public long payload(CollectiveOp op) {
        boolean any = false;
        for (int kind = 0; kind < kinds.length; kind += PARTS) {
            any |= bytes[kind / PARTS] > 0 && (kinds[kind + OP] & (QUEUED - 1)) == op.ordinal();
        }
        long sum = 0;
        for (int i = 0; any && i < size; i++) {
            sum += op(i) == op ? Math.max(0, bytes(i)) : 0;
        }
        return sum;
    }

    /** Takes collectives one by one. Belongs to one thread. */
    public static final class Builder {
        /** A kind is looked for among so many last ones, so that no input costs more than O(n); one found late is there twice. */
        private static final int LOOK_BACK = 16;

        private int size;
        private int[] low;
        private int[] high = NONE;
        private long firstSequence;
        private long firstStart;
        private int kindCount;
        private int[] kinds = NONE;
        private long[] bytes = {};

        /** With room for so many before it has to grow. */
        public Builder(int room) {
            low = room == 0 ? NONE : new int[Math.multiplyExact(room, COLUMNS)];
        }

        /** Adds a collective; the arguments are those of {@link CollectiveStat}. */
        public void add(
                CollectiveOp op,
                int group,
                long sequence,
                long payload,
                int peer,
                int stream,
                long startNanos,
                long durationNanos,
                long exposedNanos,
                boolean queued) {
            int row = size * COLUMNS;
            if (row == low.length) {
                low = Arrays.copyOf(low, Math.max(8 * COLUMNS, 2 * row));
                high = high.length == 0 ? high : Arrays.copyOf(high, low.length);
            }
            if (size++ == 0) {
                firstSequence = sequence;
                firstStart = startNanos;
            }
            put(row + SEQUENCE, sequence - firstSequence);
            put(row + START, startNanos - firstStart);
            put(row + DURATION, durationNanos);
            put(row + EXPOSED, exposedNanos);
            low[row + KIND] = kind(op.ordinal() | (queued ? QUEUED : 0), group, payload, peer, stream);
        }

        private void put(int place, long value) {
            if (high.length == 0) {
                if (value == (int) value) {
                    low[place] = (int) value;
                    return;
                }
                high = new int[low.length];
                for (int i = 0; i < place; i++) {
                    high[i] = low[i] >> 31; // their sign
                }
            }
            low[place] = (int) value;
            high[place] = (int) (value >> 32);
        }

        private int kind(int op, int group, long payload, int peer, int stream) {
            int least = Math.max(0, kindCount - LOOK_BACK);
            for (int k = kindCount - 1; k >= least; k--) {
                int at = k * PARTS;
                if (kinds[at + OP] == op
                        && kinds[at + GROUP] == group
                        && kinds[at + PEER] == peer
                        && kinds[at + STREAM] == stream
                        && bytes[k] == payload) {
                    return k;
                }
            }
            if (kindCount == bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(8, 2 * kindCount));
                kinds = Arrays.copyOf(kinds, bytes.length * PARTS);
            }
            int at = kindCount * PARTS;
            kinds[at + OP] = op;
            kinds[at + GROUP] = group;
            kinds[at + PEER] = peer;
            kinds[at + STREAM] = stream;
            bytes[kindCount] = payload;
            return kindCount++;
        }

        /** What was added; nothing may be added afterwards. */
        public PackedCollectives build() {
            return new PackedCollectives(0, size, low, high, firstSequence, firstStart, kinds, bytes);
        }
    }
}
