package dev.argus.ring;

import dev.argus.digest.NameKinds;
import dev.argus.digest.TraceEventSink;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.KernelClass;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import java.util.Locale;

/**
 * Turns the records of one ring into the events of its rank, as a reader of traces does, and hands what a trace has not to {@link RingMarks}.
 *
 * <p>A collective whose times are of the work itself becomes an annotation that lasts as long; one whose times are of the call becomes an
 * operator, and is joined to the kernel it launched by correlation or external id where these tell ({@link LaunchedCalls}), else by the launch
 * inside it when the step is digested. Bounded by the groups of the ring; belongs to one thread.
 */
public final class RingEvents implements RingConsumer {
    private static final SpanKind[] KINDS = {
        SpanKind.ANNOTATION, SpanKind.OPERATOR, SpanKind.PYTHON, SpanKind.RUNTIME, SpanKind.GPU_ANNOTATION
    };
    private static final CopyDirection[] DIRECTIONS = {
        CopyDirection.OTHER,
        CopyDirection.HOST_TO_DEVICE,
        CopyDirection.DEVICE_TO_HOST,
        CopyDirection.DEVICE_TO_DEVICE,
        CopyDirection.PEER_TO_PEER,
        CopyDirection.OTHER
    };
    private static final String[] COPIES = {
        "Memcpy", "Memcpy HtoD", "Memcpy DtoH", "Memcpy DtoD", "Memcpy PtoP", "Memcpy HtoH"
    };

    private final RingGroups groups;
    private final RingIdentity identity;
    private final RingClock clock;
    private final NameTable names;
    private final LaunchedCalls calls;
    private final TraceEventSink sink;
    private final RingMarks marks;
    private final long process;
    private final int ring;
    private final NameKinds kinds;
    private boolean introduced;

    /**
     * For one ring.
     *
     * @param header of the ring
     * @param names the table its reader was opened with
     * @param clock takes the CLOCK records of this ring
     * @param identity of the process, shared by its rings
     * @param calls of the process, shared by its rings
     */
    public RingEvents(
            RingHeader header,
            NameTable names,
            RingClock clock,
            RingIdentity identity,
            LaunchedCalls calls,
            TraceEventSink sink,
            RingMarks marks) {
        this.names = names;
        this.kinds = new NameKinds(names);
        this.clock = clock;
        this.identity = identity;
        this.calls = calls;
        this.sink = sink;
        this.marks = marks;
        this.process = header.process();
        this.ring = calls.newRing();
        this.groups = new RingGroups(names, identity);
        identity.header(header);
    }

    @Override
    public void kernel(
            int device,
            int name,
            long startNanos,
            long durationNanos,
            int stream,
            long correlation,
            long workItems,
            int flags) {
        CollectiveCall call = communicates(name) ? calls.of(ring, correlation) : null;
        sink.gpu(new GpuEvent(
                GpuActivity.KERNEL,
                name,
                device,
                stream,
                clock.epoch(startNanos),
                durationNanos,
                correlation,
                workItems,
                0,
                CopyDirection.NONE,
                call));
    }

    private boolean communicates(int name) {
        return kinds.classOf(name) == KernelClass.COMMUNICATION;
    }

    @Override
    public void copy(
            int device,
            int direction,
            long bytes,
            long startNanos,
            long durationNanos,
            int stream,
            long correlation,
            int flags) {
        int way = direction < DIRECTIONS.length ? direction : 0;
        memory(
                GpuActivity.MEMCPY,
                COPIES[way],
                DIRECTIONS[way],
                device,
                bytes,
                startNanos,
                durationNanos,
                stream,
                correlation);
    }

    @Override
    public void set(
            int device, long bytes, long startNanos, long durationNanos, int stream, long correlation, int flags) {
        memory(
                GpuActivity.MEMSET,
                "Memset",
                CopyDirection.NONE,
                device,
                bytes,
                startNanos,
                durationNanos,
                stream,
                correlation);
    }

    private void memory(
            GpuActivity activity,
            String name,
            CopyDirection direction,
            int device,
            long bytes,
            long start,
            long duration,
            int stream,
            long correlation) {
        sink.gpu(new GpuEvent(
                activity,
                names.id(name),
                device,
                stream,
                clock.epoch(start),
                duration,
                correlation,
                0,
                bytes,
                direction,
                null));
    }

    @Override
    public void launch(
            int name, long startNanos, long durationNanos, int thread, long correlation, long externalId, int flags) {
        calls.launched(ring, correlation, externalId);
        sink.launch(new LaunchEvent(name, correlation, externalId, thread, clock.epoch(startNanos), durationNanos));
    }

    @Override
    public void step(int flags, long startNanos, long durationNanos, int thread, long number) {
        long start = clock.epoch(startNanos);
        if (number < 0) {
            sink.quarantine("step-without-number");
        } else if ((flags & RingRecords.STEP_BEGIN) != 0) {
            marks.stepBegun(number, start, thread);
        } else {
            sink.step(new StepMark(number, start, durationNanos, (flags & RingRecords.STEP_ON_GPU) != 0));
            if ((flags & RingRecords.STEP_SIGNALS_OFF) != 0) {
                marks.stepWithoutSignals(number);
            }
        }
    }

    @Override
    public void span(
            int kind,
            int dimension,
            int flags,
            int name,
            long startNanos,
            long durationNanos,
            int thread,
            int enclosing,
            long externalId) {
        if (kind < 1 || kind > KINDS.length) {
            sink.quarantine("unknown-span-kind");
            return;
        }
        long start = clock.epoch(startNanos);
        if ((flags & RingRecords.BEGIN) != 0) {
            marks.spanBegun(name, start, thread);
            return;
        }
        if (dimension != 0 || enclosing != NONE) {
            marks.subPhase(name, enclosing, dimension);
        }
        sink.span(new CpuSpan(KINDS[kind - 1], name, process, thread, start, durationNanos, externalId, null));
    }

    @Override
    public void collective(
            int op,
            int flags,
            int group,
            long startNanos,
            long durationNanos,
            int thread,
            long correlation,
            int peer,
            int operations,
            long bytes,
            long sequence,
            int groupSize,
            int name) {
        CollectiveOp what = RingRecords.op(op);
        RingGroups.Group of = groups.of(group);
        int groupName = of == null ? NONE : of.name();
        long start = clock.epoch(startNanos);
        int size = groupSize > 0 || of == null ? groupSize : of.size();
        CollectiveCall call = new CollectiveCall(what, groupName, sequence, bytes, peer, size > 0 ? size : -1, NONE);
        int shown = name != NONE ? name : names.id(what.name().toLowerCase(Locale.ROOT));
        if ((flags & RingRecords.BEGIN) != 0) {
            marks.collectiveBegun(call, shown, start);
            return;
        }
        boolean work = (flags & RingRecords.TIMES_OF_WORK) != 0;
        if (!work) {
            calls.stated(ring, correlation, call);
        }
        sink.span(new CpuSpan(
                work ? SpanKind.ANNOTATION : SpanKind.OPERATOR,
                shown,
                process,
                thread,
                start,
                durationNanos,
                correlation,
                call));
    }

    @Override
    public void group(int dimension, int group, int name, int description, int members, int size) {
        groups.add(dimension, group, name, description, members, size);
    }

    @Override
    public void identity(int key, int string, long value) {
        introduced = true;
        identity.fact(key, text(names, string), value);
    }

    @Override
    public void clock(long hereNanos, long monotonicNanos, long realtimeNanos) {
        if (!clock.add(hereNanos, monotonicNanos, realtimeNanos)) {
            sink.quarantine("impossible-clock");
        }
    }

    @Override
    public void loss(LossReason reason, long fromNanos, long toNanos, long count) {
        boolean timed = fromNanos > 0 && toNanos >= fromNanos && toNanos <= RingDecoder.LATEST;
        marks.lost(reason, timed ? clock.epoch(fromNanos) : 0, timed ? clock.epoch(toNanos) : 0, count);
    }

    @Override
    public void reported(long untilNanos) {
        marks.reported(clock.epoch(untilNanos));
    }

    /** True once the producer has said to this reader who the process is: at the begin, and upon every attach. */
    public boolean introduced() {
        return introduced;
    }

    static String text(NameTable names, int name) {
        return name == NONE ? "" : names.name(name);
    }
}
