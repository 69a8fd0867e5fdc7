package dev.argus.hostflink.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry of {@code argus flink}. Exit codes: 0 the work was done, 1 it could not be, 2 wrong usage. */
@Command(
        name = "./argus flink",
        mixinStandardHelpOptions = true,
        version = "argus 0.1.0-SNAPSHOT",
        description = "The live diagnosis on Apache Flink, for jobs beyond one server.",
        subcommands = SubmitCommand.class)
public final class FlinkMain implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private FlinkMain() {}

    /** Runs one command and ends the JVM with its exit code, unless it is a process of a cluster. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new FlinkMain());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing a command: submit, jar, jobmanager, taskmanager.");
    }

    @Command(
            name = "jar",
            mixinStandardHelpOptions = true,
            description =
                    "Writes the job as one jar, for images of a cluster, the operator for Kubernetes, or flink run.")
    Integer jar(
            @Option(names = "--out", required = true, paramLabel = "FILE", description = "The jar.") Path out,
            @Option(
                            names = "--with-summaries",
                            description = "With what --summaries of the job needs: some 60 MB more.")
                    boolean summaries)
            throws Exception {
        JobJar.write(out, JobJar.parts(summaries));
        return 0;
    }

    @Command(
            name = "jobmanager",
            mixinStandardHelpOptions = true,
            description =
                    "Is the JobManager of a session cluster, from the jars of Maven: there is no distribution of Flink in Argus.")
    Integer jobManager(
            @Option(names = "--conf", required = true, paramLabel = "DIR", description = "Folder with config.yaml.")
                    Path conf)
            throws Exception {
        return forever(() -> StandaloneSessionClusterEntrypoint.main(arguments(conf, "--executionMode", "cluster")));
    }

    @Command(
            name = "taskmanager",
            mixinStandardHelpOptions = true,
            description = "Is a TaskManager; all memory sizes must stand in config.yaml.")
    Integer taskManager(
            @Option(names = "--conf", required = true, paramLabel = "DIR", description = "Folder with config.yaml.")
                    Path conf)
            throws Exception {
        return forever(() -> TaskManagerRunner.main(arguments(conf)));
    }

    private interface Main {
        void run() throws Exception;
    }

    /** Flink's own main methods return, and end the JVM when they are done. */
    private static Integer forever(Main main) throws Exception {
        main.run();
        Callable<Integer> never = () -> {
            Thread.currentThread().join();
            return 0;
        };
        return never.call();
    }

    private static String[] arguments(Path conf, String... more) {
        List<String> all = new ArrayList<>(List.of("--configDir", conf.toString()));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
