package dev.argus.hostflink.replay;

import dev.argus.hostflink.ArgusOnFlink;
import dev.argus.hostflink.HostOptions;
import dev.argus.hostflink.Said;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A script on a small Flink in this process; what is said is kept with the script. */
public final class ReplayRun implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 600;
    private static final long LOOK_MILLIS = 10;

    private final ReplayScript script;
    private final JobClient client;

    private ReplayRun(ReplayScript script, JobClient client) {
        this.script = script;
        this.client = client;
    }

    /**
     * Starts it, stopped before its first record, and returns when it waits there.
     *
     * @param folder for checkpoints
     * @param slots tasks of each kind
     */
    public static ReplayRun prepared(ReplayScript script, Path folder, int slots, HostOptions options)
            throws InterruptedException {
        script.stopAt(Long.MIN_VALUE);
        Configuration conf = configuration(folder);
        conf.setString("execution.checkpointing.interval", "2 s");
        try {
            ReplayRun run = new ReplayRun(script, start(script, slots, conf, options));
            run.until(() -> run.client.getJobStatus().get() == JobStatus.RUNNING);
            Thread.sleep(1000); // its tasks
            return run;
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception failed) {
            throw new IllegalStateException("Flink could not be started: " + failed.getMessage(), failed);
        }
    }

    /** Plays it until metrics of a time have been told of all jobs, milliseconds since the Unix epoch; a multiple of ten seconds. */
    public void play(Collection<String> jobs, long untilMillis) throws InterruptedException {
        script.goOn();
        String at = "\"atEpochNanos\":" + untilMillis + "000000,";
        try {
            until(() -> script.said().stream()
                            .filter(s -> s.topic() == Said.METRICS && s.json().contains(at))
                            .map(Said::job)
                            .distinct()
                            .count()
                    == jobs.size());
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception failed) {
            throw new IllegalStateException("Flink failed: " + failed.getMessage(), failed);
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private void until(Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.holds()) {
            if (client.getJobStatus().get().isGloballyTerminalState() || System.nanoTime() > end) {
                throw new IllegalStateException("the job ended, or did not within " + PATIENCE_SECONDS + " s");
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    @Override
    public void close() {
        try {
            client.cancel().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (Exception gone) {
            // it has ended
        }
    }

    /** State in RocksDB, three restarts, checkpoints and savepoints in a folder. */
    public static Configuration configuration(Path folder) {
        Configuration conf = new Configuration();
        conf.setString("state.backend.type", "rocksdb");
        conf.setString("execution.checkpointing.incremental", "true");
        conf.setString("execution.checkpointing.interval", "100 ms");
        conf.setString(
                "execution.checkpointing.dir",
                folder.resolve("checkpoints").toUri().toString());
        conf.setString("restart-strategy.type", "fixed-delay");
        conf.setString("restart-strategy.fixed-delay.attempts", "3");
        conf.setString("restart-strategy.fixed-delay.delay", "10 ms");
        conf.setString("pipeline.max-parallelism", "128");
        conf.setString("pipeline.auto-watermark-interval", "20 ms");
        conf.setString("pipeline.generic-types", "false");
        return conf;
    }

    /** Starts a script with settings of its own. */
    public static JobClient start(ReplayScript script, int parallelism, Configuration conf, HostOptions options)
            throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(parallelism, conf);
        String name = script.name();
        ArgusOnFlink.diagnose(env, new ReplaySource(script), ArgusOnFlink.brokerTimes(), options, 5000, null)
                .map(said -> {
                    ReplayScript.hear(name, said);
                    return said;
                })
                .returns(ArgusOnFlink.SAID)
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }
}
