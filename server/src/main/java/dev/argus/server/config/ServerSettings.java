package dev.argus.server.config;

import dev.argus.kafka.KafkaAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a server is set up.
 *
 * @param host address it listens on; a loopback address unless access is secured
 * @param port port it listens on, 0 for any that is free
 * @param allowedHosts names by which it may be addressed, besides loopback and {@code host}
 * @param data folder of its store, objects and tokens; made with mode 0700
 * @param diskBytes bytes that store and objects may take
 * @param certificates PEM file of certificates, or null for plain HTTP
 * @param certificateKey PEM file of the key, or null when it is in the file of the certificates
 * @param objects {@code s3://bucket/prefix} of an S3-compatible store, or null for the folder
 * @param s3Endpoint address of that store, or null for the provider's own
 * @param webhooks where alerts go
 * @param topology layout of the jobs as stated, or empty
 * @param checkpointEach how often rows and state are kept at least, as long as that takes little of the time
 * @param lateness how long a step waits for ranks
 * @param mostJobs jobs watched at a time
 * @param mostRanks ranks watched at a time, over all jobs
 * @param queueBytes bytes of frames that may wait to be judged
 * @param excerptBytes bytes of the largest object an agent may send
 * @param requestsPerSecond requests a second of one address, frames of known agents not counted
 * @param mostConnections connections at a time
 * @param forward topic that frames are handed on to instead of being judged here, or null
 * @param incidentsFrom topic of incidents that others found, shown instead of own ones, or null
 * @param kafkaProperties how brokers are reached, or null when they ask for nothing
 * @param namesEach how often a session's names are repeated in the topic of frames
 */
public record ServerSettings(
        String host,
        int port,
        List<String> allowedHosts,
        Path data,
        long diskBytes,
        @Nullable Path certificates,
        @Nullable Path certificateKey,
        @Nullable URI objects,
        @Nullable URI s3Endpoint,
        List<Webhook> webhooks,
        String topology,
        Duration checkpointEach,
        Duration lateness,
        int mostJobs,
        int mostRanks,
        long queueBytes,
        long excerptBytes,
        int requestsPerSecond,
        int mostConnections,
        @Nullable KafkaAddress forward,
        @Nullable KafkaAddress incidentsFrom,
        @Nullable Path kafkaProperties,
        Duration namesEach) {
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[?(::1|0:0:0:0:0:0:0:1)]?", Pattern.CASE_INSENSITIVE);

    /**
     * Where alerts go.
     *
     * @param format {@code alertmanager} or {@code json}
     * @param address address
     */
    public record Webhook(String format, URI address) {}

    /** True if jobs are judged here: it is no gateway, and shows nothing of others. */
    public boolean diagnoses() {
        return forward == null && incidentsFrom == null;
    }

    /** Copies the lists. */
    public ServerSettings {
        allowedHosts = List.copyOf(allowedHosts);
        webhooks = List.copyOf(webhooks);
    }

    /** True if only this host can reach it. A name that resolves to a loopback address does not count: what it resolves to may change. */
    public boolean loopback() {
        return LOOPBACK.matcher(host).matches();
    }

    /** Where users find it, as far as the settings tell: null where the port is any that is free, or it listens on all addresses and has no name. */
    public @Nullable URI address() {
        boolean all = host.equals("0.0.0.0") || host.equals("::") || host.equals("[::]");
        if (port == 0 || (all && allowedHosts.isEmpty())) {
            return null;
        }
        String name = allowedHosts.isEmpty() ? host : allowedHosts.getFirst();
        String shown = name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name;
        return URI.create((certificates == null ? "http" : "https") + "://" + shown + ":" + port + "/");
    }
}
