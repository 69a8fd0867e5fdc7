package dev.argus.hostflink.series;

import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpServer;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Takes remote writes as Prometheus does: a request as a whole or not at all, refused for one sample that is older than the newest of its series, or of the same time with another value. Reads with the decoders of others.
 */
@SuppressWarnings("ByteBufferBackingArray") // each wraps an array of its own
public final class Receiver implements AutoCloseable {
    /** The mark at the end of a series. */
    public static final long STALE = 0x7ff0000000000002L;

    private final HttpServer http;
    private final List<Map<String, String>> headers = new ArrayList<>();
    private final Map<Map<String, String>, TreeMap<Long, Long>> stored = new HashMap<>();
    private final List<Integer> answers = new ArrayList<>();
    private ToIntFunction<Integer> status = n -> 200;
    private int requests;

    /** A sample as it came. */
    record Sample(Map<String, String> labels, double value, long bits, long atMillis) {}

    /** Listens on loopback. */
    public Receiver() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/api/v1/write", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Map<String, String> of = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            exchange.getRequestHeaders().forEach((name, values) -> of.put(name, values.getFirst()));
            int answer = take(of, body);
            if (answer == 429) {
                exchange.getResponseHeaders().set("Retry-After", "0");
            }
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        http.start();
    }

    /** Where it takes them. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/api/v1/write");
    }

    /** From now on requests, numbered from 0, get this status instead of being looked at; 200 for those that are. */
    public synchronized void answering(ToIntFunction<Integer> statusOfRequest) {
        status = statusOfRequest;
        requests = 0;
    }

    private synchronized int take(Map<String, String> of, byte[] body) throws IOException {
        headers.add(of);
        int answer = status.applyAsInt(requests++);
        if (answer == 200) {
            answer = store(decode(body)) ? 204 : 400;
        }
        answers.add(answer);
        return answer;
    }

    private boolean store(List<Sample> samples) {
        Set<Map<String, String>> seen = new HashSet<>();
        for (Sample s : samples) {
            TreeMap<Long, Long> known = stored.get(s.labels());
            boolean older = known != null
                    && (known.lastKey() > s.atMillis()
                            || (known.containsKey(s.atMillis()) && !Objects.equals(known.get(s.atMillis()), s.bits())));
            if (older || !seen.add(s.labels())) {
                return false;
            }
        }
        samples.forEach(
                s -> stored.computeIfAbsent(s.labels(), l -> new TreeMap<>()).put(s.atMillis(), s.bits()));
        return true;
    }

    static List<Sample> decode(byte[] body) throws IOException {
        byte[] plain = new byte[SnappyDecompressor.getUncompressedLength(body, 0)];
        new SnappyDecompressor().decompress(body, 0, body.length, plain, 0, plain.length);
        List<Sample> all = new ArrayList<>();
        for (var series : UnknownFieldSet.parseFrom(plain).getField(1).getLengthDelimitedList()) {
            UnknownFieldSet fields = UnknownFieldSet.parseFrom(series);
            Map<String, String> labels = labels(fields);
            for (var bytes : fields.getField(2).getLengthDelimitedList()) {
                UnknownFieldSet sample = UnknownFieldSet.parseFrom(bytes);
                long bits = sample.getField(1).getFixed64List().getFirst();
                all.add(new Sample(
                        labels,
                        Double.longBitsToDouble(bits),
                        bits,
                        sample.getField(2).getVarintList().getFirst()));
            }
        }
        return all;
    }

    private static Map<String, String> labels(UnknownFieldSet series) throws IOException {
        Map<String, String> labels = new TreeMap<>();
        String before = "";
        for (var bytes : series.getField(1).getLengthDelimitedList()) {
            UnknownFieldSet label = UnknownFieldSet.parseFrom(bytes);
            String name = label.getField(1).getLengthDelimitedList().getFirst().toStringUtf8();
            String value = label.getField(2).getLengthDelimitedList().getFirst().toStringUtf8();
            if (name.compareTo(before) <= 0 || value.isEmpty()) {
                throw new IOException("labels out of order, or empty: " + name);
            }
            before = name;
            labels.put(name, value);
        }
        return labels;
    }

    /** Values by labels that are not encoded. */
    public static Map<Map<String, String>, Double> labelled(Map<ByteBuffer, Double> values) {
        Map<Map<String, String>, Double> all = new HashMap<>();
        values.forEach((labels, value) -> {
            try {
                all.put(labels(UnknownFieldSet.parseFrom(labels.array())), value);
            } catch (IOException wrong) {
                throw new UncheckedIOException(wrong);
            }
        });
        return all;
    }

    synchronized List<Map<String, String>> headers() {
        return List.copyOf(headers);
    }

    synchronized List<Integer> answers() {
        return List.copyOf(answers);
    }

    /** Bits of values by time, of the series with these labels; null where there is none. */
    public synchronized @Nullable Map<Long, Long> series(Map<String, String> labels) {
        TreeMap<Long, Long> of = stored.get(labels);
        return of == null ? null : new TreeMap<>(of);
    }

    /** All series. */
    public synchronized Map<Map<String, String>, Map<Long, Long>> all() {
        Map<Map<String, String>, Map<Long, Long>> copy = new HashMap<>();
        stored.forEach((labels, values) -> copy.put(labels, new TreeMap<>(values)));
        return copy;
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
