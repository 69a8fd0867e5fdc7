package dev.argus.hostflink;

import dev.argus.hostflink.replay.ReplayScript;
import dev.argus.hostflink.replay.ReplaySource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.jspecify.annotations.Nullable;

/** The diagnosis on a small Flink in this process, with all that it says, what was said again after a failure included. */
final class Run {
    private static final Map<String, ConcurrentLinkedQueue<Said>> SAID = new ConcurrentHashMap<>();
    private static final long PATIENCE_SECONDS = 300;

    private final ReplayScript script;
    private final Path folder;
    private final HostOptions options;
    private final ConcurrentLinkedQueue<Said> said;
    private @Nullable JobClient client;

    Run(ReplayScript script, Path folder, HostOptions options) {
        this.script = script;
        this.folder = folder;
        this.options = options;
        this.said = SAID.computeIfAbsent(script.name(), n -> new ConcurrentLinkedQueue<>());
    }

    Run start(int parallelism, @Nullable String savepoint) throws Exception {
        Configuration conf = new Configuration();
        conf.setString("state.backend.type", "rocksdb");
        conf.setString("execution.checkpointing.incremental", "true");
        conf.setString("execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
        conf.setString("restart-strategy.type", "fixed-delay");
        conf.setString("restart-strategy.fixed-delay.attempts", "3");
        conf.setString("restart-strategy.fixed-delay.delay", "10 ms");
        conf.setString("pipeline.max-parallelism", "128");
        conf.setString("pipeline.auto-watermark-interval", "20 ms");
        conf.setString("pipeline.generic-types", "false");
        if (savepoint != null) {
            conf.setString("execution.state-recovery.path", savepoint);
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(parallelism, conf);
        env.enableCheckpointing(100);
        String name = script.name();
        ArgusOnFlink.diagnose(env, new ReplaySource(script), ArgusOnFlink.brokerTimes(), options, 5000, null)
                .map(s -> {
                    keep(name, s);
                    return s;
                })
                .returns(ArgusOnFlink.SAID)
                .sinkTo(new DiscardingSink<>());
        client = env.executeAsync();
        return this;
    }

    private static void keep(String name, Said said) {
        ConcurrentLinkedQueue<Said> of = SAID.get(name);
        if (of != null) {
            of.add(said);
        }
    }

    List<Said> said() {
        return List.copyOf(said);
    }

    List<String> said(int topic, String job) {
        List<String> of = new ArrayList<>();
        said.stream().filter(s -> s.topic() == topic && s.job().equals(job)).forEach(s -> of.add(s.json()));
        return of;
    }

    private JobClient client() {
        if (client == null) {
            throw new IllegalStateException("not started");
        }
        return client;
    }

    /** Waits until something is so; fails with what ended the job where it ended. */
    Run until(String what, Predicate<Run> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!holds.test(this)) {
            JobStatus status = client().getJobStatus().get();
            if (status.isGloballyTerminalState()) {
                client().getJobExecutionResult().get(); // throws what ended it
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited in vain until " + what + "; " + status);
            }
            Thread.sleep(Duration.ofMillis(20));
        }
        return this;
    }

    /** Waits until metrics of a time have been told of a job. */
    Run untilMetrics(String job, long atMillis) throws Exception {
        String at = "\"atEpochNanos\":" + atMillis + "000000,";
        return until("metrics of " + job, r -> r.said.stream()
                .anyMatch(s -> s.topic() == Said.METRICS && s.job().equals(job) && s.json().contains(at)));
    }

    /** Stops at a savepoint. */
    String stop() throws Exception {
        return client()
                .stopWithSavepoint(false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    void end() throws Exception {
        client().cancel().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        SAID.remove(script.name());
        script.close();
    }
}
