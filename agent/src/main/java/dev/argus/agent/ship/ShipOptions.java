package dev.argus.agent.ship;

import dev.argus.transport.SenderSettings;
import dev.argus.transport.SpoolLimits;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where and how records are shipped.
 *
 * @param to address that frames are posted to, or that of a topic
 * @param host name of this host; as frames can hold it
 * @param token what the server knows the agent by; empty for none
 * @param caFile certificates (PEM) the server's is checked against, or null for those of the JDK
 * @param spool folder of the spools, one folder in it for each job
 * @param limits bounds of the spool of one job
 * @param flushNanos a frame is closed at least so often
 * @param mostRecords a frame is closed when it has so many records
 * @param kafka the way into a topic, or null to post to a server
 * @param patience changes the usual times of a sender
 */
public record ShipOptions(
        URI to,
        String host,
        String token,
        @Nullable Path caFile,
        Path spool,
        SpoolLimits limits,
        long flushNanos,
        int mostRecords,
        @Nullable KafkaWay kafka,
        UnaryOperator<SenderSettings> patience) {
    private static final long SECOND = 1_000_000_000L;
    private static final int MOST_RECORDS = 1000;

    /** Checks that the address is one that a sender accepts. */
    public ShipOptions {
        host = FrameNames.of(host);
        if (flushNanos <= 0 || mostRecords < 1) {
            throw new IllegalArgumentException("frames of " + flushNanos + " ns and " + mostRecords + " records");
        }
        SenderSettings.of(to, "", host, token, 0);
    }

    /** A frame a second, 1,000 records at most, the usual patience. */
    public static ShipOptions of(
            URI to, String host, String token, @Nullable Path caFile, Path spool, SpoolLimits limits) {
        return new ShipOptions(to, host, token, caFile, spool, limits, SECOND, MOST_RECORDS, null, s -> s);
    }

    /** The same, straight into a topic. Nothing is asked of the agent this way: no commands, no excerpts. */
    public static ShipOptions of(KafkaWay way, String host, Path spool, SpoolLimits limits) {
        return new ShipOptions(way.address().uri(), host, "", null, spool, limits, SECOND, MOST_RECORDS, way, s -> s);
    }

    /** With other times of a sender. */
    public ShipOptions with(UnaryOperator<SenderSettings> newPatience) {
        return new ShipOptions(to, host, token, caFile, spool, limits, flushNanos, mostRecords, kafka, newPatience);
    }

    SenderSettings sender(String job, long seed) {
        return patience.apply(SenderSettings.of(to, job, host, token, seed).trusting(caFile));
    }

    @Override
    public String toString() {
        return "ShipOptions[to=" + to + ", host=" + host + ", spool=" + spool + "]"; // never the token
    }
}
