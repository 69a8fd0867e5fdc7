package dev.argus.trace.export;

import dev.argus.model.NameTable;
import dev.argus.wire.ProtoBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes Perfetto's protocol buffers ({@code .pftrace}) with times exact to the nanosecond.
 *
 * <p>Layout: one packet sequence, whose clock counts on from the packet before; a batch a lane, whose track and clock stand once in the
 * defaults before it, so that a slice costs 22 to 26 bytes; names interned once a file and deflated. Lanes of a track have one name and one
 * parent, which viewers draw as one track. Time stamps are the given nanoseconds since the Unix epoch, also as the file's real time.
 *
 * <p>Memory: 4 MiB, 4 bytes a name of the job, and the largest interned batch of names.
 */
public final class PerfettoWriter implements Timeline {
    private static final int TRACK_EVENT = 11;
    private static final int INTERNED = 12;
    private static final int FLAGS = 13;
    private static final int DEFAULTS = 59;
    private static final int ATTRIBUTES = 126;

    /** Numbers of tracks and processes of a file that something is put behind: it has fewer. */
    private static final int BEHIND = 1 << 30;

    private static final int TYPE = 9;
    private static final int NAME_IID = 10;
    private static final int TRACK = 11;
    private static final int BEGIN = 1;
    private static final int END = 2;
    private static final int INSTANT = 3;
    private static final int COUNTER = 4;

    private final PacketStream out;
    private final ProtoBuffer to;
    private final PerfettoNames names;
    private final PerfettoTracks tracks;
    private final PerfettoClocks clocks;
    private final long[] ends = new long[Slices.MAX_DEPTH];
    private long slices;

    /**
     * Begins a file.
     *
     * @param out takes the bytes; is flushed, never closed
     * @param names names of the slices
     * @param baseNanos some time near the first event, nanoseconds since the Unix epoch
     * @param compressed true for packets that hold packets deflated; else only tables of names are
     */
    public PerfettoWriter(OutputStream out, NameTable names, long baseNanos, boolean compressed) throws IOException {
        this(out, names, baseNanos, compressed, false);
    }

    private PerfettoWriter(OutputStream out, NameTable names, long baseNanos, boolean compressed, boolean behind)
            throws IOException {
        this.out = new PacketStream(out, compressed, behind ? 2 : 1);
        this.to = this.out.buffer();
        this.names = new PerfettoNames(names, to);
        this.tracks = new PerfettoTracks(this.out, behind ? BEHIND : 0);
        this.clocks = new PerfettoClocks(to, baseNanos);
        begin(behind);
    }

    /**
     * Begins what is put behind a whole file of another writer: traces of Perfetto may be joined end to end, as long as sequences, tracks and processes have numbers of their own.
     *
     * @param out takes the bytes; is flushed, never closed
     * @param baseNanos some time near the first event, nanoseconds since the Unix epoch
     */
    static PerfettoWriter behind(OutputStream out, NameTable names, long baseNanos) throws IOException {
        return new PerfettoWriter(out, names, baseNanos, true, true);
    }

    /** Slices written so far. */
    public long slices() {
        return slices;
    }

    /** Bytes that left so far; all of them after {@link #close}. */
    public long written() {
        return out.written();
    }

    /** Bytes of names, tracks and their like among those, where not all is deflated together. */
    public long tables() {
        return out.tables();
    }

    private void begin(boolean behind) throws IOException {
        int packet = out.openTable();
        to.number(FLAGS, 3);
        clocks.snapshot();
        to.close(packet);
        annotations();
        if (!behind) {
            tracks.root();
        }
    }

    private void annotations() throws IOException {
        int packet = out.openTable();
        defaults(PerfettoClocks.NANOS, 0);
        int interned = to.open(INTERNED);
        names.annotations();
        to.close(interned);
        to.close(packet);
        clocks.usual();
    }

    /** Forgets what has been interned, and the defaults; clocks and tracks stay. */
    private void forget() throws IOException {
        out.settle();
        int packet = out.openTable();
        to.number(FLAGS, 1);
        to.close(packet);
        names.forget();
        annotations();
    }

    private void defaults(int clock, long track) {
        int defaults = to.open(DEFAULTS);
        to.number(58, clock);
        if (track != 0) {
            int event = to.open(TRACK_EVENT);
            to.number(TRACK, track);
            to.close(event);
        }
        to.close(defaults);
    }

    @Override
    public void about(String key, String value) throws IOException {
        int packet = out.openTable();
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
        return tracks.process(name, order, labels);
    }

    @Override
    public void announce(int[] uses, List<TrackPlace> places) throws IOException {
        for (TrackPlace place : places) {
            tracks.announce(place);
        }
        if (names.paysToForget(uses)) {
            forget();
        }
        int packet = out.openTable();
        int interned = to.open(INTERNED);
        names.first(uses);
        to.close(interned);
        to.close(packet);
    }

    @Override
    public int track(TrackPlace place) throws IOException {
        return Math.toIntExact(tracks.track(place));
    }

    @Override
    public long slices(TrackPlace place, Slices all) throws IOException {
        long placed = 0;
        boolean first = true;
        for (int[] lane : all.lanes()) {
            batch(first ? tracks.first(place) : tracks.track(place), all, lane);
            first = false;
            lane(all, lane);
            placed += lane.length;
        }
        slices += placed;
        return all.count() - placed;
    }

    /** The track and the clock of the events that follow, and the names they are the first to use. */
    private void batch(long track, Slices all, int[] lane) throws IOException {
        if (names.isFirst(all, lane)) {
            int packet = out.openTable();
            int interned = to.open(INTERNED);
            names.lane(all, lane);
            to.close(interned);
            to.close(packet);
        }
        int packet = out.openEvent();
        defaults(clocks.choose(all, lane), track);
        to.close(packet);
    }

    private void lane(Slices all, int[] lane) throws IOException {
        int depth = 0;
        for (int i : lane) {
            long start = all.start(i);
            while (depth > 0 && ends[depth - 1] <= start) {
                end(ends[--depth]);
            }
            begin(start, names.name(all.name(i)), all.detail(i));
            ends[depth++] = all.end(i);
        }
        while (depth > 0) {
            end(ends[--depth]);
        }
    }

    private int at(long nanos) throws IOException {
        int packet = out.openEvent();
        clocks.at(nanos);
        return packet;
    }

    private void begin(long nanos, int iid, @Nullable SliceDetail detail) throws IOException {
        int packet = at(nanos);
        int event = to.open(TRACK_EVENT);
        to.number(TYPE, BEGIN);
        to.number(NAME_IID, iid);
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
        annotation(PerfettoNames.OP, 17, names.textId(detail.op()));
        if (!detail.group().isEmpty()) {
            annotation(PerfettoNames.GROUP, 17, names.textId(detail.group()));
        }
        if (detail.sequence() >= 0) {
            annotation(PerfettoNames.CALL, 4, detail.sequence());
        }
        if (detail.bytes() >= 0) {
            annotation(PerfettoNames.BYTES, 4, detail.bytes());
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
        to.number(TRACK, track);
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
        to.number(TRACK, track);
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
