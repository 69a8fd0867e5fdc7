package dev.argus.digest;

import dev.argus.model.KernelClass;
import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Steps by the kernels of the optimizer: they run once a step, many in a row, whatever the trace says of its CPU. A step ends where
 * the kernel after such a row is launched.
 */
final class OptimizerKernels {
    /** Words of optimizers, not as parts of others: most kernels of PyTorch have a lambda in their name. */
    private static final Pattern WORDS = Pattern.compile(
            "multi_tensor_apply|fused_optimizer|adam|adagrad|adafactor|(?<![a-z])(?:sgd|lamb|lion)(?![a-z])",
            Pattern.CASE_INSENSITIVE);

    /** Fewer rows are no period. */
    private static final int MIN_REPEATS = 3;

    /** Rows are at least this far apart, of the furthest: in kernels. */
    private static final double APART = 0.5;

    /** Steps have equally many kernels up to this, as a ratio. */
    private static final double EVEN = 0.2;

    private OptimizerKernels() {}

    /**
     * The steps, numbered from 0; none when there are too few, or too uneven ones.
     *
     * @param order rows of GPU work by start
     */
    static List<StepMark> steps(EventStore store, NameTable names, int[] order) {
        Map<Integer, Boolean> known = new HashMap<>();
        int[] rows = new int[order.length];
        int[] at = new int[order.length];
        int n = 0;
        int hits = 0;
        int device = order.length == 0 ? 0 : store.device(order[0]);
        for (int row : order) {
            if (store.device(row) == device && store.kernelClass(row) == KernelClass.COMPUTE) {
                if (known.computeIfAbsent(store.name(row), id -> optimizes(names.name(id)))) {
                    at[hits++] = n;
                }
                rows[n++] = row;
            }
        }
        List<Integer> ends = rowEnds(Arrays.copyOf(at, hits));
        if (ends.size() < MIN_REPEATS || !even(ends)) {
            return List.of();
        }
        LaunchIndex launches = new LaunchIndex(store);
        List<StepMark> marks = new ArrayList<>();
        long from = store.firstNanos();
        for (int end : ends) {
            long until = end + 1 < n ? launched(store, launches, rows[end + 1]) : store.end(rows[end]);
            if (until > from) {
                marks.add(new StepMark(marks.size(), from, until - from, false));
                from = until;
            }
        }
        return marks;
    }

    private static boolean optimizes(String name) {
        return WORDS.matcher(name).find();
    }

    /** The last of each row. */
    private static List<Integer> rowEnds(int[] at) {
        int widest = 0;
        for (int i = 1; i < at.length; i++) {
            widest = Math.max(widest, at[i] - at[i - 1]);
        }
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i < at.length; i++) {
            if (i + 1 == at.length || at[i + 1] - at[i] > APART * widest) {
                ends.add(at[i]);
            }
        }
        return ends;
    }

    private static boolean even(List<Integer> ends) {
        int[] lengths = new int[ends.size() - 1];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = ends.get(i + 1) - ends.get(i);
        }
        Arrays.sort(lengths);
        int middle = lengths[lengths.length / 2];
        return lengths[0] >= (1 - EVEN) * middle && lengths[lengths.length - 1] <= (1 + EVEN) * middle;
    }

    private static long launched(EventStore store, LaunchIndex launches, int row) {
        long launch = launches.start(store.correlation(row));
        return launch == LaunchIndex.UNKNOWN ? store.start(row) : launch;
    }
}
