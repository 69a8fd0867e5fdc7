package dev.argus.trace;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import org.jspecify.annotations.Nullable;

/**
 * Events of the PyTorch profiler, old schema and new, to the sink.
 *
 * <p>Set aside, with the reason counted: {@code missing-time} (no readable {@code ts} or {@code dur}), {@code untimed} (GPU
 * work at 0 of length 0: the tracer had no record of it), {@code negative-duration}, {@code impossible-duration} (above a
 * day), {@code impossible-time} (before the epoch or beyond what 64 bits hold). A duration of 0 at a real time counts.
 */
final class KinetoEvents {
    private static final long MAX_DURATION_NANOS = 24L * 3600 * 1_000_000_000;
    /** A synchronising call shorter than this found nothing to wait for. */
    private static final long MIN_BLOCKING_NANOS = 10_000;

    private final PartSink sink;
    private final NameCache names;
    private final TraceClock clock;

    KinetoEvents(PartSink sink, NameCache names, TraceClock clock) {
        this.sink = sink;
        this.names = names;
        this.clock = clock;
    }

    /** Takes the complete event that was just read. */
    void accept(EventFields e) {
        if (e.category == Category.OTHER || !e.hasName()) {
            return;
        }
        String fault = fault(e);
        if (fault != null) {
            sink.quarantine(fault);
            return;
        }
        long start = clock.epochNanos(e.ts);
        if (start < 0 || start > Long.MAX_VALUE - e.dur) {
            sink.quarantine("impossible-time");
            return;
        }
        NameInfo name = e.name(names);
        switch (e.category) {
            case Category.KERNEL -> kernel(e, name, start);
            case Category.MEMCPY -> copy(e, name, start);
            case Category.MEMSET -> gpu(e, GpuActivity.MEMSET, name, start, CopyDirection.NONE, null);
            case Category.RUNTIME -> runtime(e, name, start);
            case Category.CPU_OP -> operator(e, name, start);
            case Category.ANNOTATION -> annotation(e, name, start, SpanKind.ANNOTATION);
            case Category.GPU_ANNOTATION -> annotation(e, name, start, SpanKind.GPU_ANNOTATION);
            case Category.PYTHON -> python(e, name, start);
            default -> uncategorised(e, name, start);
        }
    }

    private static @Nullable String fault(EventFields e) {
        if (e.ts == Decimals.MISSING || e.dur == Decimals.MISSING) {
            return "missing-time";
        }
        if (e.dur < 0) {
            return "negative-duration";
        }
        if (e.dur > MAX_DURATION_NANOS) {
            return "impossible-duration";
        }
        if (e.ts == Decimals.HUGE || e.ts == -Decimals.HUGE) {
            return "impossible-time";
        }
        return e.ts == 0 && e.dur == 0 && Category.isGpuWork(e.category) ? "untimed" : null;
    }

    // ---------------------------------------------------------------- GPU

    private void kernel(EventFields e, NameInfo name, long start) {
        CollectiveCall call = null;
        if (e.hasText(EventArgs.COLLECTIVE)) {
            call = call(e, name);
        } else if (name.communicates) {
            call = unidentified(name);
        }
        gpu(e, GpuActivity.KERNEL, name, start, CopyDirection.NONE, call);
    }

    private void copy(EventFields e, NameInfo name, long start) {
        CopyDirection direction = name.direction;
        if (direction == CopyDirection.OTHER && e.hasText(EventArgs.COPY_KIND)) {
            direction = e.text(EventArgs.COPY_KIND, names).direction;
        }
        gpu(e, GpuActivity.MEMCPY, name, start, direction, null);
    }

    private void gpu(
            EventFields e,
            GpuActivity activity,
            NameInfo name,
            long start,
            CopyDirection direction,
            @Nullable CollectiveCall call) {
        sink.gpu(new GpuEvent(
                activity,
                name.id(),
                Ids.of(e.number(EventArgs.DEVICE, e.pid), -1),
                Ids.of(e.number(EventArgs.STREAM, e.tid), -1),
                start,
                e.dur,
                e.number(EventArgs.CORRELATION, 0),
                e.workItems(),
                Math.max(0, e.number(EventArgs.BYTES, 0)),
                direction,
                call));
    }

    // ---------------------------------------------------------------- CPU

    private void runtime(EventFields e, NameInfo name, long start) {
        long correlation = e.number(EventArgs.CORRELATION, 0);
        long externalId = e.number(EventArgs.EXTERNAL_ID, 0);
        if (correlation != 0) {
            sink.launch(new LaunchEvent(name.id(), correlation, externalId, e.tid, start, e.dur));
        }
        if (e.dur >= EventFields.MIN_HOST_NANOS || (name.blocking && e.dur >= MIN_BLOCKING_NANOS)) {
            span(SpanKind.RUNTIME, e, name, start, null);
        }
    }

    private void operator(EventFields e, NameInfo name, long start) {
        if (name.step >= 0) {
            sink.step(new StepMark(name.step, start, e.dur, false));
        } else if (name.isAnnotation()) {
            span(SpanKind.ANNOTATION, e, name, start, null);
        } else if (name.call) {
            operatorCall(e, name, start);
        } else if (e.dur >= EventFields.MIN_HOST_NANOS) {
            span(SpanKind.OPERATOR, e, name, start, null);
        }
    }

    private void operatorCall(EventFields e, NameInfo name, long start) {
        CollectiveCall call = e.hasText(EventArgs.COLLECTIVE) ? call(e, name) : unidentified(name);
        if (call != null || e.dur >= EventFields.MIN_HOST_NANOS) {
            span(SpanKind.OPERATOR, e, name, start, call);
        }
    }

    private void annotation(EventFields e, NameInfo name, long start, SpanKind kind) {
        if (name.step >= 0) {
            sink.step(new StepMark(name.step, start, e.dur, kind == SpanKind.GPU_ANNOTATION));
            return;
        }
        CollectiveCall call = null;
        if (name.call) {
            call = e.hasText(EventArgs.COLLECTIVE) ? call(e, name) : unidentified(name);
        }
        span(kind, e, name, start, call);
    }

    private void python(EventFields e, NameInfo name, long start) {
        if (e.dur >= EventFields.MIN_HOST_NANOS) {
            span(SpanKind.PYTHON, e, name, start, null);
        }
    }

    /** The profiler without Kineto (a plain list) has no categories: names must tell. */
    private void uncategorised(EventFields e, NameInfo name, long start) {
        if (name.step >= 0 || name.call || !name.isOperator()) {
            annotation(e, name, start, SpanKind.ANNOTATION);
        } else if (e.dur >= EventFields.MIN_HOST_NANOS) {
            span(SpanKind.OPERATOR, e, name, start, null);
        }
    }

    private void span(SpanKind kind, EventFields e, NameInfo name, long start, @Nullable CollectiveCall call) {
        long externalId = e.number(EventArgs.EXTERNAL_ID, 0);
        sink.span(new CpuSpan(kind, name.id(), e.pid, e.tid, start, e.dur, externalId, call));
    }

    // ---------------------------------------------------------------- collectives

    private @Nullable CollectiveCall unidentified(NameInfo name) {
        CollectiveOp op = name.op;
        return op == null ? null : new CollectiveCall(op, -1, -1, -1, -1, -1, -1);
    }

    private @Nullable CollectiveCall call(EventFields e, NameInfo name) {
        CollectiveOp op = e.text(EventArgs.COLLECTIVE, names).op;
        if (op == null) {
            return null;
        }
        if (op == CollectiveOp.UNKNOWN && name.op != null) {
            op = name.op;
        }
        if (op == CollectiveOp.ALL_TO_ALL && isUneven(e)) {
            op = CollectiveOp.ALL_TO_ALL_V;
        }
        return new CollectiveCall(
                op,
                textId(e, EventArgs.GROUP_NAME, 1),
                e.number(EventArgs.SEQUENCE, -1),
                bytes(e),
                Ids.of(peer(e, op), -1),
                Ids.of(e.number(EventArgs.GROUP_SIZE, -1), -1),
                textId(e, EventArgs.GROUP_RANKS, 3));
    }

    private int textId(EventFields e, int field, int minLength) {
        if (!e.hasText(field)) {
            return -1;
        }
        NameInfo text = e.text(field, names);
        return text.text.length() >= minLength ? text.id() : -1;
    }

    private static boolean isUneven(EventFields e) {
        return CollectiveNames.isUneven(e.text(EventArgs.IN_SPLIT))
                || CollectiveNames.isUneven(e.text(EventArgs.OUT_SPLIT));
    }

    private long bytes(EventFields e) {
        long elements = Math.max(e.number(EventArgs.IN_ELEMENTS), e.number(EventArgs.OUT_ELEMENTS));
        if (elements < 0 || elements > Long.MAX_VALUE / 16 || !e.hasText(EventArgs.DTYPE)) {
            return -1;
        }
        int elementBytes = e.text(EventArgs.DTYPE, names).elementBytes;
        return elementBytes < 0 ? -1 : elements * elementBytes;
    }

    /**
     * Global rank of the other side, where the file names it as such. {@code Rank} is not used: it is the root or the peer
     * within the group in some versions, the caller's own rank in others.
     */
    private static long peer(EventFields e, CollectiveOp op) {
        return switch (op) {
            case SEND -> e.number(EventArgs.TARGET_RANK, -1);
            case RECV -> e.number(EventArgs.SOURCE_RANK, -1);
            case SEND_RECV -> e.number(EventArgs.TARGET_RANK, e.number(EventArgs.SOURCE_RANK, -1));
            case BROADCAST, REDUCE, GATHER, SCATTER -> e.number(EventArgs.ROOT_RANK, -1);
            default -> -1;
        };
    }
}
