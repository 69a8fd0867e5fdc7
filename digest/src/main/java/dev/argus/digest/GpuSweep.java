package dev.argus.digest;

import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.Gap;
import dev.argus.model.KernelClass;
import dev.argus.model.SpanKind;
import dev.argus.stats.LongOrder;
import java.util.Arrays;

/**
 * One pass over a GPU's work in the order of time, which gives every nanosecond to exactly one of compute, copy, communication
 * and idle (in that order where several overlap), and to one step.
 *
 * <p>Work belongs to the step that launched it. A gap belongs to the step the CPU was in: the part of a gap after the start of
 * the next step's mark is that step's, which puts a stalled data loader into the step that waits for the data, and a
 * checkpoint after the last kernel into the step that writes it.
 */
final class GpuSweep {
    /** Shorter gaps are counted but not kept one by one. */
    private static final long KEPT_GAP_NANOS = 200_000;

    private final EventStore store;
    private final StepClock clock;
    private final StepAccount[] accounts;
    private final SpanIndex covers;
    private final int[] rows;
    private final int[] steps;
    private final long[] launches;
    private final int[] active = new int[KernelClass.values().length];
    private final boolean[] inputSeen;

    /** Where each step begins on the GPU: with its first work, or with its mark where the GPU had nothing to do then. */
    private final long[] begins;

    private int begun = StepClock.NONE;

    /** Steps whose computing has begun: where a step ends with its optimizer, what comes before is still the end of the one before. */
    private final boolean[] computeSeen;

    /**
     * @param rows rows of one device in order of start
     * @param steps position of the step of each, by the index in {@code rows}
     * @param launches launch of each or {@link LaunchIndex#UNKNOWN}
     */
    GpuSweep(
            EventStore store,
            StepClock clock,
            StepAccount[] accounts,
            SpanIndex covers,
            int[] rows,
            int[] steps,
            long[] launches) {
        this.store = store;
        this.clock = clock;
        this.accounts = accounts;
        this.covers = covers;
        this.rows = rows;
        this.steps = steps;
        this.launches = launches;
        this.inputSeen = new boolean[accounts.length];
        this.computeSeen = new boolean[accounts.length];
        this.begins = new long[accounts.length];
    }

    /**
     * Where each step begins on the GPU; behind all, where the last one ends. What lies between two of them is what the accounts of the step between add up to, but for work of two steps at a time.
     */
    long[] run() {
        int n = rows.length;
        long[] ends = new long[n];
        for (int i = 0; i < n; i++) {
            ends[i] = store.end(rows[i]);
        }
        int[] byEnd = LongOrder.ascending(ends, n);
        int running = 0;
        int nextEnd = 0;
        int step = StepClock.NONE;
        long lastEnd = Long.MIN_VALUE;
        long now = clock.size() > 0 ? clock.start(0) : 0;
        for (int i = 0; i < n; i++) {
            long start = store.start(rows[i]);
            while (nextEnd < n && ends[byEnd[nextEnd]] <= start && running > 0) {
                int ended = byEnd[nextEnd++];
                now = advance(now, ends[ended], step);
                active[store.kernelClass(rows[ended]).ordinal()]--;
                running--;
            }
            begin(steps[i], running == 0 ? Math.min(now, start) : start, start);
            if (running == 0) {
                gap(now, start, step, i);
                now = Math.max(now, start);
            } else {
                now = advance(now, start, step);
            }
            active[store.kernelClass(rows[i]).ordinal()]++;
            running++;
            step = steps[i];
            lastEnd = step >= 0 ? Math.max(lastEnd, ends[i]) : lastEnd;
            if (step >= 0 && store.direction(rows[i]) == CopyDirection.HOST_TO_DEVICE) {
                inputSeen[step] = true;
            }
            if (step >= 0 && store.kernelClass(rows[i]) == KernelClass.COMPUTE) {
                computeSeen[step] = true;
            }
        }
        while (nextEnd < n) {
            int ended = byEnd[nextEnd++];
            now = advance(now, ends[ended], step);
            active[store.kernelClass(rows[ended]).ordinal()]--;
        }
        int last = accounts.length - 1;
        begin(last, now, Long.MAX_VALUE); // those without work
        long[] all = Arrays.copyOf(begins, begins.length + 1);
        all[begins.length] =
                last < 0 ? 0 : Math.max(lastEnd, clock.end(last)); // what belongs to no step is none of the last one
        return all;
    }

    /** Steps up to this one begin now, if they have not: with their marks where these lie in what the GPU was idle before. */
    private void begin(int step, long idleFrom, long start) {
        while (begun < step) {
            begun++;
            long before = begun == 0 ? Long.MIN_VALUE : begins[begun - 1];
            begins[begun] = Math.max(before, Math.min(start, Math.max(idleFrom, clock.start(begun))));
        }
    }

    private long advance(long from, long to, int step) {
        if (to <= from) {
            return from;
        }
        if (step >= 0) {
            StepAccount a = accounts[step];
            if (active[KernelClass.COMPUTE.ordinal()] > 0) {
                a.computeNanos += to - from;
            } else if (active[KernelClass.MEMORY.ordinal()] > 0) {
                a.copyNanos += to - from;
            } else {
                a.exposedCommNanos += to - from;
            }
        }
        return to;
    }

    /** Splits the gap [from, to) before row {@code next} over the steps the CPU was in. */
    private void gap(long from, long to, int stepBefore, int next) {
        int stepAfter = steps[next];
        if (to <= from || stepAfter == StepClock.NONE) {
            return;
        }
        int first = stepBefore == StepClock.NONE ? stepAfter : Math.min(stepBefore, stepAfter);
        for (int k = first; k <= stepAfter; k++) {
            long a = k == first ? from : Math.max(from, clock.start(k));
            long b = k == stepAfter ? to : Math.min(to, clock.start(k + 1));
            if (b > a) {
                give(k, a, b, to, next, k < stepAfter || (clock.endsWithOptimizer && !computeSeen[k]));
            }
        }
    }

    private void give(int step, long from, long to, long gapEnd, int next, boolean afterWork) {
        StepAccount a = accounts[step];
        long length = to - from;
        a.idleNanos += length;
        long launch = launches[next];
        boolean hostLate = launch != LaunchIndex.UNKNOWN && launch >= from;
        if (hostLate) {
            a.hostIdleNanos += length;
        }
        if (length >= KEPT_GAP_NANOS && length > a.gapFloorNanos()) {
            boolean input = to == gapEnd
                    && steps[next] == step
                    && !inputSeen[step]
                    && store.direction(rows[next]) == CopyDirection.HOST_TO_DEVICE;
            CpuSpan cover = covers.cover(from, to);
            a.gap(new Gap(
                    from,
                    length,
                    hostLate,
                    input,
                    afterWork,
                    cover == null ? -1 : cover.name(),
                    cover == null ? SpanKind.RUNTIME : cover.kind()));
        }
    }
}
