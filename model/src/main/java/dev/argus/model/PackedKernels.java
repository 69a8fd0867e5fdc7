package dev.argus.model;

import dev.argus.model.DurationSummary.Form;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntUnaryOperator;

/**
 * The kernels of a window as columns of numbers: some 90 bytes a kernel instead of 200, in a dozen arrays instead of three objects each, for
 * whoever keeps the windows of many ranks. A list like any other; each element asked for is made anew. Immutable.
 *
 * <p>Cost: an element in O(knots), its name, counts and sums in O(1) without it.
 */
public final class PackedKernels extends AbstractList<StreamKernel> implements RandomAccess {
    private static final Form[] FORMS = Form.values();
    private static final int[] NONE = {};
    private static final long[] NO_EVENTS = {};

    private final int[] names;
    private final int[] streams;
    private final long[] workItems;
    private final byte[] forms;
    private final long[] counts;
    private final long[] sums;
    private final byte[] positionBits;
    private final int[] bounds;
    private final int[][] places;
    private final int[][] modeFirst;

    /** Where the bins of each begin, and of one more. */
    private final int[] firstBin;

    private final short[] bins;
    private final long[][] events;

    private PackedKernels(Builder of) {
        int n = of.size;
        of.trim();
        names = of.names;
        streams = of.streams;
        workItems = of.workItems;
        forms = of.forms;
        counts = of.counts;
        sums = of.sums;
        positionBits = of.positionBits;
        bounds = of.bounds;
        places = of.places;
        modeFirst = of.modeFirst;
        firstBin = of.firstBin;
        bins = Arrays.copyOf(of.bins, of.firstBin[n]);
        events = of.events;
    }

    private PackedKernels(PackedKernels of, int[] names) {
        this.names = names;
        streams = of.streams;
        workItems = of.workItems;
        forms = of.forms;
        counts = of.counts;
        sums = of.sums;
        positionBits = of.positionBits;
        bounds = of.bounds;
        places = of.places;
        modeFirst = of.modeFirst;
        firstBin = of.firstBin;
        bins = of.bins;
        events = of.events;
    }

    /** The same kernels by other names, given for each name they have; everything else is shared. */
    public PackedKernels named(IntUnaryOperator others) {
        int[] of = new int[names.length];
        for (int i = 0; i < of.length; i++) {
            of[i] = others.applyAsInt(names[i]);
        }
        return new PackedKernels(this, of);
    }

    @Override
    public int size() {
        return names.length;
    }

    @Override
    public StreamKernel get(int at) {
        return new StreamKernel(names[at], streams[at], workItems[at], durations(at));
    }

    /** Name id of a kernel. */
    public int name(int at) {
        return names[at];
    }

    /** Stream of a kernel. */
    public int stream(int at) {
        return streams[at];
    }

    /** Threads launched, summed. */
    public long workItems(int at) {
        return workItems[at];
    }

    /** Number of events. */
    public long count(int at) {
        return counts[at];
    }

    /** Exact sum of durations. */
    public long sumNanos(int at) {
        return sums[at];
    }

    /** Which parts the durations of a kernel have, {@link DurationSummary#form()}. */
    public Form form(int at) {
        return FORMS[forms[at]];
    }

    /** Resolution of the places; 0 where there are none. */
    public int positionBits(int at) {
        return positionBits[at];
    }

    /** Places of the knots; shared, not to be changed. */
    public int[] places(int at) {
        return places[at];
    }

    /** Index of the first knot of each mode; shared, not to be changed. */
    public int[] modeFirst(int at) {
        return modeFirst[at];
    }

    /** Bins of the durations, in a fresh array. */
    public int[] bins(int at) {
        int[] of = new int[firstBin[at + 1] - firstBin[at]];
        for (int i = 0; i < of.length; i++) {
            of[i] = bins[firstBin[at] + i] & 0xFFFF;
        }
        return of;
    }

    /** Events one by one; shared, not to be changed. */
    public long[] events(int at) {
        return form(at) == Form.EVENTS ? events[at] : NO_EVENTS;
    }

    /** The durations of a kernel. */
    public DurationSummary durations(int at) {
        return new DurationSummary(
                form(at),
                counts[at],
                sums[at],
                positionBits[at],
                places[at],
                bins(at),
                modeFirst[at],
                events(at),
                bounds[at]);
    }

    /** The durations of a kernel as a list of one, made when asked for. */
    public List<DurationSummary> alone(int at) {
        return new Alone(this, at);
    }

    private static final class Alone extends AbstractList<DurationSummary> implements RandomAccess {
        private final PackedKernels of;
        private final int at;

        Alone(PackedKernels of, int at) {
            this.of = of;
            this.at = at;
        }

        @Override
        public DurationSummary get(int index) {
            if (index != 0) {
                throw new IndexOutOfBoundsException(index);
            }
            return of.durations(at);
        }

        @Override
        public int size() {
            return 1;
        }
    }

    /** Takes kernels one by one. Belongs to one thread. */
    public static final class Builder {
        private static final int BINS_EACH = 24;

        private int size;
        private int[] names;
        private int[] streams;
        private long[] workItems;
        private byte[] forms;
        private long[] counts;
        private long[] sums;
        private byte[] positionBits;
        private int[] bounds;
        private int[][] places;
        private int[][] modeFirst;
        private int[] firstBin;
        private short[] bins;
        private long[][] events = {};

        /** With room for so many before it has to grow. */
        public Builder(int room) {
            names = new int[room];
            streams = new int[room];
            workItems = new long[room];
            forms = new byte[room];
            counts = new long[room];
            sums = new long[room];
            positionBits = new byte[room];
            bounds = new int[room];
            places = new int[room][];
            modeFirst = new int[room][];
            firstBin = new int[room + 1];
            bins = new short[room * BINS_EACH];
        }

        /**
         * Adds a kernel.
         *
         * @throws IllegalArgumentException if it has a bin beyond 65,535
         */
        public void add(StreamKernel kernel) {
            DurationSummary d = kernel.durations();
            int at = size;
            if (at == names.length) {
                resize(Math.max(8, 2 * at));
            }
            names[at] = kernel.name();
            streams[at] = kernel.stream();
            workItems[at] = kernel.workItems();
            forms[at] = (byte) d.form().ordinal();
            counts[at] = d.count();
            sums[at] = d.sumNanos();
            positionBits[at] = (byte) d.positionBits();
            bounds[at] = d.boundUnits();
            places[at] = d.places().length == 0 ? NONE : d.places();
            modeFirst[at] = d.modeFirst().length == 0 ? NONE : d.modeFirst();
            int[] of = d.bins();
            int from = firstBin[at];
            if (from + of.length > bins.length) {
                bins = Arrays.copyOf(bins, Math.max(from + of.length, 2 * bins.length));
            }
            for (int i = 0; i < of.length; i++) {
                if (of[i] >>> Short.SIZE != 0) {
                    throw new IllegalArgumentException("bin " + of[i] + ", expected at most 65535");
                }
                bins[from + i] = (short) of[i];
            }
            firstBin[at + 1] = from + of.length;
            if (d.form() == Form.EVENTS) {
                if (events.length == 0) {
                    events = new long[names.length][];
                }
                events[at] = d.events();
            }
            size++;
        }

        /** Leaves no room, but for bins. */
        private void trim() {
            if (size < names.length) {
                resize(size);
            }
        }

        private void resize(int room) {
            names = Arrays.copyOf(names, room);
            streams = Arrays.copyOf(streams, room);
            workItems = Arrays.copyOf(workItems, room);
            forms = Arrays.copyOf(forms, room);
            counts = Arrays.copyOf(counts, room);
            sums = Arrays.copyOf(sums, room);
            positionBits = Arrays.copyOf(positionBits, room);
            bounds = Arrays.copyOf(bounds, room);
            places = Arrays.copyOf(places, room);
            modeFirst = Arrays.copyOf(modeFirst, room);
            firstBin = Arrays.copyOf(firstBin, room + 1);
            events = events.length == 0 ? events : Arrays.copyOf(events, room);
        }

        /** What was added; nothing may be added afterwards. */
        public PackedKernels build() {
            return new PackedKernels(this);
        }
    }
}
