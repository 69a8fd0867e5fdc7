package dev.argus.hostflink.kafka;

import dev.argus.hostflink.HostOptions;
import dev.argus.hostflink.series.RemoteWrite;
import dev.argus.hostflink.summaries.Summaries;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The diagnosis as a job of Flink between topics of Kafka.
 *
 * @param brokers brokers to ask first, {@code HOST:PORT} with commas between
 * @param frames topic of frames, read
 * @param incidents topic of changes of incidents, written
 * @param metrics topic of metrics, written
 * @param steps topic of steps, written unless {@link HostOptions#steps} is off
 * @param group consumer group under which offsets are shown; what is read again is decided by checkpoints alone
 * @param earliest whether a job without a checkpoint begins with the oldest frames, else with the next ones; one whose place is gone goes on with the oldest either way
 * @param transactions begin of the ids of transactions; of no other job of these brokers
 * @param client how brokers are reached, without secrets: {@link ClientSecrets#references}
 * @param checkpointMillis how often a checkpoint is taken: what is said is seen by readers after the next one
 * @param checkpoints folder of checkpoints, as a URI; on disks that all machines see
 * @param tickMillis how often a tick is written into each partition of the frames
 * @param gapMillis longest time without any record on a partition in which somebody listened
 * @param options how jobs are watched
 * @param remoteWrite where numbers of jobs go beside the topic, or null for nowhere
 * @param summaries where whole steps go beside the topic, or null for nowhere
 */
public record JobSettings(
        String brokers,
        String frames,
        String incidents,
        String metrics,
        String steps,
        String group,
        boolean earliest,
        String transactions,
        Map<String, String> client,
        long checkpointMillis,
        String checkpoints,
        long tickMillis,
        long gapMillis,
        HostOptions options,
        @Nullable RemoteWrite remoteWrite,
        @Nullable Summaries summaries)
        implements Serializable {
    /** Bytes of the largest value that is written: an incident of 100,000 ranks, with room. Topics must take as much. */
    public static final int MOST_SAID_BYTES = 8 << 20;

    /** Refuses what cannot work. */
    public JobSettings {
        client = Map.copyOf(client);
        if (brokers.isBlank() || checkpoints.isBlank()) {
            throw new IllegalArgumentException("brokers '" + brokers + "', checkpoints '" + checkpoints
                    + "': expected HOST:PORT and a folder as a URI, such as file:///var/lib/argus/checkpoints");
        }
        if (checkpointMillis < 100 || tickMillis < 10 || gapMillis < 4 * tickMillis) {
            throw new IllegalArgumentException(
                    "checkpoints every " + checkpointMillis + " ms, ticks every " + tickMillis
                            + " ms, gaps from " + gapMillis
                            + " ms: expected at least 100, at least 10, and at least four times that of a tick");
        }
    }

    /** The usual topics and times. */
    public static JobSettings of(String brokers, String checkpoints) {
        return new JobSettings(
                brokers,
                "argus-frames",
                "argus-incidents",
                "argus-metrics",
                "argus-steps",
                "argus-flink",
                true,
                "argus-flink",
                Map.of(),
                5000,
                checkpoints,
                250,
                5000,
                HostOptions.DEFAULT,
                null,
                null);
    }

    /** The same, watched otherwise, with checkpoints so far apart in milliseconds. */
    public JobSettings with(HostOptions other, long millis) {
        return new JobSettings(
                brokers,
                frames,
                incidents,
                metrics,
                steps,
                group,
                earliest,
                transactions,
                client,
                millis,
                checkpoints,
                tickMillis,
                gapMillis,
                other,
                remoteWrite,
                summaries);
    }

    /** The same, that stores what is found elsewhere, too. */
    public JobSettings storing(@Nullable RemoteWrite series, @Nullable Summaries steps) {
        return new JobSettings(
                brokers,
                frames,
                incidents,
                metrics,
                this.steps,
                group,
                earliest,
                transactions,
                client,
                checkpointMillis,
                checkpoints,
                tickMillis,
                gapMillis,
                options,
                series,
                steps);
    }
}
