package dev.argus.server;

import dev.argus.kafka.KafkaAccess;
import dev.argus.kafka.KafkaAddress;
import dev.argus.kafka.KafkaGateway;
import dev.argus.kafka.KafkaPatience;
import dev.argus.kafka.TopicReader;
import dev.argus.server.config.ServerSettings;
import dev.argus.server.ingest.JobSource;
import dev.argus.server.ingest.ServerClock;
import dev.argus.server.remote.RemoteIngest;
import dev.argus.storage.Store;
import dev.argus.transport.CommandSource;
import dev.argus.transport.FrameReceiver;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a server is made of that judges nothing itself: apart, so that nothing of Kafka is loaded by one that does. */
final class RemoteParts {
    /** Metrics lie beside incidents: the same name with this end instead of that one. */
    private static final String INCIDENTS = "incidents";

    private static final String METRICS = "metrics";

    /** What is known of the jobs takes at most this part of the heap, and never more than so many bytes. */
    private static final int PART_OF_HEAP = 8;

    private static final long MOST_BYTES = 512L << 20;

    private RemoteParts() {}

    /** @throws IOException if the file of properties cannot be used */
    static JobSource ingest(
            ServerSettings settings,
            Store store,
            ServerClock clock,
            CommandSource commands,
            Map<String, Supplier<byte[]>> others,
            Consumer<String> problems)
            throws IOException {
        KafkaAccess access = new KafkaAccess(settings.kafkaProperties());
        access.read();
        KafkaPatience patience = KafkaPatience.DEFAULT.withNamesEach(settings.namesEach());
        KafkaAddress forward = settings.forward();
        KafkaGateway gateway = forward == null
                ? null
                : new KafkaGateway(forward, access, patience, commands, FrameReceiver.MOST_SESSIONS);
        return new RemoteIngest(
                topics(settings.incidentsFrom(), access, patience),
                gateway,
                settings.mostJobs(),
                Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP),
                settings.checkpointEach(),
                store,
                clock,
                others,
                problems);
    }

    private static RemoteIngest.Topics topics(@Nullable KafkaAddress from, KafkaAccess access, KafkaPatience patience) {
        if (from == null) {
            return RemoteIngest.Topics.NONE;
        }
        String metrics = metricsBeside(from.topic());
        return new RemoteIngest.Topics(
                from.topic(),
                metrics,
                positions -> new TopicReader(from, List.of(from.topic(), metrics), access, patience, positions));
    }

    /** The topic of metrics beside one of incidents: {@code argus-metrics} beside {@code argus-incidents}. */
    static String metricsBeside(String incidents) {
        return incidents.endsWith(INCIDENTS)
                ? incidents.substring(0, incidents.length() - INCIDENTS.length()) + METRICS
                : incidents + "-" + METRICS;
    }
}
