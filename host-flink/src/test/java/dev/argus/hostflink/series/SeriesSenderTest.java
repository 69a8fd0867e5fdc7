package dev.argus.hostflink.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.hostflink.JobSeries;
import dev.argus.hostflink.SeriesBytes;
import dev.argus.hostlocal.metrics.Metric;
import dev.argus.testkit.Eventually;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Series on their way to a receiver, read there with decoders that are not ours. */
class SeriesSenderTest {
    private static final long AT = 1_700_000_000_000L;

    @TempDir
    Path folder;

    private final Counter sent = new SimpleCounter();
    private final Counter refused = new SimpleCounter();
    private final Counter failures = new SimpleCounter();
    private final SeriesQueue queue = new SeriesQueue(1 << 20);
    private final List<AutoCloseable> open = new ArrayList<>();
    private Receiver receiver;

    @BeforeEach
    void listen() throws IOException {
        receiver = new Receiver();
        open.add(receiver);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private void send(RemoteWrite to) {
        open.add(new SeriesSender(to, queue, new SeriesSender.Counts(sent, refused, failures)));
    }

    private void send() {
        send(new RemoteWrite(receiver.address(), null));
    }

    private void settled() throws InterruptedException {
        Eventually.holds("all is settled", () -> queue.samples() == 0);
    }

    /** Expected ranks, and lost records of some reasons, at a moment. */
    private static JobSeries moment(String job, int second, double value, String... reasons) {
        SeriesBytes to = new SeriesBytes();
        to.gauge(Metric.RANKS_EXPECTED, value, job);
        to.gauge(Metric.RANKS_EXPECTED, value + 1, job); // there already
        for (String reason : reasons) {
            to.counter(Metric.DROPPED, 3, job, reason);
        }
        return new JobSeries(job, AT + second * 1000L, 0, to.toByteArray());
    }

    private Map<Long, Double> values(String... labels) {
        Map<String, String> of = new TreeMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            of.put(labels[i], labels[i + 1]);
        }
        Map<Long, Long> bits = receiver.series(of);
        if (bits == null) {
            throw new AssertionError(of + " is not among " + receiver.all().keySet());
        }
        Map<Long, Double> values = new TreeMap<>();
        bits.forEach((at, value) -> values.put((at - AT) / 1000, Double.longBitsToDouble(value)));
        return values;
    }

    private Map<Long, Double> expected(String job) {
        return values("__name__", "argus_ranks_expected", "job", job);
    }

    @Test
    void whatIsSentIsReadByOthers() throws Exception {
        SeriesBytes to = new SeriesBytes();
        to.gauge(Metric.RANKS_EXPECTED, 12_960, "größe");
        to.counter(Metric.DROPPED, -1, "größe", "frame-missing");
        to.spread(Metric.PHASE, 0.5, Double.NaN, 64, "größe", "forward");
        to.gauge(Metric.SCORE, 1.4, "größe", "3", ""); // an empty label is none
        queue.add(new JobSeries("größe", AT, 0, to.toByteArray()));
        send();
        settled();
        assertThat(expected("größe")).containsExactly(Map.entry(0L, 12_960.0));
        assertThat(values("__name__", "argus_records_dropped_total", "job", "größe", "reason", "frame-missing"))
                .containsExactly(Map.entry(0L, 0.0));
        String phase = "argus_phase_duration_seconds";
        assertThat(values("__name__", phase, "job", "größe", "phase", "forward", "quantile", "0.5"))
                .containsValue(0.5);
        assertThat(values("__name__", phase, "job", "größe", "phase", "forward", "quantile", "1.0"))
                .containsValue(Double.NaN);
        assertThat(values("__name__", phase + "_count", "job", "größe", "phase", "forward"))
                .containsValue(64.0);
        assertThat(values("__name__", "argus_straggler_score", "job", "größe", "rank", "3"))
                .containsValue(1.4);
        assertThat(receiver.headers().getFirst())
                .containsEntry("Content-Encoding", "snappy")
                .containsEntry("Content-Type", "application/x-protobuf")
                .containsEntry("X-Prometheus-Remote-Write-Version", "0.1.0")
                .doesNotContainKey("Authorization");
        assertThat(sent.getCount()).isEqualTo(6);
    }

    @Test
    void whatAReceiverMayTakeLaterIsTriedAgainInOrder() throws Exception {
        receiver.answering(n -> n == 0 ? 503 : n == 1 ? 429 : 200);
        for (int i = 0; i < 4; i++) {
            queue.add(moment("a", 10 * i, i));
            queue.add(moment("b", 10 * i, i));
        }
        send();
        settled();
        assertThat(expected("a")).isEqualTo(Map.of(0L, 0.0, 10L, 1.0, 20L, 2.0, 30L, 3.0));
        assertThat(expected("b")).isEqualTo(expected("a"));
        assertThat(failures.getCount()).isEqualTo(2);
        assertThat(refused.getCount()).isZero();
        assertThat(receiver.answers()).startsWith(503, 429).doesNotContain(400).hasSize(6);
    }

    @Test
    void whatIsRefusedIsLeftOutAndTheRestIsNot() throws Exception {
        send();
        queue.add(moment("a", 20, 1));
        settled();
        // Said again after a failure: what is older, and the same time with another lag. The other job has not been
        // told of.
        queue.add(moment("a", 10, 5));
        queue.add(moment("b", 10, 6));
        queue.add(moment("a", 20, 7));
        queue.add(moment("a", 30, 8));
        settled();
        assertThat(expected("a")).isEqualTo(Map.of(20L, 1.0, 30L, 8.0));
        assertThat(expected("b")).isEqualTo(Map.of(10L, 6.0));
        assertThat(refused.getCount()).isEqualTo(2);
        assertThat(sent.getCount()).isEqualTo(3);
        assertThat(failures.getCount()).isZero();
    }

    @Test
    void aSeriesThatIsOverEndsWithAMark() throws Exception {
        send();
        queue.add(moment("a", 0, 1, "x", "y"));
        queue.add(moment("a", 10, 2, "y"));
        queue.add(new JobSeries("a", AT + 20_000, 0, new byte[0]));
        queue.add(new JobSeries("a", AT + 30_000, 0, new byte[0])); // nothing is left to end
        settled();
        Map<Long, Long> x =
                receiver.series(Map.of("__name__", "argus_records_dropped_total", "job", "a", "reason", "x"));
        assertThat(x).containsEntry(AT + 10_000, SeriesQueue.STALE).hasSize(2);
        Map<Long, Long> ranks = receiver.series(Map.of("__name__", "argus_ranks_expected", "job", "a"));
        assertThat(ranks).containsEntry(AT + 20_000, SeriesQueue.STALE).hasSize(3);
    }

    @Test
    void whereThereIsNoRoomTheOldestGoes() throws Exception {
        SeriesQueue small = new SeriesQueue(500);
        long dropped = 0;
        for (int i = 0; i < 50; i++) {
            dropped += small.add(moment("a", 10 * i, i));
        }
        assertThat(dropped).isBetween(30L, 49L);
        assertThat(small.samples()).isEqualTo(50 - dropped);
        assertThat(small.next().getFirst().atMillis()).isEqualTo(AT + dropped * 10_000);
        assertThat(small.behindMillis()).isEqualTo((49 - dropped) * 10_000);
    }

    @Test
    void whatWaitsIsTakenUpAgain() throws Exception {
        queue.add(moment("a", 0, 1));
        queue.add(moment("a", 10, 2));
        assertThat(queue.next()).hasSize(1); // under way, and so not settled
        List<byte[]> state = queue.snapshot();
        SeriesQueue again = new SeriesQueue(1 << 20);
        state.forEach(s -> again.restore(SeriesQueue.read(s)));
        assertThat(again.samples()).isEqualTo(2);
        assertThat(again.snapshot()).usingRecursiveComparison().isEqualTo(state);
        byte[] damaged = state.getFirst();
        damaged[3] ^= 1;
        assertThatThrownBy(() -> SeriesQueue.read(damaged)).isInstanceOf(WireException.class);
    }

    @Test
    void theTokenIsReadForEachRequest() throws Exception {
        Path file = folder.resolve("token");
        RemoteWrite to = new RemoteWrite(receiver.address(), file.toString());
        send(to);
        queue.add(moment("a", 0, 1)); // there is no token yet: it waits
        Eventually.holds("a try failed", () -> failures.getCount() > 0);
        Files.writeString(file, "first\n");
        settled();
        Files.writeString(file, "second");
        queue.add(moment("a", 10, 1));
        settled();
        assertThat(receiver.headers())
                .extracting(h -> h.get("Authorization"))
                .containsExactly("Bearer first", "Bearer second");
        assertThat(to.toString()).contains(file.toString()).doesNotContain("first");
    }

    /** Throws twice what nobody foresaw, and goes on. */
    private static final class OddWay implements SeriesSender.Way {
        private final RemoteWriteClient real;
        private int asked;

        OddWay(RemoteWriteClient real) {
            this.real = real;
        }

        @Override
        public RemoteWriteClient.Answer post(byte[] request) throws IOException, InterruptedException {
            asked++;
            if (asked == 1) {
                throw new IllegalStateException("odd");
            }
            if (asked == 2) {
                throw new UnsatisfiedLinkError("no native library here");
            }
            return real.post(request);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** What nobody foresaw costs time, and no sample: a sender whose thread has ended would say nothing for ever. */
    @Test
    void whatNobodyForesawIsTriedAgain() throws Exception {
        RemoteWrite to = new RemoteWrite(receiver.address(), null);
        OddWay odd = new OddWay(new RemoteWriteClient(to));
        open.add(new SeriesSender(to, queue, new SeriesSender.Counts(sent, refused, failures), odd));
        queue.add(moment("a", 0, 1));
        settled();
        assertThat(failures.getCount()).isEqualTo(2);
        assertThat(receiver.headers()).hasSize(1);
    }

    @Test
    void addressesAreChecked() {
        for (String wrong :
                List.of("prometheus:9090", "ftp://a/x", "/api/v1/write", "http://user:pw@a:9090/w", "https:///w")) {
            assertThatThrownBy(() -> new RemoteWrite(URI.create(wrong), null))
                    .hasMessageContaining("--remote-write")
                    .hasMessageContaining("expected http(s)://HOST:PORT/PATH")
                    .hasMessageNotContaining("pw@");
        }
        assertThatThrownBy(() -> new RemoteWrite(URI.create("http://prometheus:9090/api/v1/write"), "/etc/token"))
                .hasMessageContaining("in the clear");
        assertThatThrownBy(() -> new RemoteWrite(URI.create("https://prometheus/api/v1/write"), "token"))
                .hasMessageContaining("expected an absolute path");
        assertThat(new RemoteWrite(URI.create("http://prometheus:9090/api/v1/write"), null).tokenFile())
                .isNull();
    }
}
