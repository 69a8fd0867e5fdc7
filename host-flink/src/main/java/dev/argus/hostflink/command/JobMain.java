package dev.argus.hostflink.command;

import dev.argus.hostflink.kafka.JobSettings;
import dev.argus.hostflink.kafka.KafkaJob;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The job where Flink starts it itself: from its jar, in application mode, by the operator for Kubernetes, or by {@code flink run}. The parameters are those of {@code argus flink submit} that are about the job, not about submitting it. */
@Command(name = "argus-flink", mixinStandardHelpOptions = true, description = "The live diagnosis of Argus on Flink.")
public final class JobMain implements Runnable {
    @Mixin
    private JobOptions job = new JobOptions();

    private JobMain() {}

    /** Puts the job together and hands it to the Flink that called. */
    public static void main(String[] args) {
        JobMain main = new JobMain();
        Exception[] failed = {null};
        CommandLine line = new CommandLine(main).setExecutionExceptionHandler((failure, of, parsed) -> {
            failed[0] = failure;
            return CommandLine.ExitCode.SOFTWARE;
        });
        int status = line.execute(args);
        if (failed[0] != null) {
            throw new IllegalStateException("the job could not be started", failed[0]); // Flink shows it
        }
        if (status != 0) {
            throw new IllegalArgumentException(
                    "the parameters of the job are wrong; see its log, or ./argus flink submit --help");
        }
    }

    @Override
    public void run() {
        try {
            JobSettings settings = job.settings();
            StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(
                    KafkaJob.configuration(settings, job.parallelism()));
            KafkaJob.build(env, settings);
            env.execute("argus");
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new IllegalStateException("the job could not be started: " + failed.getMessage(), failed);
        }
    }
}
