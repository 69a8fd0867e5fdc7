package dev.argus.hostflink.replay;

import dev.argus.hostflink.HostOptions;
import dev.argus.hostflink.Said;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;

/** A script on a small Flink in this process; what is said is kept with the script. */
public final class ReplayRun implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 600;
    private static final long LOOK_MILLIS = 10;

    private final ReplayScript script;
    private final SmallFlink flink;

    private ReplayRun(ReplayScript script, SmallFlink flink) {
        this.script = script;
        this.flink = flink;
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
        Configuration conf = SmallFlink.configuration(folder);
        conf.setString("execution.checkpointing.interval", "2 s");
        try {
            ReplayRun run = new ReplayRun(script, SmallFlink.start(script, slots, conf, options));
            run.until(() -> run.flink.client().getJobStatus().get() == JobStatus.RUNNING);
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
            if (flink.client().getJobStatus().get().isGloballyTerminalState() || System.nanoTime() > end) {
                throw new IllegalStateException("the job ended, or did not within " + PATIENCE_SECONDS + " s");
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    @Override
    public void close() {
        flink.close();
    }
}
