package dev.argus.cli;

import dev.argus.agent.AgentOptions;
import dev.argus.agent.history.RawHistory;
import dev.argus.agent.host.HostAgentSettings;
import dev.argus.agent.ship.KafkaWay;
import dev.argus.agent.ship.ShipOptions;
import dev.argus.kafka.KafkaAccess;
import dev.argus.kafka.KafkaAddress;
import dev.argus.kafka.KafkaPatience;
import dev.argus.model.SafeText;
import dev.argus.model.Topology;
import dev.argus.ring.RingDirectory;
import dev.argus.transport.PlainFile;
import dev.argus.transport.SpoolLimits;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * The arguments of {@code agent}.
 *
 * @param settings how it works and what it keeps
 * @param ship where it ships to, null to diagnose here
 * @param topology layout stated by the user, or null
 * @param json true for one JSON object a line
 * @param seconds when to stop, 0 for never
 * @param noColour true if colours are refused
 * @param usualRings true if the folder of the rings is the one that processes use without being told
 */
record AgentArguments(
        HostAgentSettings settings,
        @Nullable ShipOptions ship,
        @Nullable Topology topology,
        boolean json,
        int seconds,
        boolean noColour,
        boolean usualRings) {
    private static final int MOST_SECONDS = 100_000_000;
    private static final int MOST_STACKS = 1000;
    private static final int MOST_MIB = 1 << 20;
    private static final int MOST_NAMES_SECONDS = 3600;
    private static final int MOST_TOKEN_BYTES = 4096;
    private static final int MOST_CERTIFICATE_BYTES = 1 << 20;
    private static final int MIB_SHIFT = 20;

    AgentOptions options() {
        return settings.options();
    }

    static AgentArguments from(ParseResult parsed, Map<String, String> environment) throws IOException {
        AgentOptions options = AgentOptions.of(rings(parsed, environment));
        @Nullable String stacks = parsed.matchedOptionValue(CommandTree.STACKS, null);
        if (stacks != null) {
            options = options.withStacks(Arguments.integer(CommandTree.STACKS, stacks, 0, MOST_STACKS));
        }
        @Nullable String topology = parsed.matchedOptionValue(CommandTree.TOPOLOGY, null);
        @Nullable String seconds = parsed.matchedOptionValue(CommandTree.FOR, null);
        String format = Arguments.oneOf(
                CommandTree.FORMAT, parsed.matchedOptionValue(CommandTree.FORMAT, "text"), List.of("text", "json"));
        @Nullable Path state = path(parsed, CommandTree.STATE);
        Path kept = state == null ? HostAgentSettings.standardState(environment) : state;
        long historyBytes = mib(parsed, CommandTree.HISTORY_MIB, 0, RawHistory.DEFAULT_BYTES);
        return new AgentArguments(
                new HostAgentSettings(options, kept, historyBytes, path(parsed, CommandTree.EXCERPTS), true),
                ship(parsed, kept),
                topology == null ? null : TopologyOption.parse(topology),
                format.equals("json"),
                seconds == null ? 0 : Arguments.integer(CommandTree.FOR, seconds, 1, MOST_SECONDS),
                parsed.hasMatchedOption(CommandTree.NO_COLOR),
                options.rings().equals(RingDirectory.standard(Map.of()).folder()));
    }

    /** The folder of the rings. */
    static Path rings(ParseResult parsed, Map<String, String> environment) throws IOException {
        @Nullable Path rings = path(parsed, CommandTree.RINGS);
        return rings == null ? RingDirectory.standard(environment).folder() : rings;
    }

    private static @Nullable Path path(ParseResult parsed, String option) {
        @Nullable String value = parsed.matchedOptionValue(option, null);
        return value == null ? null : Arguments.path(option, value);
    }

    private static long mib(ParseResult parsed, String option, int least, long otherwise) {
        @Nullable String value = parsed.matchedOptionValue(option, null);
        return value == null ? otherwise : (long) Arguments.integer(option, value, least, MOST_MIB) << MIB_SHIFT;
    }

    private static @Nullable ShipOptions ship(ParseResult parsed, Path state) {
        @Nullable String to = parsed.matchedOptionValue(CommandTree.TO, null);
        if (to == null) {
            for (String needsIt : List.of(
                    CommandTree.TOKEN_FILE,
                    CommandTree.CA,
                    CommandTree.KAFKA_PROPERTIES,
                    CommandTree.NAMES_EACH,
                    CommandTree.SPOOL,
                    CommandTree.SPOOL_MIB)) {
                if (parsed.hasMatchedOption(needsIt)) {
                    throw new UsageError(
                            needsIt + " is for shipping to a server, expected " + CommandTree.TO + " URL beside it.");
                }
            }
            return null;
        }
        @Nullable Path given = path(parsed, CommandTree.SPOOL);
        Path spool = given == null ? state.resolve("spool") : given;
        SpoolLimits limits = SpoolLimits.ofDisk(mib(parsed, CommandTree.SPOOL_MIB, 1, SpoolLimits.DEFAULT.diskBytes()));
        try {
            return KafkaAddress.isOne(to)
                    ? ShipOptions.of(kafka(to, parsed), hostName(), spool, limits)
                    : http(to, parsed, spool, limits);
        } catch (URISyntaxException | IllegalArgumentException wrong) {
            throw new UsageError(CommandTree.TO + ": " + SafeText.sentence(wrong.getMessage()) + ".");
        }
    }

    private static ShipOptions http(String to, ParseResult parsed, Path spool, SpoolLimits limits)
            throws URISyntaxException {
        refuse(
                parsed,
                "for a topic",
                CommandTree.TO + " kafka://...",
                CommandTree.KAFKA_PROPERTIES,
                CommandTree.NAMES_EACH);
        @Nullable Path token = path(parsed, CommandTree.TOKEN_FILE);
        @Nullable Path ca = path(parsed, CommandTree.CA);
        if (ca != null) {
            plain(CommandTree.CA, ca);
        }
        return ShipOptions.of(framesAt(new URI(to)), hostName(), token == null ? "" : token(token), ca, spool, limits);
    }

    /** Where a server takes frames: an address without a path names the server alone. */
    static URI framesAt(URI to) {
        boolean bare = to.getHost() != null
                && (to.getPath().isEmpty() || to.getPath().equals("/"))
                && to.getQuery() == null
                && to.getFragment() == null;
        return bare ? to.resolve("/api/v1/frames") : to;
    }

    private static KafkaWay kafka(String to, ParseResult parsed) {
        refuse(
                parsed,
                "for a server",
                CommandTree.KAFKA_PROPERTIES + " FILE for brokers that ask for a password or TLS",
                CommandTree.TOKEN_FILE,
                CommandTree.CA);
        KafkaAccess access = new KafkaAccess(path(parsed, CommandTree.KAFKA_PROPERTIES));
        try {
            access.read();
        } catch (IOException unusable) {
            throw new UsageError(
                    CommandTree.KAFKA_PROPERTIES + ": " + SafeText.sentence(Failures.reason(unusable)) + ".");
        }
        KafkaPatience patience = KafkaPatience.DEFAULT;
        @Nullable String each = parsed.matchedOptionValue(CommandTree.NAMES_EACH, null);
        if (each != null) {
            patience = patience.withNamesEach(
                    Duration.ofSeconds(Arguments.integer(CommandTree.NAMES_EACH, each, 1, MOST_NAMES_SECONDS)));
        }
        return new KafkaWay(KafkaAddress.of(to, KafkaAddress.FRAMES), access, patience);
    }

    private static void refuse(ParseResult parsed, String what, String instead, String... options) {
        for (String option : options) {
            if (parsed.hasMatchedOption(option)) {
                throw new UsageError(option + " is " + what + ", expected " + instead + ".");
            }
        }
    }

    /** Says early that a file is none that can be read. */
    private static void plain(String option, Path file) {
        try {
            PlainFile.read(file, MOST_CERTIFICATE_BYTES);
        } catch (IOException e) {
            throw new UsageError(
                    option + ": '" + SafeText.of(file.toString()) + "' cannot be read: " + Failures.reason(e) + ".");
        }
    }

    /** The first line of a file. */
    private static String token(Path file) {
        try {
            String token = new String(PlainFile.read(file, MOST_TOKEN_BYTES), StandardCharsets.UTF_8).strip();
            if (token.isEmpty() || token.indexOf('\n') >= 0) {
                throw new IOException("expected one line with the token");
            }
            return token;
        } catch (IOException e) {
            throw new UsageError(CommandTree.TOKEN_FILE + ": '" + SafeText.of(file.toString()) + "' has no token: "
                    + Failures.reason(e) + ".");
        }
    }

    private static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException hidden) {
            return "";
        }
    }
}
