package dev.argus.testkit;

/**
 * How a trace is spelled: what versions of the profiler and of the job's set-up leave out or write otherwise.
 *
 * @param oldCategories categories {@code Kernel}, {@code Operator}, {@code Runtime}; flows called {@code launch};
 *     stream numbers as text; no annotations on the GPU
 * @param integerMicros times as whole microseconds since the Unix epoch, cut, instead of decimals relative to
 *     {@code baseTimeNanoseconds}
 * @param plainList a top-level array without any header: no rank, no base time
 * @param stepMarks {@code ProfilerStep#N} marks on CPU and GPU
 * @param groupArgs process group, sequence and sizes beside collectives
 */
public record KinetoDialect(
        boolean oldCategories, boolean integerMicros, boolean plainList, boolean stepMarks, boolean groupArgs) {

    /** What PyTorch 2.6 and newer write. */
    public static final KinetoDialect CURRENT = new KinetoDialect(false, false, false, true, true);

    /** What the profiler of PyTorch 1.8 wrote: old categories, whole microseconds, nothing known of groups. */
    public static final KinetoDialect OLD = new KinetoDialect(true, true, false, true, false);

    /** True if times are absolute rather than relative to the base time of the header. */
    public boolean absoluteTimes() {
        return integerMicros || plainList || oldCategories;
    }

    /** With or without the old categories. */
    public KinetoDialect withOldCategories(boolean value) {
        return new KinetoDialect(value, integerMicros, plainList, stepMarks, groupArgs);
    }

    /** With or without whole microseconds. */
    public KinetoDialect withIntegerMicros(boolean value) {
        return new KinetoDialect(oldCategories, value, plainList, stepMarks, groupArgs);
    }

    /** As a plain list or as an object. */
    public KinetoDialect withPlainList(boolean value) {
        return new KinetoDialect(oldCategories, integerMicros, value, stepMarks, groupArgs);
    }

    /** With or without marks of steps. */
    public KinetoDialect withStepMarks(boolean value) {
        return new KinetoDialect(oldCategories, integerMicros, plainList, value, groupArgs);
    }

    /** With or without arguments of collectives. */
    public KinetoDialect withGroupArgs(boolean value) {
        return new KinetoDialect(oldCategories, integerMicros, plainList, stepMarks, value);
    }
}
