package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.GpuReading;
import dev.argus.model.GpuReading.Metric;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a monitoring system read from GPUs, as evidence beside what the detectors found: it accuses nobody, it says of the accused what sets
 * their GPUs apart from the others.
 *
 * <p>A GPU is joined with a rank by uuid, else by host and index; host names match whole, or without their domains. Where no trace states a host
 * and all readings are of one, the index alone joins. Clocks of a GPU that idles are no evidence, for an idle GPU lowers them. A metric that
 * some GPUs have and others have not is no data of these: neither 0 nor healthy.
 *
 * <p>Pure; readings may come in any order and several times, the newest value of a metric counts.
 */
public final class GpuTelemetry {
    /** A clock at or below this share of the others' median is lower. */
    static final double LOW_CLOCK = 0.97;

    /** So much above the median of the others a GPU is hot, in kelvin. */
    static final double HOTTER = 8;

    private static final int SAID = 12;
    private static final long IDLE_REASON = 1;
    private static final String DEVICE = "DCGM_FI_DEV_";

    /** Reasons of throttling by bit, as NVML defines them; idle, the first, is none. */
    private static final String[] REASONS = {
        "",
        "clocks set by an application",
        "power cap",
        "hardware slowdown",
        "sync boost",
        "thermal slowdown by software",
        "thermal slowdown by hardware",
        "power brake",
        "display clocks"
    };

    private static final List<String> ERRORS = List.of(
            "XID_ERRORS",
            "ECC_DBE_VOL_TOTAL",
            "ROW_REMAP_FAILURE",
            "UNCORRECTABLE_REMAPPED_ROWS",
            "PCIE_REPLAY_COUNTER");

    private record Key(String host, String uuid, int index) {}

    private final Map<Key, TreeMap<String, Metric>> gpus = new LinkedHashMap<>();
    private final Set<String> hosts = new TreeSet<>();

    /** Of these readings. */
    public GpuTelemetry(List<GpuReading> readings, NameTable names) {
        List<GpuReading> order = new ArrayList<>(readings);
        order.sort(Comparator.comparing((GpuReading r) -> names.name(r.host()))
                .thenComparingInt(GpuReading::index)
                .thenComparing(r -> names.name(r.uuid())));
        for (GpuReading r : order) {
            Key key = new Key(names.name(r.host()), names.name(r.uuid()), r.index());
            hosts.add(key.host());
            TreeMap<String, Metric> metrics = gpus.computeIfAbsent(key, k -> new TreeMap<>());
            for (Metric m : r.metrics()) {
                metrics.merge(names.name(m.name()), m, (a, b) -> b.lastNanos() > a.lastNanos() ? b : a);
            }
        }
    }

    // ---------------------------------------------------------------- what was read

    /** What was read, in sentences: each metric with its range over the GPUs. */
    public List<String> notes() {
        if (gpus.isEmpty()) {
            return List.of();
        }
        Map<String, double[]> ranges = new TreeMap<>();
        gpus.values()
                .forEach(metrics -> metrics.forEach((name, m) -> {
                    if (m.count() > 0) {
                        double[] range = ranges.computeIfAbsent(
                                name, n -> new double[] {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0});
                        range[0] = Math.min(range[0], m.min());
                        range[1] = Math.max(range[1], m.max());
                        range[2]++;
                    }
                }));
        List<String> parts = new ArrayList<>();
        ranges.forEach(
                (name, r) -> parts.add(brief(name) + " " + plain(r[0]) + (r[0] < r[1] ? " to " + plain(r[1]) : "")
                        + (r[2] < gpus.size() ? " (" + (int) r[2] + " GPUs)" : "")));
        String more = parts.size() > SAID ? " and " + (parts.size() - SAID) + " more metrics" : "";
        return List.of("telemetry: " + gpus.size() + (gpus.size() == 1 ? " GPU on " : " GPUs on ") + hosts.size()
                + (hosts.size() == 1 ? " host: " : " hosts: ")
                + String.join(", ", parts.subList(0, Math.min(SAID, parts.size()))) + more);
    }

    /** Metrics that some GPUs have no data of, in sentences. */
    public List<String> noData() {
        Set<String> all = new TreeSet<>();
        gpus.values().forEach(m -> all.addAll(m.keySet()));
        List<String> lines = new ArrayList<>();
        for (String name : all) {
            List<String> without = new ArrayList<>();
            long newest = newest(name);
            gpus.forEach((key, metrics) -> {
                Metric m = metrics.get(name);
                boolean ended = m != null
                        && m.lastNanos() > 0
                        && newest - m.lastNanos() > Math.max(60_000_000_000L, (newest - m.firstNanos()) / 4);
                if (m == null || m.count() == 0 || ended) {
                    without.add(name(key));
                }
            });
            if (!without.isEmpty()) {
                lines.add("no data of " + name + " for " + (without.size() == gpus.size() ? "any GPU" : some(without))
                        + ": neither 0 nor healthy");
            }
        }
        return lines;
    }

    private long newest(String name) {
        return gpus.values().stream()
                .map(m -> m.get(name))
                .filter(Objects::nonNull)
                .mapToLong(Metric::lastNanos)
                .max()
                .orElse(0);
    }

    private static String name(Key key) {
        String which = key.index() >= 0 ? "GPU " + key.index() : key.uuid();
        return which + (key.host().isEmpty() ? "" : " of " + key.host());
    }

    private static String some(List<String> list) {
        return list.size() <= 4
                ? String.join(", ", list)
                : String.join(", ", list.subList(0, 3)) + " and " + (list.size() - 3) + " more GPUs";
    }

    private static String brief(String metric) {
        return metric.startsWith(DEVICE) ? metric.substring(DEVICE.length()) : metric;
    }

    private static String plain(double v) {
        return v == Math.rint(v) && Math.abs(v) < 1e15
                ? String.valueOf((long) v)
                : String.format(java.util.Locale.ROOT, "%.1f", v);
    }

    // ---------------------------------------------------------------- evidence

    /** The incident with what sets the GPUs of its ranks apart; the same where nothing does, or nothing is known of them. */
    public Incident explained(Incident i, JobShape shape) {
        List<Evidence> rows = new ArrayList<>(i.evidence());
        StringBuilder why = new StringBuilder(i.explanation());
        for (GpuRef gpu : i.gpus()) {
            Key key = find(gpu, shape);
            if (key != null) {
                rows(gpu.rank(), key, rows, why);
            }
        }
        return rows.size() == i.evidence().size() ? i : i.explained(why.toString(), rows, uuids(i, shape));
    }

    private List<GpuRef> uuids(Incident i, JobShape shape) {
        return i.gpus().stream()
                .map(g -> {
                    Key key = find(g, shape);
                    return key == null || key.uuid().isEmpty()
                            ? g
                            : new GpuRef(g.rank(), g.host(), g.index(), key.uuid());
                })
                .toList();
    }

    private @Nullable Key find(GpuRef gpu, JobShape shape) {
        Set<Key> found = new HashSet<>();
        String host = gpu.host() == null ? "" : gpu.host();
        boolean anyHost = host.isEmpty() && shape.hostCount() == 0 && hosts.size() == 1;
        for (Key key : gpus.keySet()) {
            boolean same = anyHost || (!host.isEmpty() && sameHost(host, key.host()));
            if (gpu.uuid() != null
                    ? gpu.uuid().equals(key.uuid())
                    : same && gpu.index() >= 0 && gpu.index() == key.index()) {
                found.add(key);
            }
        }
        return found.size() == 1 ? found.iterator().next() : null;
    }

    private static boolean sameHost(String a, String b) {
        return a.equals(b) || (!b.isEmpty() && bare(a).equals(bare(b)));
    }

    private static String bare(String host) {
        int dot = host.indexOf('.');
        boolean address = host.matches("[0-9.:]+");
        return dot > 0 && !address ? host.substring(0, dot) : host;
    }

    private void rows(int rank, Key key, List<Evidence> rows, StringBuilder why) {
        String of = " of rank " + rank + "'s GPU";
        long reasons = (long) last(key, "CLOCK_THROTTLE_REASONS", "CLOCKS_EVENT_REASONS");
        String throttled = reasons(reasons & ~IDLE_REASON);
        if (!throttled.isEmpty()) {
            long others = gpus.keySet().stream()
                    .filter(k -> !k.equals(key))
                    .filter(k -> (((long) last(k, "CLOCK_THROTTLE_REASONS", "CLOCKS_EVENT_REASONS"))
                                    & reasons
                                    & ~IDLE_REASON)
                            != 0)
                    .count();
            rows.add(new Evidence(
                    "throttle reasons" + of + ": " + throttled,
                    reasons,
                    "1",
                    "other GPUs with one of them: " + others,
                    Double.NaN));
            why.append(" Its GPU is throttled: ").append(throttled).append('.');
        }
        boolean idle = (reasons & IDLE_REASON) != 0 || last(key, "GPU_UTIL") == 0;
        clock(rows, key, of, idle, "SM_CLOCK");
        clock(rows, key, of, idle, "MEM_CLOCK");
        hot(rows, key, of, "GPU_TEMP");
        hot(rows, key, of, "MEMORY_TEMP");
        for (String error : ERRORS) {
            double count = last(key, error);
            if (count > 0) {
                rows.add(new Evidence(
                        error + of, count, "1", "median of the other GPUs: " + plain(others(key, error)), Double.NaN));
            }
        }
        for (String link : List.of("PCIE_LINK_GEN", "PCIE_LINK_WIDTH")) {
            double value = last(key, link);
            double median = others(key, link);
            if (value > 0 && value < median) {
                rows.add(new Evidence(link + of, value, "1", "median of the other GPUs: " + plain(median), median));
            }
        }
    }

    private void clock(List<Evidence> rows, Key key, String of, boolean idle, String metric) {
        double value = last(key, metric);
        double median = others(key, metric);
        if (!idle && value > 0 && value <= LOW_CLOCK * median) {
            rows.add(new Evidence(
                    metric + of, value, "MHz", "median of the other GPUs: " + plain(median), LOW_CLOCK * median));
        }
    }

    private void hot(List<Evidence> rows, Key key, String of, String metric) {
        double value = last(key, metric);
        double median = others(key, metric);
        if (value >= median + HOTTER) {
            rows.add(new Evidence(
                    metric + of, value, "C", "median of the other GPUs: " + plain(median), median + HOTTER));
        }
    }

    private static String reasons(long bits) {
        List<String> words = new ArrayList<>();
        for (int b = 1; b < REASONS.length; b++) {
            if ((bits >> b & 1) != 0) {
                words.add(REASONS[b]);
            }
        }
        return String.join(", ", words);
    }

    /** Newest value of the first of these metrics that the GPU has, or NaN. */
    private double last(Key key, String... metrics) {
        for (String name : metrics) {
            Metric m = gpus.getOrDefault(key, new TreeMap<>()).get(DEVICE + name);
            if (m != null && m.count() > 0) {
                return m.last();
            }
        }
        return Double.NaN;
    }

    private double others(Key key, String metric) {
        return Robust.median(gpus.keySet().stream()
                .filter(k -> !k.equals(key))
                .mapToDouble(k -> last(k, metric))
                .filter(v -> !Double.isNaN(v))
                .toArray());
    }
}
