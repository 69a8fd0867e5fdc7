package dev.argus.hostflink.command;

import dev.argus.hostflink.series.RemoteWrite;
import dev.argus.hostflink.summaries.Summaries;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the job stores what it finds beside the topics; nowhere unless asked for. */
final class StoreOptions {
    /** What the jar must have in it for {@link #summaries}. */
    private static final String PARQUET = "org.duckdb.DuckDBDriver";

    @Option(
            names = "--remote-write",
            paramLabel = "URL",
            description =
                    "Receiver of Prometheus' remote write 1.0 for the numbers of jobs: https://HOST:PORT/api/v1/write.")
    private @Nullable URI remoteWrite;

    @Option(
            names = "--remote-write-token-file",
            paramLabel = "FILE",
            description =
                    "File with the token for it. An absolute path that each machine of Flink reads itself: the token does not get into the job.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--summaries",
            paramLabel = "URI",
            description =
                    "Bucket for whole steps as Parquet: s3://BUCKET/PREFIX. Credentials are those of the machines of Flink.")
    private @Nullable URI summaries;

    @Option(
            names = "--summaries-endpoint",
            paramLabel = "URL",
            description = "Address of the S3-compatible service, where it is not the provider's own.")
    private @Nullable URI endpoint;

    @Option(
            names = "--summaries-every",
            paramLabel = "TIME",
            description = "Time of a job that goes into one file (default: PT10M).")
    private Duration every = Duration.ofMinutes(10);

    /**
     * Where numbers of jobs go; null for nowhere.
     *
     * @throws IllegalArgumentException with what was found and what was expected
     */
    @Nullable
    RemoteWrite remoteWrite() {
        if (remoteWrite == null) {
            if (tokenFile != null) {
                throw new IllegalArgumentException("--remote-write-token-file without --remote-write, expected both");
            }
            return null;
        }
        return new RemoteWrite(remoteWrite, tokenFile == null ? null : tokenFile.toString());
    }

    /**
     * Where whole steps go; null for nowhere.
     *
     * @throws IllegalArgumentException with what was found and what was expected
     */
    @Nullable
    Summaries summaries() {
        if (summaries == null) {
            if (endpoint != null) {
                throw new IllegalArgumentException("--summaries-endpoint without --summaries, expected both");
            }
            return null;
        }
        if (StoreOptions.class.getClassLoader().getResource(PARQUET.replace('.', '/') + ".class") == null) {
            throw new IllegalArgumentException(
                    "--summaries: this jar cannot write Parquet, expected one made by ./argus flink jar --with-summaries");
        }
        return new Summaries(summaries, endpoint, every.toMillis());
    }

    /** True if the jar must be able to write Parquet. */
    boolean wantsSummaries() {
        return summaries != null;
    }
}
