package dev.argus.simulator;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The steps in which something holds.
 *
 * @param from first step
 * @param to last step
 * @param pattern bit i says whether it holds in step {@code from + i}, repeating after 64; -1 for always
 */
public record When(int from, int to, long pattern) {
    /** All of these steps. */
    public static When always(int from, int to) {
        return new When(from, to, -1);
    }

    /** One step. */
    public static When once(int step) {
        return new When(step, step, -1);
    }

    /** True when it holds in a step. */
    public boolean active(int step) {
        return step >= from && step <= to && (pattern >>> ((step - from) & 63) & 1) != 0;
    }

    /** The steps in which it holds. */
    public List<Integer> steps() {
        return IntStream.rangeClosed(from, to).filter(this::active).boxed().toList();
    }

    /** True when it comes and goes. */
    public boolean intermittent() {
        return steps().size() < to - from + 1;
    }
}
