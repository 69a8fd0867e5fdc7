package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells the recorded steps of one rank to a recorder, as its profiler would have seen them. */
final class Narrator {
    private static final double NANOS_PER_BLOCK = 60;
    private static final int SHUFFLES = 6;

    private final Scenario scenario;
    private final Layout layout;
    private final HostClocks clocks;
    private final Recorder to;
    private final int rank;
    private final int host;
    private final boolean stacks;
    private final int streamShift;
    private final EnumMap<GroupKind, Long> sequences = new EnumMap<>(GroupKind.class);
    private long correlation;

    Narrator(Scenario scenario, HostClocks clocks, int rank, Recorder to) {
        this.scenario = scenario;
        this.layout = scenario.layout();
        this.clocks = clocks;
        this.rank = rank;
        this.to = to;
        this.host = layout.hostOf(rank);
        this.stacks = scenario.faults().stream()
                .anyMatch(f -> (f instanceof Fault.Stalls s && s.stacks())
                        || (f instanceof Fault.RotatingCollection r && r.stacks()));
        long bits = Noise.bits(scenario.seed(), rank, -11, 0);
        this.streamShift = scenario.dialect().shuffledStreams() ? 4 * (int) Math.floorMod(bits, (long) SHUFFLES) : 0;
        this.correlation = 1000 + Math.floorMod(bits, 50_000L);
    }

    /** Tells one step. */
    void tell(RankStep step) {
        Telling telling = begin(step);
        long gpuStart = Long.MAX_VALUE;
        long gpuEnd = Long.MIN_VALUE;
        Op[] ops = step.program().ops;
        for (int i = 0; i < ops.length; i++) {
            Op op = ops[i];
            if (op.onGpu()) {
                gpuStart = Math.min(gpuStart, step.start()[i]);
                gpuEnd = Math.max(gpuEnd, step.end()[i]);
                launched(telling, i);
                ended(telling, i);
            } else if (op.type() == Op.Type.SYNC) {
                synchronised(step, i);
            }
        }
        ranges(step);
        step.pauses().forEach(this::paused);
        if (scenario.dialect().stepMarks()) {
            mark(step, gpuStart, gpuEnd);
        }
    }

    /**
     * One step that is being told: the numbers of its calls go on from the step before.
     *
     * @param step what happened
     * @param correlation of the call before its first
     * @param sequences collectives of each kind before its first
     */
    record Telling(RankStep step, long correlation, Map<GroupKind, Long> sequences) {}

    /** Begins to tell a step: the next one goes on behind it. */
    Telling begin(RankStep step) {
        Telling telling = new Telling(step, correlation, new EnumMap<>(sequences));
        correlation += step.program().gpuCount();
        skip(step);
        return telling;
    }

    /** Passes over a step that was not recorded: collectives count on. */
    void skip(RankStep step) {
        for (GroupKind kind : GroupKind.values()) {
            sequences.merge(kind, (long) step.program().collectiveCount(kind), Long::sum);
        }
    }

    private void mark(RankStep step, long gpuStart, long gpuEnd) {
        long start = clock(step.begin());
        long gpu = clock(gpuStart);
        to.step(step.step(), start, clock(step.finish()) - start, gpu, clock(gpuEnd) - gpu);
    }

    private long clock(long trueNanos) {
        return clocks.shown(host, trueNanos);
    }

    /** Tells that the CPU has waited for the GPU. */
    void synchronised(RankStep step, int at) {
        call(step.program().ops[at].label(), 0, step.launch()[at], step.start()[at]);
    }

    private void call(String name, long id, long from, long until) {
        long start = clock(from);
        to.call(name, id, start, Math.max(1, clock(until) - start));
    }

    /** Tells that work of the GPU was launched. */
    void launched(Telling telling, int at) {
        long from = telling.step().launch()[at];
        call(callName(telling.step().program().ops[at]), id(telling, at), from, from + launchNanos(telling, at));
    }

    private long launchNanos(Telling telling, int at) {
        RankStep step = telling.step();
        long from = step.launch()[at];
        long until = at + 1 < step.program().ops.length ? step.launch()[at + 1] : from + 5_000;
        return Math.max(1_500, Math.min(until - from, 2 * scenario.model().launchNanos()) * 8 / 10);
    }

    /** Tells that a collective or message was launched, with the call around its launch. */
    void called(Telling telling, int at) {
        Recorder.Message message = message(telling, telling.step().program().ops[at]);
        long start = clock(telling.step().launch()[at]);
        to.communicationBegun(message, start);
        launched(telling, at);
        to.communicationCalled(message, start, launchNanos(telling, at));
    }

    /** Tells that work of the GPU has ended. */
    void ended(Telling telling, int at) {
        RankStep step = telling.step();
        Op op = step.program().ops[at];
        long start = clock(step.start()[at]);
        long nanos = clock(step.end()[at]) - start;
        long id = id(telling, at);
        int stream = op.lane().stream() + (op.lane() == Lane.COMPUTE ? 0 : streamShift);
        switch (op.type()) {
            case KERNEL -> kernel(step, op, stream, id, start, nanos);
            case COPY -> to.copy(op.label(), stream, id, start, nanos, op.bytes());
            default -> to.communication(message(telling, op), stream, id, start, nanos);
        }
    }

    private static long id(Telling telling, int at) {
        return telling.correlation() + telling.step().program().ordinals[at] + 1;
    }

    private static String callName(Op op) {
        return switch (op.type()) {
            case COPY -> "cudaMemcpyAsync";
            case KERNEL -> Objects.requireNonNull(op.kernel()).arithmetic() ? "cuLaunchKernelEx" : "cudaLaunchKernel";
            default -> "cudaLaunchKernelExC";
        };
    }

    private void kernel(RankStep step, Op op, int stream, long id, long start, long nanos) {
        KernelKind kind = Objects.requireNonNull(op.kernel());
        long grid = Math.max(1, Math.round(op.nanos() * step.work().work(op) / NANOS_PER_BLOCK));
        int block = kind.arithmetic() ? 384 : 128;
        to.kernel(kind.name(scenario.model().ampere()), stream, id, start, nanos, grid, block);
    }

    /** What is known of a collective or message. */
    Recorder.Message message(Telling telling, Op op) {
        RankStep step = telling.step();
        Group group = layout.group(rank, Objects.requireNonNull(op.group()));
        long bytes = Math.max(1, Math.round(op.bytes() * step.work().work(op)));
        if (op.type() != Op.Type.COLLECTIVE) {
            int stages = layout.size(Layout.Dimension.PP);
            int stage = layout.coordinate(rank, Layout.Dimension.PP);
            boolean next = op.lane() == Lane.SEND_NEXT || op.lane() == Lane.RECV_NEXT;
            int peer = layout.atStage(rank, (stage + (next ? 1 : stages - 1)) % stages);
            return new Recorder.Message(op.collective(), group, -1, bytes, bytes, peer, null);
        }
        long sequence = telling.sequences().getOrDefault(group.kind(), 0L) + op.ordinal() + 100L * (1 + group.id() % 7);
        long part = bytes / group.size();
        int root = op.collective() == CollectiveOp.BROADCAST ? group.rank(0) : -1;
        return switch (op.collective()) {
            case ALL_GATHER -> new Recorder.Message(op.collective(), group, sequence, part, bytes, root, null);
            case REDUCE_SCATTER -> new Recorder.Message(op.collective(), group, sequence, bytes, part, root, null);
            case ALL_TO_ALL_V -> uneven(step, op, group, sequence, part);
            default -> new Recorder.Message(op.collective(), group, sequence, bytes, bytes, root, null);
        };
    }

    private Recorder.Message uneven(RankStep step, Op op, Group group, long sequence, long part) {
        long elements = part / 2 / group.size();
        long[] in = new long[group.size()];
        long[] out = new long[group.size()];
        long allIn = 0;
        long allOut = 0;
        for (int i = 0; i < in.length; i++) {
            long bits = Noise.bits(scenario.seed(), rank * 131L + i, step.step(), op.ordinal());
            in[i] = (long) (elements * (0.9 + 0.2 * Noise.unit(bits)));
            out[i] = (long) (elements * step.work().expertLoad() * (0.9 + 0.2 * Noise.unit(bits * 31 + 7)));
            allIn += in[i];
            allOut += out[i];
        }
        return new Recorder.Message(
                op.collective(), group, sequence, 2 * allIn, 2 * allOut, -1, new Recorder.Splits(in, out));
    }

    private void ranges(RankStep step) {
        Deque<Integer> open = new ArrayDeque<>();
        Op[] ops = step.program().ops;
        for (int i = 0; i < ops.length; i++) {
            if (ops[i].type() == Op.Type.OPEN) {
                open.push(i);
            } else if (ops[i].type() == Op.Type.CLOSE) {
                int from = open.pop();
                if (!open.isEmpty()) {
                    range(ops[i].label(), step.launch()[from], step.launch()[i]);
                }
            }
        }
    }

    private void range(String label, long from, long until) {
        long start = clock(from);
        long nanos = clock(until) - start;
        if (scenario.dialect().ranges()) {
            to.range(label, start, nanos);
        }
        String frame = stacks ? frameOf(label) : null;
        if (frame != null) {
            to.frame(frame, start + 300, Math.max(1, nanos - 600));
        }
    }

    private static @Nullable String frameOf(String label) {
        return switch (label) {
            case ProgramBuilder.FORWARD -> "megatron/core/pipeline_parallel/schedules.py(270): forward_step";
            case ProgramBuilder.BACKWARD -> "megatron/core/pipeline_parallel/schedules.py(391): backward_step";
            default -> null;
        };
    }

    /** Tells that a pause begins that a producer in the process marks as a range. */
    void begins(RankStep.Paused paused) {
        if (paused.pause().cause() == Pause.Cause.CHECKPOINT) {
            to.rangeBegun(paused.pause().cause().recorded(), clock(paused.start()));
        }
    }

    /** Tells a pause that is over as a producer in the process does: by what it recorded, whether anybody looked or not. */
    void recorded(RankStep.Paused paused) {
        String name = paused.pause().cause().recorded();
        if (name.isEmpty()) {
            return;
        }
        long start = clock(paused.start());
        long nanos = clock(paused.start() + paused.pause().nanos()) - start;
        if (paused.pause().cause() == Pause.Cause.CHECKPOINT) {
            to.range(name, start, nanos);
        } else {
            to.frame(name, start, nanos);
        }
    }

    private void paused(RankStep.Paused paused) {
        Pause pause = paused.pause();
        if (!pause.visible()) {
            return;
        }
        long start = clock(paused.start());
        long nanos = clock(paused.start() + pause.nanos()) - start;
        List<String> frames = pause.cause().frames();
        boolean range = pause.cause() == Pause.Cause.CHECKPOINT || pause.cause() == Pause.Cause.LOG;
        for (int depth = 0; depth < frames.size(); depth++) {
            if (range) {
                to.range(frames.get(depth), start, nanos);
            } else {
                to.frame(frames.get(depth), start + 400L * depth, Math.max(1, nanos - 900L * depth));
            }
        }
    }
}
