package dev.argus.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * What lies together in time, and what does not: of a job that goes on much is remembered, and what is over is no part of what begins anew.
 *
 * <p>Two times are one where the quiet steps between are at most {@value IncidentRegister#HOLD_STEPS}, after which an incident has ended, or at most {@value #SEVERAL} times as many as the most
 * between two pauses inside one of them: what comes and goes is one trouble, however long its quiet times are. Of two moments nobody knows how often they come: they are one up to
 * {@value IncidentRegister#RETURN_STEPS} steps, and more never are. Cost: O(n log n) for n that do not nest, O(n) for each time that is put to another.
 */
final class QuietTimes {
    /** Quiet steps between two times of one trouble, of the most inside one. */
    private static final int SEVERAL = 3;

    /** A step counts as a pause from this share of the mean excess on. */
    private static final double ACTIVE_SHARE = 0.3;

    private QuietTimes() {}

    /** What lies together. */
    private static final class Time<T> {
        final List<T> members = new ArrayList<>();
        final long first;
        long last;
        long most;

        Time(T member, long[] steps) {
            members.add(member);
            first = steps[0];
            last = steps[steps.length - 1];
            for (int i = 1; i < steps.length; i++) {
                most = Math.max(most, steps[i] - steps[i - 1]);
            }
        }

        boolean moment() {
            return first == last;
        }

        boolean near(Time<T> next) {
            long known = moment() && next.moment()
                    ? IncidentRegister.RETURN_STEPS
                    : Math.min(IncidentRegister.RETURN_STEPS, SEVERAL * Math.max(most, next.most));
            return next.first - last <= Math.max(IncidentRegister.HOLD_STEPS, known);
        }

        void join(Time<T> next) {
            members.addAll(next.members);
            most = Math.max(Math.max(most, next.most), next.first - last);
            last = Math.max(last, next.last);
        }
    }

    /**
     * The same in times, the oldest first.
     *
     * @param steps the steps of one in which it was there, ascending, at least one
     */
    static <T> List<List<T>> split(List<T> all, Function<T, long[]> steps) {
        List<Time<T>> times = new ArrayList<>();
        all.stream()
                .map(t -> new Time<>(t, steps.apply(t)))
                .sorted(Comparator.comparingLong(t -> t.first)) // stable
                .forEach(times::add);
        boolean changed = true;
        while (changed) {
            changed = false;
            List<Time<T>> joined = new ArrayList<>();
            for (Time<T> t : times) {
                if (!joined.isEmpty() && joined.getLast().near(t)) {
                    joined.getLast().join(t);
                    changed = true;
                } else {
                    joined.add(t);
                }
            }
            times = joined;
        }
        return times.stream().map(t -> t.members).toList();
    }

    /** Findings in times. */
    static List<List<WorkFinding>> split(List<WorkFinding> findings) {
        return split(findings, QuietTimes::pauses);
    }

    /** Steps in which a finding's excess is there; its ends where none is. */
    static long[] pauses(WorkFinding f) {
        long[] steps = new long[f.steps().length];
        int n = 0;
        for (int i = 0; i < steps.length; i++) {
            if (f.excessNanos()[i] >= ACTIVE_SHARE * f.meanNanos()) {
                steps[n++] = f.steps()[i];
            }
        }
        return n == 0 ? new long[] {f.firstStep(), f.lastStep()} : Arrays.copyOf(steps, n);
    }
}
