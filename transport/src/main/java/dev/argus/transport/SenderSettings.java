package dev.argus.transport;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where frames go, and how patiently.
 *
 * @param to address that frames are posted to: https, http on loopback, or the kafka address of another way than HTTP, which checks it itself
 * @param job the job, as in the frames
 * @param host the host, as in the frames
 * @param token what the server knows the agent by; empty for none. Printable ASCII
 * @param caFile certificates (PEM) that the server's is checked against, or null for those that the JDK trusts
 * @param plainAllowed true to let the token go over http to other hosts, where something else protects the way
 * @param connectTimeout time to connect
 * @param requestTimeout time from the begin of a request to the end of its reply
 * @param pollEach when there is nothing to send, so often an empty shipment fetches commands and what became safe
 * @param backoffFrom first wait after a failure; doubled with each further one, and drawn between half of it and all of it
 * @param backoffTo longest wait
 * @param mostFrames frames of one shipment
 * @param mostBytes bytes of the frames of one shipment
 * @param seed of the draws; different on each host, so that they do not come back together
 */
public record SenderSettings(
        URI to,
        String job,
        String host,
        String token,
        @Nullable Path caFile,
        boolean plainAllowed,
        Duration connectTimeout,
        Duration requestTimeout,
        Duration pollEach,
        Duration backoffFrom,
        Duration backoffTo,
        int mostFrames,
        int mostBytes,
        long seed) {
    /** Least bytes a shipment may be bounded to. */
    static final int LEAST_BYTES = 4096;

    /**
     * Checks what must hold.
     *
     * @throws IllegalArgumentException with what is wrong and what to do
     */
    public SenderSettings {
        String scheme = to.getScheme() == null ? "" : to.getScheme().toLowerCase(Locale.ROOT);
        String name = to.getHost();
        boolean posted = scheme.equals("http") || scheme.equals("https");
        if (!scheme.equals("kafka") && (!posted || name == null || to.getUserInfo() != null)) {
            throw new IllegalArgumentException("address " + to + ", expected http(s)://host:port/path without user");
        }
        boolean loopback = name == null || name.equals("localhost") || name.startsWith("127.") || name.equals("[::1]");
        if (scheme.equals("http") && !loopback && !plainAllowed) {
            throw new IllegalArgumentException("address " + to
                    + " would send frames and token over the network in the clear; use https, or allow it explicitly");
        }
        if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException("token with other characters than printable ASCII");
        }
        if (mostFrames < 1 || mostBytes < LEAST_BYTES || backoffFrom.isNegative() || backoffFrom.isZero()) {
            throw new IllegalArgumentException("at least 1 frame, " + LEAST_BYTES + " bytes and some wait are needed");
        }
    }

    /** The usual patience: 5 s to connect, 30 s for a request, a poll each 5 s, waits from 0.5 s to 60 s, 256 frames or 1 MiB. */
    public static SenderSettings of(URI to, String job, String host, String token, long seed) {
        return new SenderSettings(
                to,
                job,
                host,
                token,
                null,
                false,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofMillis(500),
                Duration.ofSeconds(60),
                256,
                1 << 20,
                seed);
    }

    /** The same with other certificates. */
    public SenderSettings trusting(@Nullable Path newCaFile) {
        return new SenderSettings(
                to,
                job,
                host,
                token,
                newCaFile,
                plainAllowed,
                connectTimeout,
                requestTimeout,
                pollEach,
                backoffFrom,
                backoffTo,
                mostFrames,
                mostBytes,
                seed);
    }

    /** The same with other times: for tests, and networks that need more patience. */
    public SenderSettings timed(Duration newRequestTimeout, Duration newPollEach, Duration from, Duration upTo) {
        return new SenderSettings(
                to,
                job,
                host,
                token,
                caFile,
                plainAllowed,
                connectTimeout,
                newRequestTimeout,
                newPollEach,
                from,
                upTo,
                mostFrames,
                mostBytes,
                seed);
    }

    /** The same with other bounds of a shipment. */
    public SenderSettings sized(int frames, int bytes) {
        return new SenderSettings(
                to,
                job,
                host,
                token,
                caFile,
                plainAllowed,
                connectTimeout,
                requestTimeout,
                pollEach,
                backoffFrom,
                backoffTo,
                frames,
                bytes,
                seed);
    }

    @Override
    public String toString() {
        return "SenderSettings[to=" + to + ", job=" + job + ", host=" + host + "]"; // never the token
    }
}
