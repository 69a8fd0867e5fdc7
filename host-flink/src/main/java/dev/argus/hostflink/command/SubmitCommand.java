package dev.argus.hostflink.command;

import dev.argus.hostflink.kafka.JobSettings;
import dev.argus.hostflink.kafka.KafkaJob;
import dev.argus.model.SafeText;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code argus flink submit}. */
@Command(
        name = "submit",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Submits the live diagnosis to a cluster of Flink: frames from Kafka, incidents, metrics and steps to Kafka, exactly once.",
        footer = {
            "",
            "Examples:",
            "  ./argus flink submit --jobmanager 10.0.0.7:8081 --brokers 10.0.0.5:9092 --checkpoints s3://argus/checkpoints --parallelism 8",
            "  ./argus flink submit ... --from s3://argus/savepoints/savepoint-1f2e   go on from a savepoint or checkpoint",
            "  ./argus flink submit ... --make-topics 16                              on the first day",
            "",
            "Times are ISO 8601: PT5S, PT0.25S, P1D. Operations: docs/flink.md"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was submitted", "1:it could not be", "2:wrong usage"})
final class SubmitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--jobmanager",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Where the cluster listens (its rest.address and rest.port).")
    private String jobManager = "";

    @Mixin
    private JobOptions job = new JobOptions();

    @Option(
            names = "--from",
            paramLabel = "URI",
            description = "Savepoint or retained checkpoint to go on from; without it the job begins without state.")
    private @Nullable URI from;

    @Option(
            names = "--leave-state",
            description =
                    "Go on without what --from has of --remote-write or --summaries, where it is not asked for any more.")
    private boolean leaveState;

    @Option(
            names = "--make-topics",
            paramLabel = "PARTITIONS",
            description = "Make topics that are missing, with so many partitions.")
    private int makeTopics;

    @Option(names = "--any-time", description = "Take a topic of frames whose times are those of the senders.")
    private boolean anyTime;

    @Override
    public Integer call() throws Exception {
        try {
            JobSettings settings = job.settings();
            if (!anyTime || makeTopics > 0) {
                List<String> made = TopicCheck.check(settings, makeTopics, job.parallelism());
                made.forEach(t -> say("made topic " + t));
            }
            int colon = jobManager.lastIndexOf(':');
            if (colon < 1 || !jobManager.substring(colon + 1).matches("[0-9]{1,5}")) {
                throw new IllegalArgumentException("--jobmanager '" + jobManager + "', expected HOST:PORT");
            }
            Path jar = Files.createTempFile("argus-flink", ".jar");
            try {
                JobJar.write(jar, JobJar.parts(job.wantsSummaries()));
                Configuration conf = KafkaJob.configuration(settings, job.parallelism());
                if (from != null) {
                    conf.set(StateRecoveryOptions.SAVEPOINT_PATH, from.toString());
                    conf.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, leaveState);
                }
                StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment(
                        jobManager.substring(0, colon),
                        Integer.parseInt(jobManager.substring(colon + 1)),
                        conf,
                        jar.toString());
                KafkaJob.build(env, settings);
                JobClient client = env.executeAsync("argus");
                spec.commandLine().getOut().println(client.getJobID());
                return 0;
            } finally {
                Files.deleteIfExists(jar);
            }
        } catch (IllegalArgumentException wrong) {
            say(String.valueOf(wrong.getMessage()));
            return 2;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return 1;
        } catch (Exception failed) {
            say("could not submit to " + jobManager + ": " + why(failed));
            return 1;
        }
    }

    /** The innermost reason: what Flink puts around it tells where it was noticed. */
    private static String why(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner.getMessage() == null ? inner.toString() : inner.getMessage();
    }

    private void say(String line) {
        spec.commandLine().getErr().println("argus flink: " + SafeText.sentence(line));
        spec.commandLine().getErr().flush();
    }
}
