package dev.argus.hostflink;

import java.io.Serializable;
import org.apache.flink.metrics.MetricGroup;

/** Writes ticks into the input while a job runs, so that time passes on partitions where nothing else happens, and is recorded with the input. */
@FunctionalInterface
public interface Ticking extends Serializable {
    /**
     * Begins.
     *
     * @param metrics where it counts
     * @return ends it
     */
    AutoCloseable start(MetricGroup metrics);
}
