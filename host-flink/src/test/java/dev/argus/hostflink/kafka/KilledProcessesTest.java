package dev.argus.hostflink.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostflink.Arrival;
import dev.argus.hostflink.HostOptions;
import dev.argus.hostflink.PlainRun;
import dev.argus.hostflink.Said;
import dev.argus.simulator.LiveJobs;
import dev.argus.simulator.ShippedJob;
import dev.argus.simulator.ShippedJob.Shipped;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.kafka.KafkaBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Broker, ZooKeeper, JobManager and two TaskManagers as processes, and a job of 1,024 ranks whose frames go to Kafka as they are made. A TaskManager, the JobManager and the broker are killed, one after the other, and started
 * again. What is committed in the end is held against what the recorded frames give when they are judged at once, in this process: nothing is lost, nothing is there twice, nothing differs.
 */
@Requires(Need.CLUSTER_MEMORY)
class KilledProcessesTest {
    private static final int RANKS = Integer.getInteger("argus.flink.ranks", 1024);
    private static final int STEPS = 56;
    private static final long STEP_MILLIS = 500;
    private static final long GAP_MILLIS = 5000;
    private static final long SECOND = 1_000_000_000L;
    /** Metrics in which the last conclusion is drawn. */
    private static final int CONCLUDED = 2;

    private static final String JOB = "killed";
    private static final HostOptions OPTIONS = HostOptions.DEFAULT.telling(2 * SECOND);

    @TempDir
    Path folder;

    private static List<Shipped> shipments() {
        return ShippedJob.of(
                        JOB, LiveJobs.recorded(RANKS, 5, 1, STEPS), 0, STEP_MILLIS * 1_000_000, ShippedJob.Way.PLAIN)
                .shipments();
    }

    /** Sends shipments at their times. */
    private static Thread sender(String brokers, List<Shipped> shipments, AtomicLong sent) {
        Thread thread = new Thread(() -> {
            try (KafkaProducer<byte[], byte[]> producer = Topics.producer(brokers)) {
                long begin = System.nanoTime();
                for (Shipped s : shipments) {
                    long wait = s.atNanos() - (System.nanoTime() - begin);
                    if (wait > 0) {
                        TimeUnit.NANOSECONDS.sleep(wait);
                    }
                    var _ = producer.send(
                            new ProducerRecord<>("argus-frames", (JOB + "/" + s.host()).getBytes(UTF_8), s.bytes()),
                            (kept, problem) -> {
                                if (problem == null) {
                                    sent.incrementAndGet();
                                }
                            });
                }
                producer.flush();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void waitUntil(AtomicLong sent, long shipments) throws InterruptedException {
        long end = System.nanoTime() + 120 * SECOND;
        while (sent.get() < shipments && System.nanoTime() < end) {
            Thread.sleep(Duration.ofMillis(50));
        }
        assertThat(sent.get()).isGreaterThanOrEqualTo(shipments);
    }

    @Test
    void nothingIsLostAndNothingIsThereTwice() throws Exception {
        CompletableFuture<List<Shipped>> made = CompletableFuture.supplyAsync(KilledProcessesTest::shipments);
        try (KafkaBroker broker = KafkaBroker.in(folder.resolve("broker"));
                FlinkProcesses flink = new FlinkProcesses(folder.resolve("flink"))) {
            Topics.make(broker.bootstrap(), 4);
            flink.startZooKeeper();
            flink.startJobManager();
            flink.startTaskManager("tm1");
            flink.startTaskManager("tm2");
            submit(broker.bootstrap(), flink);
            List<Shipped> shipments = made.get();
            AtomicLong sent = new AtomicLong();
            Thread sender = sender(broker.bootstrap(), shipments, sent);
            long step = shipments.size() / (STEPS + 1);
            waitUntil(sent, 13 * step);
            flink.kill("tm1");
            flink.startTaskManager("tm1");
            waitUntil(sent, 27 * step);
            flink.kill("jobmanager");
            flink.startJobManager();
            waitUntil(sent, 41 * step);
            broker.kill();
            broker.start();
            waitUntil(sent, shipments.size());
            sender.join();
            Settled settled = settled(broker.bootstrap(), flink);
            List<String> committed = settled.changes();
            assertThat(flink.allRun()).as(flink.logs()).isTrue();
            List<Arrival> frames = Topics.frames(broker.bootstrap());
            List<String> expected = judgedAtOnce(frames);
            List<String> due =
                    expected.stream().filter(c -> at(c) <= settled.atNanos()).toList();
            assertThat(committed.size()).as(flink.logs()).isGreaterThanOrEqualTo(due.size());
            assertThat(committed).isEqualTo(expected.subList(0, committed.size()));
            assertThat(committed.stream().filter(c -> c.contains("\"change\":\"opened\"")))
                    .as("each fault of the simulation")
                    .hasSizeGreaterThanOrEqualTo(3);
        }
    }

    private static List<String> judgedAtOnce(List<Arrival> frames) {
        List<String> said = new ArrayList<>();
        List<Arrival> inOrder = frames.stream()
                .sorted(Comparator.comparingLong(Arrival::atMillis))
                .toList();
        new PlainRun(JOB, OPTIONS).play(inOrder, GAP_MILLIS, s -> {
            if (s.topic() == Said.INCIDENTS) {
                said.add(s.json());
            }
        });
        return said;
    }

    /**
     * What was committed.
     *
     * @param atNanos time of a job up to which everything was
     */
    private record Settled(long atNanos, List<String> changes) {}

    private static long at(String json) {
        return Long.parseLong(json.replaceFirst(".*?\"atEpochNanos\":([0-9]+).*", "$1"));
    }

    /** Everything committed, some time after the last step was told: the last conclusion comes behind it. */
    private static Settled settled(String brokers, FlinkProcesses flink) throws Exception {
        long end = System.nanoTime() + 90 * SECOND;
        int changes = 0;
        while (System.nanoTime() < end) {
            List<String> metrics = Topics.said(brokers, "argus-metrics");
            List<String> said = Topics.said(brokers, "argus-incidents");
            changes = said.size();
            String last = "\"newestStep\":" + (STEPS - 1) + ",";
            Optional<String> all = metrics.stream()
                    .filter(m -> m.contains(last))
                    .skip(CONCLUDED)
                    .findFirst();
            if (all.isPresent()) {
                return new Settled(at(all.get()), said);
            }
            Thread.sleep(Duration.ofMillis(500));
        }
        throw new AssertionError("the last step was not judged; " + changes + " changes\n" + flink.logs());
    }

    private void submit(String brokers, FlinkProcesses flink) throws Exception {
        JobSettings settings = JobSettings.of(
                        brokers, folder.resolve("checkpoints").toUri().toString())
                .with(OPTIONS, 1000);
        Configuration conf = KafkaJob.configuration(settings, 2);
        long end = System.nanoTime() + 60 * SECOND;
        while (true) {
            StreamExecutionEnvironment env =
                    StreamExecutionEnvironment.createRemoteEnvironment("127.0.0.1", flink.restPort(), conf);
            KafkaJob.build(env, settings);
            try {
                env.executeAsync("argus");
                return;
            } catch (Exception notYet) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(flink.logs(), notYet);
                }
                Thread.sleep(Duration.ofMillis(500));
            }
        }
    }
}
