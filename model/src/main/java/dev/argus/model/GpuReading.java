package dev.argus.model;

import java.util.List;

/**
 * What a monitoring system read from one GPU: clocks, temperatures, reasons of throttling, errors. A GPU is told by its uuid, else by host
 * and index; the index alone is not unique.
 *
 * @param attempt attempt of the job
 * @param host name id of the host; the empty text when unknown
 * @param index GPU index on its host, -1 when unknown
 * @param uuid name id of the GPU's uuid; the empty text when unknown
 * @param metrics one entry a metric, by name
 */
public record GpuReading(int attempt, int host, int index, int uuid, List<Metric> metrics) implements SideRecord {
    /** Copies defensively. */
    public GpuReading {
        metrics = List.copyOf(metrics);
    }

    /**
     * One metric of the GPU over the time of the file. Without any value it was asked for and not there: no data, which is neither 0 nor
     * healthy.
     *
     * @param name name id of the metric as its source calls it, such as {@code DCGM_FI_DEV_SM_CLOCK}
     * @param last the newest value; NaN without one
     * @param min lowest value; NaN without one
     * @param max highest value; NaN without one
     * @param count values read
     * @param missing values that say "not supported" or "no value" instead
     * @param firstNanos time of the oldest value, nanoseconds since the Unix epoch; 0 when not said
     * @param lastNanos time of the newest value; 0 when not said
     */
    public record Metric(
            int name, double last, double min, double max, long count, long missing, long firstNanos, long lastNanos) {}

    @Override
    public long firstNanos() {
        return metrics.stream()
                .mapToLong(Metric::firstNanos)
                .filter(n -> n > 0)
                .min()
                .orElse(0);
    }

    @Override
    public long lastNanos() {
        return metrics.stream().mapToLong(Metric::lastNanos).max().orElse(0);
    }
}
