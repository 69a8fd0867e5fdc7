package dev.argus.hostflink;

import dev.argus.hostflink.replay.ReplayScript;
import dev.argus.hostflink.replay.SmallFlink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.jspecify.annotations.Nullable;

/** The diagnosis on a small Flink in this process, with all that it says, what was said again after a failure included. */
final class Run {
    private static final long PATIENCE_SECONDS = 300;

    private final ReplayScript script;
    private final Path folder;
    private final HostOptions options;
    private @Nullable SmallFlink flink;

    Run(ReplayScript script, Path folder, HostOptions options) {
        this.script = script;
        this.folder = folder;
        this.options = options;
    }

    Run start(int parallelism, @Nullable String savepoint) throws Exception {
        Configuration conf = SmallFlink.configuration(folder);
        if (savepoint != null) {
            conf.setString("execution.state-recovery.path", savepoint);
        }
        end();
        flink = SmallFlink.start(script, parallelism, conf, options);
        return this;
    }

    ReplayScript script() {
        return script;
    }

    List<Said> said() {
        return script.said();
    }

    List<String> said(int topic, String job) {
        List<String> of = new ArrayList<>();
        said().stream().filter(s -> s.topic() == topic && s.job().equals(job)).forEach(s -> of.add(s.json()));
        return of;
    }

    private JobClient client() {
        if (flink == null) {
            throw new IllegalStateException("not started");
        }
        return flink.client();
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
        return until(
                "metrics of " + job,
                r -> r.said().stream()
                        .anyMatch(s -> s.topic() == Said.METRICS
                                && s.job().equals(job)
                                && s.json().contains(at)));
    }

    /** Stops at a savepoint. */
    String stop() throws Exception {
        return client().stopWithSavepoint(
                        false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Ends what runs, if something does; the script can go on in another run. */
    void end() {
        if (flink != null) {
            flink.close();
            flink = null;
        }
    }
}
