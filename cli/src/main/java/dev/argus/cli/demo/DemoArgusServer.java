package dev.argus.cli.demo;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.server.ArgusServer;
import dev.argus.server.access.TokenFile;
import dev.argus.server.config.ServerSettings;
import dev.argus.server.config.SettingsException;
import dev.argus.server.config.SettingsReader;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The server itself, with its usual settings, on the loopback interface. */
final class DemoArgusServer implements DemoServer {
    private static final String DISK = "2GiB";

    private final ArgusServer server;
    private final Path tokenFile;

    private DemoArgusServer(ArgusServer server, Path tokenFile) {
        this.server = server;
        this.tokenFile = tokenFile;
    }

    static DemoServer start(Path data, int port, BiConsumer<String, IncidentChange> changes, Consumer<String> problems)
            throws IOException {
        ArgusServer server = new ArgusServer(settings(data, port), null, problems);
        server.fleet().listen(new FleetListener() {
            @Override
            public void incident(JobView job, IncidentChange change) {
                changes.accept(job.job(), change);
            }
        });
        return new DemoArgusServer(server, data.resolve(TokenFile.OPERATOR).toAbsolutePath());
    }

    /** Neither the environment nor a file of the user: a demonstration is the same everywhere. */
    private static ServerSettings settings(Path data, int port) throws IOException {
        Map<String, String> flags = Map.of("port", Integer.toString(port), "data", data.toString(), "disk", DISK);
        try {
            return SettingsReader.read(null, Map.of(), flags).settings();
        } catch (SettingsException impossible) {
            throw new IOException(impossible);
        }
    }

    @Override
    public URI address() {
        return server.address();
    }

    @Override
    public URI frames() {
        return server.address().resolve("api/v1/frames");
    }

    @Override
    public Path tokenFile() {
        return tokenFile;
    }

    @Override
    public void close() {
        server.close();
    }
}
