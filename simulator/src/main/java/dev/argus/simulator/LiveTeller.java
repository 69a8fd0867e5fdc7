package dev.argus.simulator;

import dev.argus.simulator.Narrator.Telling;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Tells the steps of one rank while they happen, as producers in its process would: what the CPU does in its order, work of the GPU when it
 * ends. Begins of steps, ranges and collectives are told as well, so that a rank that does not go on is seen to be in the midst of something.
 *
 * <p>Cost: constant time per operation; footprint that of the steps that are not over.
 */
final class LiveTeller {
    private final Narrator narrator;
    private final Recorder to;
    private final HostClocks clocks;
    private final int host;
    private final Deque<Open> open = new ArrayDeque<>();

    /** A step that is being told, and how far. */
    private static final class Open {
        final Telling telling;
        final RankStep step;
        final int[] lanes = new int[Lane.ALL.length];
        /** When the ranges that are open began, by the clock of the host as it was. */
        final Deque<Long> ranges = new ArrayDeque<>();

        int left;
        int cpu;
        int pause;

        /** Pauses whose begin was told. */
        int begun;

        Open(Telling telling) {
            this.telling = telling;
            this.step = telling.step();
            this.left = step.program().gpuCount();
        }

        boolean over() {
            return left == 0 && cpu == step.program().ops.length;
        }
    }

    LiveTeller(Scenario scenario, HostClocks clocks, int rank, Recorder to) {
        this.narrator = new Narrator(scenario, clocks, rank, to);
        this.to = to;
        this.clocks = clocks;
        this.host = scenario.layout().hostOf(rank);
    }

    /** The next step, of which nothing has been told. */
    void add(RankStep step) {
        open.addLast(new Open(narrator.begin(step)));
    }

    /** Tells everything that has happened until a true time and was not told before. */
    void until(long trueNanos) {
        for (Open o : open) {
            cpu(o, trueNanos);
            gpu(o, trueNanos);
        }
        while (!open.isEmpty() && open.getFirst().over()) {
            open.removeFirst();
        }
    }

    private void cpu(Open o, long now) {
        Op[] ops = o.step.program().ops;
        while (o.cpu < ops.length) {
            Op op = ops[o.cpu];
            boolean waits = op.type() == Op.Type.SYNC;
            long when = waits ? o.step.start()[o.cpu] : o.step.launch()[o.cpu];
            pauses(o, Math.min(now, when));
            if (when > now) {
                return;
            }
            tell(o, op, o.cpu++);
        }
    }

    private void pauses(Open o, long until) {
        List<RankStep.Paused> all = o.step.pauses();
        while (o.pause < all.size()
                && all.get(o.pause).start() + all.get(o.pause).pause().nanos() <= until) {
            narrator.recorded(all.get(o.pause++));
        }
        if (o.pause < all.size() && o.begun <= o.pause && all.get(o.pause).start() <= until) {
            narrator.begins(all.get(o.pause));
            o.begun = o.pause + 1;
        }
    }

    private void tell(Open o, Op op, int at) {
        switch (op.type()) {
            case OPEN -> begin(o, op, at);
            case CLOSE -> close(o, op, at);
            case SYNC -> narrator.synchronised(o.step, at);
            case CPU -> {}
            case KERNEL, COPY -> narrator.launched(o.telling, at);
            case COLLECTIVE, SEND, RECEIVE -> narrator.called(o.telling, at);
        }
    }

    private void begin(Open o, Op op, int at) {
        long start = clocks.shown(host, o.step.launch()[at]);
        if (o.ranges.isEmpty()) {
            to.stepBegun(o.step.step(), start);
        } else {
            to.rangeBegun(op.label(), start);
        }
        o.ranges.push(start);
    }

    private void close(Open o, Op op, int at) {
        long start = o.ranges.pop();
        long nanos = clocks.shown(host, o.step.launch()[at]) - start;
        if (!o.ranges.isEmpty()) {
            to.range(op.label(), start, nanos);
            return;
        }
        long from = Long.MAX_VALUE;
        long until = Long.MIN_VALUE;
        for (int[] lane : o.step.program().lanes) {
            if (lane.length > 0) {
                from = Math.min(from, o.step.start()[lane[0]]);
                until = Math.max(until, o.step.end()[lane[lane.length - 1]]);
            }
        }
        if (until < RankStep.NEVER) {
            to.step(o.step.step(), start, nanos, clocks.shown(host, from), until - from);
        }
    }

    private void gpu(Open o, long now) {
        for (int lane = 0; lane < o.lanes.length && o.left > 0; lane++) {
            int[] all = o.step.program().lanes[lane];
            while (o.lanes[lane] < all.length && o.step.end()[all[o.lanes[lane]]] <= now) {
                narrator.ended(o.telling, all[o.lanes[lane]++]);
                o.left--;
            }
        }
    }
}
