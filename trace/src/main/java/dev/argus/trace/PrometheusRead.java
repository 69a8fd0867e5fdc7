package dev.argus.trace;

import dev.argus.model.NameTable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** GPU metrics in an answer of Prometheus' HTTP API: an instant query (vector) or one over a range (matrix). */
final class PrometheusRead {
    private final TraceFile file;
    private final NameTable names;
    private final SideOutcome out;
    private final GpuMetrics metrics = new GpuMetrics();
    private long others;

    PrometheusRead(TraceFile file, NameTable names) {
        this.file = file;
        this.names = names;
        this.out = new SideOutcome(file, "prometheus");
    }

    ReadOutcome run() {
        try {
            byte[] bytes = SideBytes.of(file);
            return answer(JsonTree.parse(bytes, 0, bytes.length));
        } catch (JsonError broken) {
            return out.failed(
                    "an answer of Prometheus that is cut or broken at byte " + broken.offset() + ": " + broken.text());
        } catch (IOException broken) {
            return out.failed("an answer of Prometheus, unreadable: " + FileRead.reason(broken));
        }
    }

    private ReadOutcome answer(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)
                || !(map.get("data") instanceof Map<?, ?> data)
                || !(data.get("result") instanceof List<?> results)
                || !(data.get("resultType") instanceof String)) {
            return out.ignored("JSON, but no answer of Prometheus: no data with a result");
        }
        for (Object result : results) {
            if (result instanceof Map<?, ?> series && series.get("metric") instanceof Map<?, ?> labels) {
                series(series, texts(labels));
            }
        }
        if (metrics.isEmpty()) {
            return out.ignored("an answer of Prometheus without metrics of GPUs (" + GpuMetrics.PREFIX + "...)");
        }
        if (others > 0) {
            out.problem("other-metrics", -1, others + " series are of no GPU metric and were left out");
        }
        metrics.remarks(out);
        return out.read(Status.COMPLETE, PySpyRead.header(file, -1), metrics.records(names), file.bytes());
    }

    private static Map<String, String> texts(Map<?, ?> labels) {
        Map<String, String> texts = new HashMap<>();
        labels.forEach((key, value) -> {
            if (key instanceof String name && value instanceof String text) {
                texts.put(name, text);
            }
        });
        return texts;
    }

    private void series(Map<?, ?> series, Map<String, String> labels) {
        String name = labels.getOrDefault("__name__", "");
        if (!name.startsWith(GpuMetrics.PREFIX)) {
            others++;
        } else if (series.get("values") instanceof List<?> values) {
            values.forEach(v -> sample(name, labels, v));
        } else {
            sample(name, labels, series.get("value"));
        }
    }

    private void sample(String name, Map<String, String> labels, @Nullable Object pair) {
        if (pair instanceof List<?> list && list.size() == 2) {
            double seconds = list.get(0) instanceof Number n ? n.doubleValue() : 0;
            boolean real = seconds > 0 && seconds < 9e9;
            metrics.add(name, labels, number(list.get(1)), real ? Math.round(seconds * 1000) * 1_000_000L : 0);
        }
    }

    private static double number(@Nullable Object value) {
        try {
            return Double.parseDouble(value instanceof String text ? text.replace("Inf", "Infinity") : "NaN");
        } catch (NumberFormatException none) {
            return Double.NaN;
        }
    }
}
