package dev.argus.trace.export;

import dev.argus.model.NameTable;
import dev.argus.stats.LongOrder;
import dev.argus.trace.export.TrackPlace.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes Perfetto's protocol buffers ({@code .pftrace}) with times exact to the nanosecond.
 *
 * <p>Layout: one packet sequence; its clock counts on from the packet before; a batch a lane, whose track stands once in the defaults
 * before it, so that a slice costs about 25 bytes; names interned once a file. Lanes of a track have one name and one parent, which viewers
 * draw as one track. Process ids are the writer's own (1, 2, ...): those of several hosts are equal too often, and readers silently merge
 * them. Time stamps are the given nanoseconds since the Unix epoch, also as the file's real time.
 *
 * <p>Memory: 128 KiB, 4 bytes a name of the job, and the largest interned batch of names.
 */
public final class PerfettoWriter implements Timeline {
    private static final int TIMESTAMP = 8;
    private static final int SEQUENCE = 10;
    private static final int TRACK_EVENT = 11;
    private static final int INTERNED = 12;
    private static final int FLAGS = 13;
    private static final int CLOCK_SNAPSHOT = 6;
    private static final int DEFAULTS = 59;
    private static final int DESCRIPTOR = 60;
    private static final int ATTRIBUTES = 126;
    private static final int CLOCK = 64;
    private static final int[] ANCHORS = {6, 1};

    private static final int TYPE = 9;
    private static final int BEGIN = 1;
    private static final int END = 2;
    private static final int INSTANT = 3;
    private static final int COUNTER = 4;

    /** Groups stand behind what is alone and before threads, which begin at 100. */
    private static final int GROUP_ORDER = 50;

    private static final int OP = 1;
    private static final int GROUP = 2;
    private static final int CALL = 3;
    private static final int BYTES = 4;

    private final NameTable names;
    private final PacketStream out;
    private final ProtoBuffer to;
    private final Map<String, Integer> texts = new HashMap<>();
    private final Map<String, Long> groups = new HashMap<>();
    private final long[] ends = new long[Slices.MAX_DEPTH];
    private int[] iids = new int[256];
    private int nextIid = 1;
    private long clock;
    private long nextUuid = 1;
    private int processes;
    private long threads;
    private long slices;

    /**
     * Begins a file.
     *
     * @param out takes the bytes; is flushed, never closed
     * @param names names of the slices
     * @param baseNanos some time near the first event, nanoseconds since the Unix epoch
     * @param compressed true for packets that hold packets deflated
     */
    public PerfettoWriter(OutputStream out, NameTable names, long baseNanos, boolean compressed) throws IOException {
        this.names = names;
        this.out = new PacketStream(out, compressed);
        this.to = this.out.buffer();
        this.clock = Math.max(1, baseNanos);
        begin();
    }

    /** Slices written so far. */
    public long slices() {
        return slices;
    }

    /** Bytes that left so far; all of them after {@link #close}. */
    public long written() {
        return out.written();
    }

    private void begin() throws IOException {
        int packet = out.open();
        to.number(SEQUENCE, 1);
        to.number(FLAGS, 3);
        int snapshot = to.open(CLOCK_SNAPSHOT);
        int own = to.open(1);
        to.number(1, CLOCK);
        to.number(2, clock);
        to.number(3, 1);
        to.close(own);
        for (int id : ANCHORS) {
            int anchor = to.open(1);
            to.number(1, id);
            to.number(2, clock);
            to.close(anchor);
        }
        to.close(snapshot);
        to.close(packet);
        packet = out.open();
        to.number(SEQUENCE, 1);
        defaults(0);
        int interned = to.open(INTERNED);
        intern(3, OP, "op");
        intern(3, GROUP, "group");
        intern(3, CALL, "sequence");
        intern(3, BYTES, "bytes");
        to.close(interned);
        to.close(packet);
        packet = out.open();
        to.number(SEQUENCE, 1);
        int root = to.open(DESCRIPTOR);
        to.number(1, 0);
        to.number(19, 1);
        to.number(20, 1);
        to.close(root);
        to.close(packet);
    }

    private void defaults(long track) {
        int defaults = to.open(DEFAULTS);
        to.number(58, CLOCK);
        if (track != 0) {
            int event = to.open(TRACK_EVENT);
            to.number(11, track);
            to.close(event);
        }
        to.close(defaults);
    }

    private void intern(int table, long iid, String text) {
        int entry = to.open(table);
        to.number(1, iid);
        to.text(2, text);
        to.close(entry);
    }

    @Override
    public void about(String key, String value) throws IOException {
        int packet = out.open();
        to.number(SEQUENCE, 1);
        int attributes = to.open(ATTRIBUTES);
        int attribute = to.open(1);
        to.text(1, key);
        to.text(3, value);
        to.close(attribute);
        to.close(attributes);
        to.close(packet);
    }

    @Override
    public int process(String name, int order, List<String> labels) throws IOException {
        processes++;
        long uuid = nextUuid++;
        groups.put(groupKey(processes, ""), uuid);
        int packet = out.open();
        to.number(SEQUENCE, 1);
        int descriptor = to.open(DESCRIPTOR);
        to.number(1, uuid);
        int process = to.open(3);
        to.number(1, processes);
        to.text(6, name);
        for (String label : labels) {
            to.text(8, label);
        }
        to.close(process);
        to.number(12, order);
        to.close(descriptor);
        to.close(packet);
        return processes;
    }

    private static String groupKey(int process, String group) {
        return process + "/" + group;
    }

    private long parent(TrackPlace place) throws IOException {
        if (place.process() < 0) {
            return 0;
        }
        Long known = groups.get(groupKey(place.process(), place.group()));
        if (known != null) {
            return known;
        }
        long uuid = nextUuid++;
        groups.put(groupKey(place.process(), place.group()), uuid);
        int packet = out.open();
        to.number(SEQUENCE, 1);
        int descriptor = to.open(DESCRIPTOR);
        to.number(1, uuid);
        to.number(5, groups.getOrDefault(groupKey(place.process(), ""), 0L));
        to.text(2, place.group());
        to.number(11, 3);
        to.number(12, GROUP_ORDER);
        to.close(descriptor);
        to.close(packet);
        return uuid;
    }

    private long declare(TrackPlace place, boolean thread) throws IOException {
        long parent = parent(place);
        long uuid = nextUuid++;
        int packet = out.open();
        to.number(SEQUENCE, 1);
        int descriptor = to.open(DESCRIPTOR);
        to.number(1, uuid);
        if (thread) {
            int of = to.open(4);
            to.number(1, place.process());
            to.number(2, 1_000_000 + ++threads);
            to.text(5, place.name());
            to.close(of);
        } else {
            if (parent != 0) {
                to.number(5, parent);
            }
            to.text(2, place.name());
        }
        if (place.kind() == Kind.NANOS || place.kind() == Kind.VALUES) {
            int counter = to.open(8);
            to.number(3, place.kind() == Kind.NANOS ? 1 : 0);
            to.close(counter);
        }
        to.number(12, place.order());
        to.close(descriptor);
        to.close(packet);
        return uuid;
    }

    @Override
    public int track(TrackPlace place) throws IOException {
        return Math.toIntExact(declare(place, false));
    }

    @Override
    public long slices(TrackPlace place, Slices all) throws IOException {
        long placed = 0;
        boolean first = true;
        for (int[] lane : all.lanes()) {
            long uuid = declare(place, first && place.kind() == Kind.THREAD);
            first = false;
            batch(uuid, all, lane);
            lane(all, lane);
            placed += lane.length;
        }
        slices += placed;
        return all.count() - placed;
    }

    /** The track of the events that follow, and the names they are the first to use. */
    private void batch(long track, Slices all, int[] lane) throws IOException {
        int packet = out.open();
        to.number(SEQUENCE, 1);
        defaults(track);
        int interned = to.open(INTERNED);
        for (int name : newNames(all, lane)) {
            iids[name] = nextIid++;
            intern(2, iids[name], names.name(name));
        }
        for (int i : lane) {
            SliceDetail detail = all.detail(i);
            if (detail != null) {
                text(detail.op());
                text(detail.group());
            }
        }
        to.close(interned);
        to.close(packet);
    }

    /** Names without an id, the frequent ones first: the first 127 ids take one byte. */
    private int[] newNames(Slices all, int[] lane) {
        int[] uses = new int[16];
        int[] found = new int[16];
        int count = 0;
        for (int i : lane) {
            int name = all.name(i);
            if (name >= iids.length) {
                iids = Arrays.copyOf(iids, Math.max(name + 1, 2 * iids.length));
            }
            if (iids[name] > 0) {
                continue;
            }
            if (iids[name] == 0) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, 2 * count);
                    uses = Arrays.copyOf(uses, 2 * count);
                }
                found[count++] = name;
                iids[name] = -count;
            }
            uses[-iids[name] - 1]++;
        }
        long[] keys = new long[count];
        for (int k = 0; k < count; k++) {
            keys[k] = -uses[k];
        }
        int[] order = LongOrder.ascending(keys, count);
        int[] sorted = new int[count];
        for (int k = 0; k < count; k++) {
            sorted[k] = found[order[k]];
        }
        return sorted;
    }

    private void text(String text) {
        if (!texts.containsKey(text)) {
            texts.put(text, texts.size() + 1);
            intern(29, texts.size(), text);
        }
    }

    private void lane(Slices all, int[] lane) throws IOException {
        int depth = 0;
        for (int i : lane) {
            long start = all.start(i);
            while (depth > 0 && ends[depth - 1] <= start) {
                end(ends[--depth]);
            }
            begin(start, iids[all.name(i)], all.detail(i));
            ends[depth++] = all.end(i);
        }
        while (depth > 0) {
            end(ends[--depth]);
        }
    }

    private int at(long nanos) throws IOException {
        int packet = out.open();
        to.number(TIMESTAMP, nanos - clock);
        to.number(SEQUENCE, 1);
        clock = nanos;
        return packet;
    }

    private void begin(long nanos, int iid, @Nullable SliceDetail detail) throws IOException {
        int packet = at(nanos);
        int event = to.open(TRACK_EVENT);
        to.number(TYPE, BEGIN);
        to.number(10, iid);
        if (detail != null) {
            detail(detail);
        }
        to.close(event);
        to.close(packet);
    }

    private void detail(SliceDetail detail) {
        if (detail.flow() != 0) {
            to.fixed64(47, detail.flow());
        }
        annotation(OP, 17, texts.getOrDefault(detail.op(), 0));
        if (!detail.group().isEmpty()) {
            annotation(GROUP, 17, texts.getOrDefault(detail.group(), 0));
        }
        if (detail.sequence() >= 0) {
            annotation(CALL, 4, detail.sequence());
        }
        if (detail.bytes() >= 0) {
            annotation(BYTES, 4, detail.bytes());
        }
    }

    private void annotation(int name, int kind, long value) {
        int annotation = to.open(4);
        to.number(1, name);
        to.number(kind, value);
        to.close(annotation);
    }

    private void end(long nanos) throws IOException {
        int packet = at(nanos);
        int event = to.open(TRACK_EVENT);
        to.number(TYPE, END);
        to.close(event);
        to.close(packet);
    }

    @Override
    public void instant(int track, long nanos, String name, Map<String, String> more, List<String> frames)
            throws IOException {
        int packet = at(nanos);
        int event = to.open(TRACK_EVENT);
        to.number(TYPE, INSTANT);
        to.number(11, track);
        to.text(23, name);
        for (Map.Entry<String, String> e : more.entrySet()) {
            int annotation = to.open(4);
            to.text(10, e.getKey());
            to.text(6, e.getValue());
            to.close(annotation);
        }
        if (!frames.isEmpty()) {
            int stack = to.open(55);
            for (String frame : frames) {
                int of = to.open(1);
                to.text(1, frame);
                to.close(of);
            }
            to.close(stack);
        }
        to.close(event);
        to.close(packet);
    }

    @Override
    public void counter(int track, long nanos, double value) throws IOException {
        int packet = at(nanos);
        int event = to.open(TRACK_EVENT);
        to.number(TYPE, COUNTER);
        to.number(11, track);
        if (value == Math.rint(value) && Math.abs(value) < 0x1.0p53) {
            to.number(30, (long) value);
        } else {
            to.real(44, value);
        }
        to.close(event);
        to.close(packet);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
