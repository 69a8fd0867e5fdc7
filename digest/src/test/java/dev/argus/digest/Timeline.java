package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import dev.argus.model.StepMark;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hand-made record of one rank, all times in microseconds from an arbitrary moment, and the digests it gives. Events reach
 * the assembler in a shuffled order, for the order of a file means nothing.
 */
final class Timeline {
    /** No launch recorded. */
    static final int NO_LAUNCH = -1;

    private static final long MOMENT = 1_700_000_000_000_000_000L;

    final NameTable names = new NameTable();
    final List<StepDigest> digests = new ArrayList<>();
    final List<String> kernels = new ArrayList<>();
    private final List<Consumer<RankAssembler>> events = new ArrayList<>();
    private @Nullable AssembledTrace trace;
    private long correlations;

    static long nanos(double micros) {
        return MOMENT + Math.round(micros * 1_000);
    }

    static CollectiveOp op(StepDigest d, int i) {
        return d.collectives().get(i).op();
    }

    Timeline mark(long step, double from, double to) {
        return add(a -> a.step(new StepMark(step, nanos(from), nanos(to) - nanos(from), false)));
    }

    Timeline gpuMark(long step, double from, double to) {
        return add(a -> a.step(new StepMark(step, nanos(from), nanos(to) - nanos(from), true)));
    }

    Timeline launch(long correlation, double at) {
        return add(a -> a.launch(new LaunchEvent(names.id("cudaLaunchKernel"), correlation, 0, 1, nanos(at), 2_000)));
    }

    /** Work with a launch of its own. */
    Timeline kernel(String name, int stream, double from, double to, double launch) {
        return kernel(name, stream, from, to, launch, null);
    }

    Timeline kernel(String name, int stream, double from, double to, double launch, @Nullable CollectiveCall call) {
        return gpu(GpuActivity.KERNEL, name, 0, stream, from, to, launched(launch), 0, CopyDirection.NONE, call);
    }

    Timeline graphKernel(String name, int stream, double from, double to, long correlation) {
        return gpu(GpuActivity.KERNEL, name, 0, stream, from, to, correlation, 0, CopyDirection.NONE, null);
    }

    Timeline onDevice(int device, String name, int stream, double from, double to) {
        return gpu(GpuActivity.KERNEL, name, device, stream, from, to, 0, 0, CopyDirection.NONE, null);
    }

    Timeline copy(CopyDirection direction, int stream, double from, double to, double launch, long bytes) {
        return gpu(GpuActivity.MEMCPY, "Memcpy", 0, stream, from, to, launched(launch), bytes, direction, null);
    }

    Timeline span(SpanKind kind, String name, double from, double to, @Nullable CollectiveCall call) {
        return add(
                a -> a.span(new CpuSpan(kind, names.id(name), 1, 1, nanos(from), nanos(to) - nanos(from), 77, call)));
    }

    Timeline span(String name, double from, double to) {
        return span(SpanKind.ANNOTATION, name, from, to, null);
    }

    Timeline quarantine(String reason) {
        return add(a -> a.quarantine(reason));
    }

    CollectiveCall call(CollectiveOp op, String group, long sequence) {
        return new CollectiveCall(op, names.id(group), sequence, 1_024, -1, 8, -1);
    }

    /** A call that says its size, but not its group. */
    static CollectiveCall nameless(CollectiveOp op) {
        return new CollectiveCall(op, -1, -1, 4_096, -1, -1, -1);
    }

    private long launched(double at) {
        if (at < 0) {
            return 0;
        }
        launch(++correlations, at);
        return correlations;
    }

    private Timeline gpu(
            GpuActivity activity,
            String name,
            int device,
            int stream,
            double from,
            double to,
            long correlation,
            long bytes,
            CopyDirection direction,
            @Nullable CollectiveCall call) {
        return add(a -> a.gpu(new GpuEvent(
                activity,
                names.id(name),
                device,
                stream,
                nanos(from),
                nanos(to) - nanos(from),
                correlation,
                128,
                bytes,
                direction,
                call)));
    }

    private Timeline add(Consumer<RankAssembler> event) {
        events.add(event);
        return this;
    }

    Timeline finish() {
        return finish(false);
    }

    Timeline finish(boolean cut) {
        RankAssembler assembler = new RankAssembler(names);
        Collections.shuffle(events, new Random(events.size()));
        events.forEach(e -> e.accept(assembler));
        trace = assembler.finish(3, cut, digests::add, this::seen);
        return this;
    }

    private void seen(long step, int name, int stream, long startNanos, long durationNanos, long workItems) {
        kernels.add(step + ":" + names.name(name));
    }

    AssembledTrace trace() {
        if (trace == null) {
            throw new IllegalStateException("finish first");
        }
        return trace;
    }

    StepDigest step(int i) {
        return digests.get(i);
    }

    /** Own time of a step in microseconds: "compute+copy+comm+idle/host". */
    String own(int i) {
        OwnTime o = digests.get(i).own();
        return micros(o.computeNanos()) + "+" + micros(o.copyNanos()) + "+" + micros(o.exposedCommNanos()) + "+"
                + micros(o.idleNanos()) + "/" + micros(o.hostIdleNanos());
    }

    /** Gaps of a step, longest first: "from-to cover [host] [input]". */
    List<String> gaps(int i) {
        return digests.get(i).gaps().stream()
                .map(g -> micros(g.startNanos() - MOMENT) + "-"
                        + micros(g.startNanos() + g.durationNanos() - MOMENT) + " "
                        + (g.cover() < 0 ? "?" : names.name(g.cover()))
                        + (g.hostLate() ? " host" : "")
                        + (g.beforeInput() ? " input" : ""))
                .toList();
    }

    private static String micros(long nanos) {
        return nanos % 1_000 == 0 ? Long.toString(nanos / 1_000) : Double.toString(nanos / 1_000.0);
    }
}
