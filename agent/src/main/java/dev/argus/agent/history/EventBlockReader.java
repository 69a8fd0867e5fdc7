package dev.argus.agent.history;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import org.jspecify.annotations.Nullable;

/** Reads what {@link EventBlock} wrote. The content is taken as hostile: what cannot be is a {@link WireException}. */
final class EventBlockReader {
    private static final GpuActivity[] ACTIVITIES = GpuActivity.values();
    private static final CopyDirection[] DIRECTIONS = CopyDirection.values();
    private static final SpanKind[] SPANS = SpanKind.values();
    private static final CollectiveOp[] OPS = CollectiveOp.values();

    /** Times beyond the year 2116 are none: sums of them fit. */
    private static final long LATEST = Long.MAX_VALUE / 2;

    private final WireReader in;
    private final long firstNanos;
    private final long lastNanos;
    private int[] names = {};
    private long before;

    /**
     * Reads the head of a block.
     *
     * @param in behind the byte of the type
     */
    EventBlockReader(WireReader in) {
        this.in = in;
        this.firstNanos = in.readSigned();
        this.lastNanos = in.readSigned();
    }

    /** True if it may have events that overlap a time. */
    boolean overlaps(long fromNanos, long untilNanos) {
        return firstNanos <= untilNanos && lastNanos >= fromNanos;
    }

    /** Hands out all its events; their names are ids of a table. */
    void read(NameTable table, TraceEventSink to) {
        names = new int[in.readCount(1)];
        for (int i = 0; i < names.length; i++) {
            names[i] = table.id(in.readText());
        }
        for (int n = in.readCount(5); n > 0; n--) {
            int tag = in.readByte();
            boolean call = (tag & EventBlock.CALL) != 0;
            switch (tag & EventBlock.KIND_MASK) {
                case EventBlock.GPU -> gpu(call, to);
                case EventBlock.LAUNCH -> {
                    int name = name();
                    long start = start();
                    long duration = duration();
                    long thread = in.readVarint();
                    to.launch(new LaunchEvent(name, in.readVarint(), in.readVarint(), thread, start, duration));
                }
                case EventBlock.SPAN -> {
                    SpanKind kind = SPANS[index(in.readByte(), SPANS.length, "kind of range")];
                    int name = name();
                    long start = start();
                    long duration = duration();
                    long process = in.readVarint();
                    long thread = in.readVarint();
                    long external = in.readVarint();
                    to.span(new CpuSpan(kind, name, process, thread, start, duration, external, call(call)));
                }
                case EventBlock.STEP -> {
                    boolean onGpu = in.readByte() != 0;
                    long step = in.readSigned();
                    long start = start();
                    to.step(new StepMark(step, start, duration(), onGpu));
                }
                default -> throw new WireException("event of kind " + (tag & EventBlock.KIND_MASK));
            }
        }
        in.expectEnd();
    }

    private void gpu(boolean call, TraceEventSink to) {
        int what = in.readByte();
        GpuActivity activity =
                ACTIVITIES[index(what & (1 << EventBlock.DIRECTION_SHIFT) - 1, ACTIVITIES.length, "activity")];
        CopyDirection direction =
                DIRECTIONS[index(what >> EventBlock.DIRECTION_SHIFT, DIRECTIONS.length, "direction of a copy")];
        int name = name();
        long start = start();
        long duration = duration();
        int device = in.readSignedInt();
        int stream = in.readSignedInt();
        long correlation = in.readVarint();
        long work = in.readVarint();
        long bytes = in.readVarint();
        to.gpu(new GpuEvent(
                activity, name, device, stream, start, duration, correlation, work, bytes, direction, call(call)));
    }

    private @Nullable CollectiveCall call(boolean there) {
        if (!there) {
            return null;
        }
        CollectiveOp op = OPS[index(in.readByte(), OPS.length, "operation")];
        int group = nameOrNone();
        long sequence = in.readSigned();
        long bytes = in.readSigned();
        int peer = in.readSignedInt();
        int size = in.readSignedInt();
        return new CollectiveCall(op, group, sequence, bytes, peer, size, nameOrNone());
    }

    private int name() {
        return names[index(in.readInt(), names.length, "name")];
    }

    private int nameOrNone() {
        int at = in.readInt();
        return at == 0 ? -1 : names[index(at - 1, names.length, "name")];
    }

    private long start() {
        before += in.readSigned();
        if (before < 0 || before > LATEST) {
            throw new WireException("time " + before);
        }
        return before;
    }

    private long duration() {
        long duration = in.readVarint();
        if (duration < 0 || duration > LATEST) {
            throw new WireException("duration " + duration);
        }
        return duration;
    }

    private static int index(int value, int size, String what) {
        if (value >= size) {
            throw new WireException(what + " " + value + ", expected below " + size);
        }
        return value;
    }
}
