package dev.argus.trace;

import dev.argus.model.NameTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * GPU metrics in the text format of Prometheus, as dcgm-exporter serves them: {@code NAME{label="value",...} number [milliseconds]}. Other
 * metrics of the text are passed over; lines that are broken are counted.
 */
final class DcgmText {
    private final TraceFile file;
    private final NameTable names;
    private final GpuMetrics metrics = new GpuMetrics();
    private long broken;

    DcgmText(TraceFile file, NameTable names) {
        this.file = file;
        this.names = names;
    }

    /** True if text has a sample of such a metric. */
    static boolean recognises(String text) {
        return text.lines().anyMatch(l -> l.startsWith(GpuMetrics.PREFIX) && l.indexOf('{') > 0);
    }

    ReadOutcome run(List<String> lines) {
        SideOutcome out = new SideOutcome(file, "dcgm-exporter");
        for (String line : lines) {
            if (line.startsWith(GpuMetrics.PREFIX)) {
                sample(line);
            }
        }
        if (metrics.isEmpty()) {
            return out.failed("GPU metrics without any sample that names a GPU");
        }
        if (broken > 0) {
            out.problem("broken-lines", -1, broken + " lines are cut or broken and were left out");
        }
        metrics.remarks(out);
        return out.read(Status.COMPLETE, PySpyRead.header(file, -1), metrics.records(names), file.bytes());
    }

    private void sample(String line) {
        int open = line.indexOf('{');
        Map<String, String> labels = new HashMap<>();
        int close = open < 0 ? -1 : labels(line, open + 1, labels);
        if (close < 0) {
            broken++;
            return;
        }
        String[] rest = line.substring(close + 1).strip().split("\\s+", 3);
        try {
            double value = Double.parseDouble(rest[0].replace("Inf", "Infinity"));
            long nanos = rest.length > 1 ? Math.multiplyExact(Long.parseLong(rest[1]), 1_000_000L) : 0;
            metrics.add(line.substring(0, open).strip(), labels, value, Math.max(0, nanos));
        } catch (NumberFormatException | ArithmeticException notANumber) {
            broken++;
        }
    }

    /** Reads labels from a place on; returns where they close, -1 if they do not. */
    private static int labels(String line, int from, Map<String, String> to) {
        int at = from;
        while (at < line.length() && line.charAt(at) != '}') {
            int equals = line.indexOf('=', at);
            if (equals < 0 || equals + 1 >= line.length() || line.charAt(equals + 1) != '"') {
                return -1;
            }
            StringBuilder value = new StringBuilder();
            int end = equals + 2;
            while (end < line.length() && line.charAt(end) != '"') {
                if (line.charAt(end) == '\\' && end + 1 < line.length()) {
                    end++;
                }
                value.append(line.charAt(end++));
            }
            if (end >= line.length()) {
                return -1;
            }
            to.put(line.substring(at, equals).strip(), value.toString());
            at = end + 1;
            while (at < line.length() && (line.charAt(at) == ',' || line.charAt(at) == ' ')) {
                at++;
            }
        }
        return at < line.length() ? at : -1;
    }
}
