package dev.argus.server.config;

import dev.argus.kafka.KafkaAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that can be set, each thing once: name, type, default, sentence. */
public final class Settings {
    static final Setting<String> HOST = Setting.of(
            "host",
            "HOST",
            "127.0.0.1",
            "Address to listen on. Elsewhere than on this host every request needs a token.",
            SettingTypes::host);
    static final Setting<Integer> PORT = Setting.of(
            "port", "PORT", "8642", "Port to listen on; 0 for any that is free.", SettingTypes.whole(0, 65_535));
    static final Setting<List<String>> ALLOWED_HOSTS = Setting.of(
            "allowed-hosts",
            "NAMES",
            "",
            "Names by which it may be addressed besides localhost, the host above and plain IP addresses; a list.",
            SettingTypes::hosts);
    static final Setting<Path> DATA = Setting.of(
            "data",
            "FOLDER",
            "~/.argus/server",
            "Folder of the store, objects and tokens; a local disk.",
            SettingTypes::path);
    static final Setting<Long> DISK = Setting.of(
            "disk",
            "SIZE",
            "20GiB",
            "What store and objects may take; the oldest goes first.",
            SettingTypes.bytes("64MiB"));
    static final Setting<@Nullable Path> CERTIFICATES = Setting.of(
            "certificates",
            "FILE",
            "",
            "PEM file with the certificate and those above it: listen with TLS.",
            SettingTypes::pathOrNull);
    static final Setting<@Nullable Path> CERTIFICATE_KEY = Setting.of(
            "certificate-key",
            "FILE",
            "",
            "PEM file with the private key (PKCS#8); without it the key is in the file of the certificates.",
            SettingTypes::pathOrNull);
    static final Setting<@Nullable URI> OBJECTS = Setting.of(
            "objects",
            "S3-ADDRESS",
            "",
            "s3://BUCKET/PREFIX to keep objects in; without it they are in the data folder.",
            SettingTypes::bucket);
    static final Setting<@Nullable URI> S3_ENDPOINT = Setting.of(
            "s3-endpoint",
            "ADDRESS",
            "",
            "Address of an S3-compatible store; without it the provider's own.",
            SettingTypes::address);
    static final Setting<List<ServerSettings.Webhook>> WEBHOOKS = new Setting<>(
            "webhooks",
            "LIST",
            "",
            "Where incidents are sent: a list of alertmanager=ADDRESS or json=ADDRESS.",
            SettingTypes::webhooks,
            SettingTypes::webhooksShown);
    static final Setting<String> TOPOLOGY = Setting.of(
            "topology",
            "LAYOUT",
            "",
            "Layout of the jobs, fastest dimension first, such as tp=2,dp=8,pp=4; without it it is found.",
            SettingTypes::topology);
    static final Setting<Duration> CHECKPOINT_EACH = Setting.of(
            "checkpoint-each",
            "TIME",
            "5s",
            "How often what was received is made durable.",
            SettingTypes.time(Duration.ofMillis(100), Duration.ofMinutes(5)));
    static final Setting<Duration> LATENESS = Setting.of(
            "lateness",
            "TIME",
            "10s",
            "How long a step waits for ranks that have not reported it.",
            SettingTypes.time(Duration.ofMillis(100), Duration.ofHours(1)));
    static final Setting<Integer> MOST_JOBS =
            Setting.of("most-jobs", "COUNT", "256", "Jobs watched at a time.", SettingTypes.whole(1, 100_000));
    static final Setting<Integer> MOST_RANKS = Setting.of(
            "most-ranks",
            "COUNT",
            "32768",
            "Ranks watched at a time, over all jobs; one job leaves an eighth to others.",
            SettingTypes.whole(1, 1_000_000));
    static final Setting<Long> QUEUE = Setting.of(
            "queue",
            "SIZE",
            "256MiB",
            "Frames that may wait in memory; beyond it agents are told to wait.",
            SettingTypes.bytes("4MiB"));
    static final Setting<Long> EXCERPT = Setting.of(
            "excerpt",
            "SIZE",
            "64MiB",
            "Largest timeline that an agent may send for an incident.",
            SettingTypes.bytes("1MiB"));
    static final Setting<Integer> REQUESTS_PER_SECOND = Setting.of(
            "requests-per-second",
            "COUNT",
            "200",
            "Requests a second of one address, frames of known agents not counted.",
            SettingTypes.whole(1, 1_000_000));
    static final Setting<Integer> MOST_CONNECTIONS = Setting.of(
            "most-connections", "COUNT", "8192", "Connections at a time.", SettingTypes.whole(16, 1_000_000));

    static final Setting<@Nullable KafkaAddress> FORWARD = Setting.of(
            "forward",
            "KAFKA-ADDRESS",
            "",
            "Hand frames of agents on to this topic, kafka://HOST:PORT[,...]/TOPIC, and judge nothing here.",
            text -> SettingTypes.topic(text, KafkaAddress.FRAMES));
    static final Setting<@Nullable KafkaAddress> INCIDENTS_FROM = Setting.of(
            "incidents-from",
            "KAFKA-ADDRESS",
            "",
            "Show what others found, from this topic and the one of metrics beside it, and judge nothing here.",
            text -> SettingTypes.topic(text, KafkaAddress.INCIDENTS));
    static final Setting<@Nullable Path> KAFKA_PROPERTIES = Setting.of(
            "kafka-properties",
            "FILE",
            "",
            "File of properties with what brokers ask for: security.protocol, ssl.*, sasl.*.",
            SettingTypes::pathOrNull);
    static final Setting<Duration> NAMES_EACH = Setting.of(
            "names-each",
            "TIME",
            "60s",
            "How often the names of a session are repeated in the topic that frames are handed on to.",
            SettingTypes.time(Duration.ofSeconds(1), Duration.ofHours(1)));

    /** All of them, in the order in which they are printed. */
    public static final List<Setting<?>> ALL = List.of(
            HOST,
            PORT,
            ALLOWED_HOSTS,
            CERTIFICATES,
            CERTIFICATE_KEY,
            DATA,
            DISK,
            OBJECTS,
            S3_ENDPOINT,
            WEBHOOKS,
            TOPOLOGY,
            CHECKPOINT_EACH,
            LATENESS,
            MOST_JOBS,
            MOST_RANKS,
            QUEUE,
            EXCERPT,
            REQUESTS_PER_SECOND,
            MOST_CONNECTIONS,
            FORWARD,
            INCIDENTS_FROM,
            KAFKA_PROPERTIES,
            NAMES_EACH);

    private Settings() {}
}
