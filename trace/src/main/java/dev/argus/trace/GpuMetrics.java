package dev.argus.trace;

import dev.argus.model.GpuReading;
import dev.argus.model.GpuReading.Metric;
import dev.argus.model.NameTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects samples of GPU metrics with the labels of dcgm-exporter.
 *
 * <p>Values that DCGM gives for "no value" (blank, not found, not supported, no permission: its fields' largest numbers of 32 and 64 bits, and 2 to
 * the 47th for floats) are missing, as is NaN. Bounds: {@value #MAX_GPUS} GPUs of {@value #MAX_METRICS} metrics; what is beyond is counted.
 */
final class GpuMetrics {
    static final String PREFIX = "DCGM_FI_";
    static final int MAX_GPUS = 1 << 16;
    static final int MAX_METRICS = 256;
    private static final int MAX_NAME = 128;

    /** DCGM_INT32_BLANK to DCGM_INT32_NOT_PERMISSIONED. */
    private static final double INT32_BLANK = 0x7ffffff0;

    private static final double INT64_BLANK = 0x7ffffffffffffff0L;
    private static final double FP64_BLANK = 140_737_488_355_328.0;
    private static final int BLANKS = 4;

    private record Gpu(String host, String uuid, int index) {}

    private static final class Series {
        double last = Double.NaN;
        double min = Double.NaN;
        double max = Double.NaN;
        long count;
        long missing;
        long first;
        long newest;
    }

    private final Map<Gpu, TreeMap<String, Series>> gpus = new LinkedHashMap<>();
    private long samples;
    private long beyond;
    private long nobody;

    /**
     * Adds a sample.
     *
     * @param epochNanos its time, 0 when not said
     */
    void add(String name, Map<String, String> labels, double value, long epochNanos) {
        Gpu gpu = new Gpu(
                cut(first(labels, "Hostname", "hostname", "node", "instance")),
                cut(first(labels, "UUID", "uuid")),
                index(first(labels, "gpu", "minor_number")));
        if (gpu.uuid().isEmpty() && gpu.index() < 0) {
            nobody++;
            return;
        }
        boolean known = gpus.containsKey(gpu);
        if (!known && gpus.size() >= MAX_GPUS) {
            beyond++;
            return;
        }
        TreeMap<String, Series> metrics = gpus.computeIfAbsent(gpu, g -> new TreeMap<>());
        if (!metrics.containsKey(name) && metrics.size() >= MAX_METRICS) {
            beyond++;
            return;
        }
        samples++;
        sample(metrics.computeIfAbsent(cut(name), n -> new Series()), value, epochNanos);
    }

    private static void sample(Series s, double value, long epochNanos) {
        if (isMissing(value)) {
            s.missing++;
            return;
        }
        s.count++;
        s.min = s.count == 1 ? value : Math.min(s.min, value);
        s.max = s.count == 1 ? value : Math.max(s.max, value);
        if (epochNanos >= s.newest) {
            s.last = value;
            s.newest = epochNanos;
        }
        s.first = s.first == 0 ? epochNanos : Math.min(s.first, epochNanos);
    }

    /** True for what stands for "no value". */
    static boolean isMissing(double value) {
        return !Double.isFinite(value)
                || (value >= INT32_BLANK && value < INT32_BLANK + BLANKS)
                || value >= INT64_BLANK
                || (value >= FP64_BLANK && value < FP64_BLANK + BLANKS);
    }

    private static String first(Map<String, String> labels, String... names) {
        for (String name : names) {
            String value = labels.get(name);
            if (value != null && !value.isEmpty()) {
                return value;
            }
        }
        return "";
    }

    private static int index(String text) {
        return text.matches("\\d{1,4}") ? Integer.parseInt(text) : -1;
    }

    private static String cut(String text) {
        return text.length() > MAX_NAME ? text.substring(0, MAX_NAME) : text;
    }

    long samples() {
        return samples;
    }

    boolean isEmpty() {
        return gpus.isEmpty();
    }

    /** Says what was left out. */
    void remarks(SideOutcome out) {
        if (beyond > 0) {
            out.problem("samples-beyond", -1, beyond + " samples of GPUs or metrics beyond the bounds were left out");
        }
        if (nobody > 0) {
            out.problem("nobodys-samples", -1, nobody + " samples name no GPU and were left out");
        }
    }

    List<GpuReading> records(NameTable names) {
        List<GpuReading> records = new ArrayList<>();
        gpus.forEach((gpu, series) -> {
            List<Metric> metrics = new ArrayList<>();
            series.forEach((name, s) -> metrics.add(
                    new Metric(names.id(name), s.last, s.min, s.max, s.count, s.missing, s.first, s.newest)));
            records.add(new GpuReading(0, names.id(gpu.host()), gpu.index(), names.id(gpu.uuid()), metrics));
        });
        return records;
    }
}
