package dev.argus.trace;

import dev.argus.model.StepMark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Steps of a rank from ranges that are called after a step and nothing else: {@code ProfilerStep#12}, {@code step 12},
 * {@code train_step_12}, {@code Iteration: 12}.
 *
 * <p>They count if their numbers ascend in time and no two overlap, and if half of them last a millisecond or more: an inner loop
 * may call its turns by the same words.
 */
final class NsysSteps {
    private static final Pattern NAMED = Pattern.compile(
            "(?i)(?:profiler|train(?:ing)?|global)?[ _]?(?:step|iteration|iter)[ _#:=]{0,3}(\\d{1,12})");
    private static final long MIN_MEDIAN_NANOS = 1_000_000;
    private static final int MAX_STEPS = 1 << 20;

    private final List<StepMark> found = new ArrayList<>();

    /** Takes a range if it is called after a step. */
    boolean take(String text, long start, long duration) {
        if (text.length() > 64 || found.size() >= MAX_STEPS) {
            return false;
        }
        Matcher named = NAMED.matcher(text);
        if (!named.matches()) {
            return false;
        }
        found.add(new StepMark(Long.parseLong(named.group(1)), start, duration, false));
        return true;
    }

    /** The steps in order of time; empty if what is so called is none. */
    List<StepMark> steps() {
        List<StepMark> list = new ArrayList<>(found);
        list.sort(Comparator.comparingLong(StepMark::startNanos));
        for (int i = 1; i < list.size(); i++) {
            boolean after = list.get(i).startNanos() >= list.get(i - 1).endNanos();
            if (!after || list.get(i).step() <= list.get(i - 1).step()) {
                return List.of();
            }
        }
        long[] durations = list.stream().mapToLong(StepMark::durationNanos).toArray();
        Arrays.sort(durations);
        return durations.length == 0 || durations[durations.length / 2] < MIN_MEDIAN_NANOS ? List.of() : list;
    }
}
