package dev.argus.cli;

import dev.argus.cli.json.ChangeJson;
import dev.argus.cli.text.LiveText;
import dev.argus.cli.text.Look;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.SafeText;
import dev.argus.model.Topology;
import dev.argus.server.ArgusServer;
import dev.argus.server.access.TokenFile;
import dev.argus.server.config.ResolvedSettings;
import dev.argus.server.config.ServerSettings;
import dev.argus.server.config.Setting;
import dev.argus.server.config.Settings;
import dev.argus.server.config.SettingsException;
import dev.argus.server.config.SettingsReader;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code serve}: a server until somebody stops it. */
final class ServeCommand {
    private static final int MOST_SECONDS = 1 << 30;
    private static final long END_SECONDS = 30;

    private final Surroundings around;

    ServeCommand(Surroundings around) {
        this.around = around;
    }

    int run(ParseResult parsed) throws IOException {
        ResolvedSettings resolved = settings(parsed);
        if (parsed.hasMatchedOption(CommandTree.PRINT_CONFIG)) {
            print(resolved.print());
            return ExitCode.DONE;
        }
        boolean json = Arguments.oneOf(
                        CommandTree.FORMAT,
                        parsed.matchedOptionValue(CommandTree.FORMAT, "text"),
                        List.of("text", "json"))
                .equals("json");
        @Nullable String given = parsed.matchedOptionValue(CommandTree.FOR, null);
        int seconds = given == null ? 0 : Arguments.integer(CommandTree.FOR, given, 1, MOST_SECONDS);
        Look look = Look.of(around.environment(), around.colour(parsed.hasMatchedOption(CommandTree.NO_COLOR)));
        resolved.notices().forEach(this::note);
        return serve(resolved.settings(), seconds, json, look);
    }

    private ResolvedSettings settings(ParseResult parsed) {
        Map<String, String> flags = new TreeMap<>();
        for (Setting<?> setting : Settings.ALL) {
            @Nullable String value = parsed.matchedOptionValue(setting.flag(), null);
            if (value != null) {
                flags.put(setting.name(), value);
            }
        }
        @Nullable String file = parsed.matchedOptionValue(CommandTree.CONFIG, null);
        try {
            return SettingsReader.read(
                    file == null ? null : Arguments.path(CommandTree.CONFIG, file), around.environment(), flags);
        } catch (SettingsException wrong) {
            throw new UsageError(SafeText.sentence(String.valueOf(wrong.getMessage())));
        }
    }

    private int serve(ServerSettings settings, int seconds, boolean json, Look look) throws IOException {
        Topology topology = settings.topology().isEmpty() ? null : TopologyOption.parse(settings.topology());
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> end(stop, ended), "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try (ArgusServer server = new ArgusServer(settings, topology, this::note)) {
            begun(server, settings);
            server.fleet().listen(new FleetListener() {
                @Override
                public void incident(JobView job, IncidentChange change) {
                    say(job.job(), change, json, look);
                }
            });
            if (seconds == 0) {
                stop.await();
            } else {
                stop.await(seconds, TimeUnit.SECONDS);
            }
        } catch (IOException unusable) {
            note("cannot begin: " + Failures.reasonWithFile(unusable));
            return ExitCode.NOTHING_ANALYSED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
            removeHook(hook);
        }
        return ExitCode.DONE;
    }

    private void begun(ArgusServer server, ServerSettings settings) {
        String at = server.address().toString();
        String token = SafeText.of(
                settings.data().resolve(TokenFile.OPERATOR).toAbsolutePath().toString(), 400);
        note("listening at " + at);
        advice(settings, server.address(), token).forEach(this::note);
    }

    /** How agents get here. Those of other hosts cannot use an address that stands for every one of this host, come by TLS alone, and should not have the operator's token. */
    static List<String> advice(ServerSettings settings, URI at, String tokenFile) {
        String agent = "./argus agent --to ";
        String frames = "/api/v1/frames --token-file ";
        boolean tls = "https".equals(at.getScheme());
        if (settings.loopback()) {
            return List.of("agents of this host ship to it with: " + agent + at.getScheme() + "://"
                    + at.getRawAuthority() + frames + tokenFile);
        }
        String host = at.getHost() == null || at.getHost().matches("0\\.0\\.0\\.0|\\[[0:]+]") ? "" : at.getHost();
        String name = host.isEmpty() ? "NAME-OF-THIS-HOST" : host;
        List<String> lines = new ArrayList<>();
        lines.add(
                tls
                        ? "agents ship to it with: " + agent + "https://" + name + ":" + at.getPort() + frames
                                + "FILE, where FILE holds a token for their job"
                        : "agents of other hosts ship by TLS alone: set certificates and certificate-key, or put a proxy with TLS"
                                + " in front; then: " + agent + "https://" + name + frames
                                + "FILE, where FILE holds a token for their job");
        lines.add("a token for the agents of JOB: curl -X POST -H \"Authorization: Bearer $(cat " + tokenFile + ")\" "
                + at.getScheme() + "://" + (host.isEmpty() ? "localhost" : host) + ":" + at.getPort()
                + "/api/v1/jobs/JOB/tokens");
        if (settings.allowedHosts().isEmpty()) {
            lines.add(
                    "whoever calls this host by a name is refused until allowed-hosts lists that name; addresses are let in");
        }
        return lines;
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // it is what ends us
        }
    }

    private static void end(CountDownLatch stop, CountDownLatch ended) {
        stop.countDown();
        try {
            ended.await(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String job, IncidentChange change, boolean json, Look look) {
        try {
            print(json ? ChangeJson.line(job, change, null) : LiveText.change(job, change, null, look));
        } catch (IOException e) {
            note("cannot write to standard output: " + Failures.reason(e));
        }
    }

    private void note(String text) {
        around.err().println("argus: " + SafeText.sentence(text));
    }

    private synchronized void print(String text) throws IOException {
        around.out().write(text.getBytes(StandardCharsets.UTF_8));
        around.out().flush();
    }
}
