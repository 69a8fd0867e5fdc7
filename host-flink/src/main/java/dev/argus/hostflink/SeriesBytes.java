package dev.argus.hostflink;

import dev.argus.hostlocal.metrics.Metric;
import dev.argus.hostlocal.metrics.SampleSink;
import dev.argus.wire.ProtoBuffer;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Series of one moment as bytes: for each its labels, already as the fields {@code labels} of a {@code TimeSeries} of Prometheus' remote write, sorted by name, none of them empty; and its value. What comes twice counts once.
 */
@SuppressWarnings("ByteBufferBackingArray") // each wraps an array of its own
public final class SeriesBytes implements SampleSink {
    private static final int LABELS = 1;
    private static final int NAME = 1;
    private static final int VALUE = 2;

    private final Map<ByteBuffer, Double> values = new LinkedHashMap<>();
    private final ProtoBuffer buffer = new ProtoBuffer();
    private int leftOut;

    /** Without any. */
    public SeriesBytes() {}

    @Override
    public void gauge(Metric metric, double value, String... labels) {
        add(metric, metric.text(), "", value, labels);
    }

    @Override
    public void counter(Metric metric, double value, String... labels) {
        add(metric, metric.text(), "", Math.max(0, value), labels);
    }

    @Override
    public void spread(Metric metric, double median, double max, long count, String... labels) {
        add(metric, metric.text(), "0.5", median, labels);
        add(metric, metric.text(), "1.0", max, labels);
        add(metric, metric.text() + "_count", "", (double) Math.max(0, count), labels);
    }

    @Override
    public void leaveOut(Metric metric, long count) {
        leftOut += (int) Math.min(count, Integer.MAX_VALUE - leftOut);
    }

    /** Series that had no room. */
    int leftOut() {
        return leftOut;
    }

    private void add(Metric metric, String name, String quantile, double value, String... labels) {
        Map<String, String> sorted = new TreeMap<>();
        sorted.put("__name__", name);
        sorted.put("quantile", quantile);
        for (int i = 0; i < labels.length; i++) {
            sorted.put(metric.labels().get(i), labels[i]);
        }
        buffer.clear();
        sorted.forEach((of, text) -> {
            if (!text.isEmpty()) {
                int label = buffer.open(LABELS);
                buffer.text(NAME, of);
                buffer.text(VALUE, text);
                buffer.close(label);
            }
        });
        byte[] bytes = new byte[buffer.size()];
        System.arraycopy(buffer.bytes(), 0, bytes, 0, bytes.length);
        values.putIfAbsent(ByteBuffer.wrap(bytes), value);
    }

    /** All of them. */
    public byte[] toByteArray() {
        WireWriter to = new WireWriter();
        to.writeVarint(values.size());
        values.forEach((labels, value) -> to.writeBytes(labels.array()).writeDouble(value));
        return to.toByteArray();
    }

    /**
     * Values by their labels.
     *
     * @throws WireException if the bytes are something else
     */
    public static Map<ByteBuffer, Double> read(byte[] samples) {
        WireReader from = new WireReader(samples);
        Map<ByteBuffer, Double> all = new LinkedHashMap<>();
        for (int n = from.readCount(9); n > 0; n--) {
            all.put(ByteBuffer.wrap(from.readBytes()), from.readDouble());
        }
        from.expectEnd();
        return all;
    }
}
