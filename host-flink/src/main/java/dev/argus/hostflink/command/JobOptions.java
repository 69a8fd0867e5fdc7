package dev.argus.hostflink.command;

import dev.argus.hostflink.HostOptions;
import dev.argus.hostflink.kafka.ClientSecrets;
import dev.argus.hostflink.kafka.JobSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The parameters of the job, typed; the same for whoever submits it and for the job where it starts itself. */
final class JobOptions {
    @Option(
            names = "--brokers",
            required = true,
            paramLabel = "HOST:PORT,...",
            description = "Brokers of Kafka to ask first.")
    private String brokers = "";

    @Option(
            names = "--checkpoints",
            required = true,
            paramLabel = "URI",
            description =
                    "Folder of checkpoints, on disks or in a store that all machines of Flink see: file:///..., s3://...")
    private URI checkpoints = URI.create("file:///");

    @Option(names = "--frames", paramLabel = "TOPIC", description = "Topic read (default: ${DEFAULT-VALUE}).")
    private String frames = "argus-frames";

    @Option(names = "--incidents", paramLabel = "TOPIC", description = "Topic written (default: ${DEFAULT-VALUE}).")
    private String incidents = "argus-incidents";

    @Option(names = "--metrics", paramLabel = "TOPIC", description = "Topic written (default: ${DEFAULT-VALUE}).")
    private String metrics = "argus-metrics";

    @Option(
            names = "--steps",
            paramLabel = "TOPIC",
            description = "Topic of whole steps, written (default: ${DEFAULT-VALUE}); '' for none.")
    private String steps = "argus-steps";

    @Option(names = "--group", paramLabel = "NAME", description = "Consumer group (default: ${DEFAULT-VALUE}).")
    private String group = "argus-flink";

    @Option(
            names = "--transactions",
            paramLabel = "NAME",
            description =
                    "Begin of the ids of transactions; each job of these brokers needs its own (default: ${DEFAULT-VALUE}).")
    private String transactions = "argus-flink";

    @Option(
            names = "--kafka-properties",
            paramLabel = "FILE",
            description =
                    "How brokers are reached: security.protocol, ssl.*, sasl.*, client.dns.lookup. An absolute path that each machine of Flink reads itself: nothing of it gets into the job.")
    private @Nullable Path properties;

    @Option(
            names = "--begin",
            paramLabel = "WHERE",
            description =
                    "Where a job without a savepoint begins: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). One whose place is gone goes on with the earliest.")
    private Begin begin = Begin.earliest;

    @Option(names = "--parallelism", paramLabel = "N", description = "Slots used (default: ${DEFAULT-VALUE}).")
    private int parallelism = 1;

    @Option(
            names = "--checkpoint-every",
            paramLabel = "TIME",
            description = "Readers see what is said after the next checkpoint (default: PT5S).")
    private Duration checkpointEvery = Duration.ofSeconds(5);

    @Option(names = "--tick", paramLabel = "TIME", description = "How often a job is asked (default: PT0.25S).")
    private Duration tick = Duration.ofMillis(250);

    @Option(
            names = "--gap",
            paramLabel = "TIME",
            description = "So long without anything in a partition, nobody listened (default: PT5S).")
    private Duration gap = Duration.ofSeconds(5);

    @Option(
            names = "--forget-after",
            paramLabel = "TIME",
            description = "A job is forgotten so long after its last frame (default: P1D).")
    private Duration forgetAfter = Duration.ofDays(1);

    @Option(
            names = "--hang-after",
            paramLabel = "TIME",
            description = "Least standstill that is a hang (default: PT30S).")
    private Duration hangAfter = Duration.ofSeconds(30);

    @Option(
            names = "--late-after",
            paramLabel = "TIME",
            description = "How long a step waits for ranks that have not reported it (default: PT10S).")
    private Duration lateAfter = Duration.ofSeconds(10);

    @Option(
            names = "--most-jobs",
            paramLabel = "N",
            description = "Jobs that one slot watches (default: ${DEFAULT-VALUE}).")
    private int mostJobs = HostOptions.DEFAULT.mostJobs();

    @Mixin
    private StoreOptions stores = new StoreOptions();

    /** Where a job without state begins. */
    private enum Begin {
        earliest,
        latest
    }

    int parallelism() {
        return parallelism;
    }

    /** True if the jar of the job must be able to write Parquet. */
    boolean wantsSummaries() {
        return stores.wantsSummaries();
    }

    /**
     * Checked, and put together.
     *
     * @throws IllegalArgumentException with what was found and what was expected
     */
    JobSettings settings() {
        if (parallelism < 1) {
            throw new IllegalArgumentException("--parallelism " + parallelism + ", expected 1 or more");
        }
        if (checkpoints.getScheme() == null) {
            throw new IllegalArgumentException("--checkpoints '" + checkpoints
                    + "', expected a URI with its scheme, such as file:///var/lib/argus/checkpoints");
        }
        Map<String, String> client;
        try {
            client = ClientSecrets.references(properties);
        } catch (IOException unusable) {
            throw new IllegalArgumentException("--kafka-properties " + unusable.getMessage(), unusable);
        }
        HostOptions base = HostOptions.DEFAULT;
        HostOptions options = new HostOptions(
                lateAfter.toNanos(),
                base.settleNanos(),
                base.conclusionNanos(),
                hangAfter.toNanos(),
                tick.toNanos(),
                Math.max(base.metricsNanos(), tick.toNanos()),
                forgetAfter.toNanos(),
                mostJobs,
                !steps.isEmpty());
        return new JobSettings(
                brokers,
                frames,
                incidents,
                metrics,
                steps,
                group,
                begin == Begin.earliest,
                transactions,
                client,
                checkpointEvery.toMillis(),
                checkpoints.toString(),
                tick.toMillis(),
                gap.toMillis(),
                options,
                stores.remoteWrite(),
                stores.summaries());
    }
}
