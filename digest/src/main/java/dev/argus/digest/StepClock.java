package dev.argus.digest;

import dev.argus.model.StepMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The steps of one rank on the clock of its host: which step the CPU was in at a time.
 *
 * <p>Step i runs from its mark's start to the next mark's start; the last one to its mark's end. Times before the first mark
 * and after the last belong to no step.
 */
final class StepClock {
    /** No step. */
    static final int NONE = -1;

    private final long[] steps;
    private final long[] starts;
    private final long[] ends;

    /** True when a step ends with its optimizer, and what follows, as the gathering of parameters, counts to the next. */
    final boolean endsWithOptimizer;

    private StepClock(long[] steps, long[] starts, long[] ends, boolean endsWithOptimizer) {
        this.steps = steps;
        this.starts = starts;
        this.ends = ends;
        this.endsWithOptimizer = endsWithOptimizer;
    }

    /** The same steps, which were inferred from where the optimizer ends. */
    StepClock byOptimizer() {
        return new StepClock(steps, starts, ends, true);
    }

    /** From marks in any order. Of several marks with one number the longest counts: the others are pseudo-steps. */
    static StepClock of(List<StepMark> marks) {
        Map<Long, StepMark> byStep = new HashMap<>();
        for (StepMark m : marks) {
            byStep.merge(m.step(), m, (a, b) -> b.durationNanos() > a.durationNanos() ? b : a);
        }
        List<StepMark> kept = new ArrayList<>(byStep.values());
        kept.sort((a, b) -> a.startNanos() != b.startNanos()
                ? Long.compare(a.startNanos(), b.startNanos())
                : Long.compare(a.step(), b.step()));
        int n = kept.size();
        long[] steps = new long[n];
        long[] starts = new long[n];
        long[] ends = new long[n];
        for (int i = 0; i < n; i++) {
            steps[i] = kept.get(i).step();
            starts[i] = kept.get(i).startNanos();
            ends[i] = kept.get(i).endNanos();
        }
        return new StepClock(steps, starts, ends, false);
    }

    int size() {
        return steps.length;
    }

    long step(int i) {
        return steps[i];
    }

    long start(int i) {
        return starts[i];
    }

    /** Start of the next step, or the end of the last one's mark. */
    long end(int i) {
        return i + 1 < starts.length ? starts[i + 1] : ends[i];
    }

    /** Length of the step's own mark. */
    long markNanos(int i) {
        return ends[i] - starts[i];
    }

    /** Position of the step the CPU was in, or {@link #NONE}. */
    int at(long time) {
        int low = 0;
        int high = starts.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (starts[middle] <= time) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high >= 0 && time < end(high) ? high : NONE;
    }
}
