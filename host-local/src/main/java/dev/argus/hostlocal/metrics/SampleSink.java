package dev.argus.hostlocal.metrics;

/** Takes series, each with its value of one moment. Labels are given in the order of {@link Metric#labels}; an empty one is as if it were not there. */
public interface SampleSink {
    /** Adds a value; NaN says that it is unknown. */
    void gauge(Metric metric, double value, String... labels);

    /** Adds a count; below 0 it is 0. */
    void counter(Metric metric, double value, String... labels);

    /** Adds median and maximum of so many values; NaN says that they are unknown. */
    void spread(Metric metric, double median, double max, long count, String... labels);

    /** Counts series that were left out for want of room. */
    void leaveOut(Metric metric, long count);
}
