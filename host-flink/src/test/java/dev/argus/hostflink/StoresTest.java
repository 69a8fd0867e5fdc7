package dev.argus.hostflink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostflink.replay.ReplayScript;
import dev.argus.hostflink.replay.ReplaySource;
import dev.argus.hostflink.replay.SmallFlink;
import dev.argus.hostflink.series.Receiver;
import dev.argus.hostflink.series.RemoteWrite;
import dev.argus.hostflink.series.SeriesOperator;
import dev.argus.hostflink.summaries.StoredSteps;
import dev.argus.hostflink.summaries.Summaries;
import dev.argus.hostflink.summaries.SummaryOperator;
import dev.argus.simulator.ScenarioKind;
import dev.argus.storage.Rows;
import dev.argus.testkit.Eventually;
import dev.argus.testkit.s3.S3Server;
import dev.argus.wire.Shipment;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Numbers to a receiver of remote writes and steps to a real S3 server, from Flink: the receiver away while it fails, then a savepoint and another parallelism. What is stored in the end is what a plain run says: no sample is
 * missing, no step is missing or there twice.
 */
class StoresTest {
    private static final long BEGIN = Played.BEGIN_MILLIS;
    private static final List<String> JOBS = List.of("alpha", "b/eta");
    private static final List<String> OF_THE_SDK = List.of("aws.accessKeyId", "aws.secretAccessKey");

    @TempDir
    Path folder;

    private S3Server s3;
    private Receiver receiver;
    private @Nullable SmallFlink flink;

    @BeforeEach
    void start() throws Exception {
        s3 = new S3Server(Files.createDirectories(folder.resolve("s3")));
        receiver = new Receiver();
        System.setProperty(OF_THE_SDK.get(0), S3Server.NAME);
        System.setProperty(OF_THE_SDK.get(1), S3Server.SECRET);
    }

    @AfterEach
    void end() {
        if (flink != null) {
            flink.close();
        }
        OF_THE_SDK.forEach(System::clearProperty);
        receiver.close();
        s3.close();
    }

    private void run(ReplayScript script, int parallelism, @Nullable String savepoint) throws Exception {
        Configuration conf = SmallFlink.configuration(folder);
        conf.setString("io.tmp.dirs", folder.resolve("tmp").toString());
        if (savepoint != null) {
            conf.setString("execution.state-recovery.path", savepoint);
        }
        if (flink != null) {
            flink.close();
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(parallelism, conf);
        DataStream<Said> said = ArgusOnFlink.diagnose(
                env,
                new ReplaySource(script),
                ArgusOnFlink.brokerTimes(),
                HostOptions.DEFAULT,
                5000,
                null,
                new Beside(true, true));
        said.sinkTo(new DiscardingSink<>());
        SeriesOperator.behind(ArgusOnFlink.series(said), new RemoteWrite(receiver.address(), null));
        SummaryOperator.behind(
                ArgusOnFlink.steps(said),
                new Summaries(URI.create("s3://" + S3Server.BUCKET + "/cluster"), s3.address(), 10_000));
        flink = SmallFlink.start(env.getStreamGraph().getJobGraph(), parallelism, conf);
    }

    private SmallFlink running() {
        if (flink == null) {
            throw new IllegalStateException("not started");
        }
        return flink;
    }

    private StoredSteps stored() {
        return new StoredSteps(
                folder.resolve("s3/buckets").resolve(S3Server.BUCKET).resolve("cluster"));
    }

    /** What a plain run says. */
    private static final class Expected implements HostedJob.Out {
        final Map<Map<String, String>, Map<Long, Double>> series = new HashMap<>();
        final List<Rows.Step> steps = new ArrayList<>();
        final List<Rows.Phase> phases = new ArrayList<>();

        @Override
        public void say(Said said) {}

        @Override
        public boolean wantsSeries() {
            return true;
        }

        @Override
        public void series(JobSeries of) {
            if (of.samples().length > 0) {
                Receiver.labelled(SeriesBytes.read(of.samples()))
                        .forEach((labels, value) -> series.computeIfAbsent(labels, l -> new TreeMap<>())
                                .put(of.atMillis(), value));
            }
        }

        @Override
        public boolean wantsSteps() {
            return true;
        }

        @Override
        public void step(KeptStep step) {
            KeptStep.read(step.job(), step.rows(), steps, phases);
        }
    }

    private static Expected expected(ReplayScript script) {
        Expected expected = new Expected();
        for (String job : JOBS) {
            List<Arrival> of = script.inOrder().stream()
                    .filter(a -> a.isTick() || Shipment.decode(a.bytes()).job().equals(job))
                    .toList();
            new PlainRun(job, HostOptions.DEFAULT).judge(of, 5000, expected);
        }
        return expected;
    }

    /** The newest moment that was stored of a job. */
    private long newest(String job) {
        Map<Long, Long> of = receiver.series(Map.of("__name__", "argus_ranks_reporting", "job", job));
        return of == null ? 0 : new TreeMap<>(of).lastKey();
    }

    private void untilStored(long atMillis) throws InterruptedException {
        for (String job : JOBS) {
            Eventually.holds(job + " until " + atMillis, () -> newest(job) >= atMillis);
        }
    }

    @Test
    void nothingIsMissingAndNoStepIsThereTwice() throws Exception {
        Played played = new Played(4)
                .add(FlinkContractTest.shipped("alpha", ScenarioKind.COMPUTE, 4000))
                .add(FlinkContractTest.shipped("b/eta", ScenarioKind.NIC, 4001));
        ReplayScript script = played.script();
        Expected expected = expected(script);
        script.stopAt(BEGIN + 30_000);
        long before = script.inOrder().stream()
                .filter(a -> a.atMillis() < BEGIN + 30_000)
                .count();
        run(script, 2, null);
        untilStored(BEGIN + 20_000);
        Eventually.holds("first files", () -> !stored().files().isEmpty());

        // The receiver is away, and it fails meanwhile.
        receiver.answering(n -> 503);
        script.failAt(before + 200);
        script.goOn();
        script.stopAt(BEGIN + 70_000);
        Eventually.holds("it failed", script::hasFailed);
        Eventually.holds("it goes on", () -> script.played() > 2 * before);
        long held = newest("alpha");
        receiver.answering(n -> 200);
        assertThat(held).as("nothing came meanwhile").isLessThan(BEGIN + 40_000);
        untilStored(BEGIN + 60_000);

        String savepoint = running()
                .client()
                .stopWithSavepoint(
                        false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(120, TimeUnit.SECONDS);
        script.goOn();
        run(script, 1, savepoint);
        untilStored(played.endMillis() - 1000);
        Eventually.holds("all steps", () -> stored().steps().size() >= expected.steps.size());

        assertThat(stored().steps()).containsExactlyInAnyOrderElementsOf(expected.steps);
        assertThat(stored().phases()).containsExactlyInAnyOrderElementsOf(expected.phases);
        assertThat(expected.steps).hasSizeGreaterThan(60);
        assertThat(stored().files())
                .allMatch(f -> f.matches(
                        "parquet/(alpha|b=2Feta)/(steps|phases)-[0-9]{8}T[0-9]{6}Z-[0-9a-f]+-[0-9]+\\.parquet"));
        sameSeries(expected);
        script.close();
    }

    private void sameSeries(Expected expected) {
        Map<Map<String, String>, Map<Long, Double>> stored = new HashMap<>();
        receiver.all().forEach((labels, bits) -> {
            Map<Long, Double> values = new TreeMap<>();
            bits.forEach((at, value) -> {
                if (value != Receiver.STALE) {
                    values.put(at, Double.longBitsToDouble(value));
                }
            });
            stored.put(labels, values);
        });
        assertThat(stored.keySet()).isEqualTo(expected.series.keySet());
        expected.series.forEach((labels, values) -> {
            String name = labels.getOrDefault("__name__", "");
            Map<Long, Double> of = stored.getOrDefault(labels, Map.of());
            if (name.equals("argus_window_lag_seconds")) {
                assertThat(of.keySet())
                        .as("%s", labels)
                        .isEqualTo(values.keySet()); // values are of the machine's clock
            } else if (name.startsWith("argus_last_step") || name.startsWith("argus_phase")) {
                // After a restart they are not known until the next step.
                assertThat(values).as("%s", labels).containsAllEntriesOf(of);
            } else {
                assertThat(of).as("%s", labels).isEqualTo(values);
            }
        });
    }
}
