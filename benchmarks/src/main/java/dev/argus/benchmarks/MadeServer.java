package dev.argus.benchmarks;

import dev.argus.server.access.Gate;
import dev.argus.server.api.Api;
import dev.argus.server.api.ApiParts;
import dev.argus.server.api.ControlDesk;
import dev.argus.server.api.FrontPage;
import dev.argus.server.config.ServerSettings;
import dev.argus.server.config.SettingsException;
import dev.argus.server.config.SettingsReader;
import dev.argus.server.http.EventHub;
import dev.argus.server.http.HttpFront;
import dev.argus.server.job.Fleet;
import dev.argus.server.page.LivePage;
import dev.argus.storage.DataFolder;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.OwnFolder;
import dev.argus.storage.Store;
import dev.argus.storage.duck.DuckStore;
import dev.argus.storage.object.FolderObjects;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The page and the API of a server as they are, over a fleet that is made. */
final class MadeServer implements AutoCloseable {
    private final Store store;
    private final ObjectStore objects;
    private final EventHub events = new EventHub("made", EventHub.Bounds.DEFAULT);
    private final HttpFront front;
    final LivePage page;

    MadeServer(Path folder, Fleet fleet) throws IOException {
        DataFolder data = new DataFolder(OwnFolder.make(folder));
        ServerSettings settings = settings(folder);
        objects = new FolderObjects(data.objects());
        store = DuckStore.open(data, settings.diskBytes(), objects);
        Gate gate = Gate.open(settings, System::nanoTime);
        page = new LivePage(new FrontPage(fleet));
        ControlDesk nobody = new ControlDesk() {
            @Override
            public Ordered retune(String job, Tuning tuning) {
                return new Ordered(List.of(), 0);
            }

            @Override
            public Ordered excerpt(String job, Excerpt excerpt) {
                return new Ordered(List.of(), 0);
            }
        };
        front = new HttpFront(
                settings,
                gate,
                Api.router(new ApiParts(
                        settings,
                        fleet,
                        store,
                        objects,
                        nobody,
                        (job, name, body) -> {
                            throw new IOException("a made job has no agents");
                        },
                        gate,
                        exchange -> exchange.sendResponseHeaders(503, -1),
                        events,
                        () -> "",
                        () -> true,
                        () -> "",
                        () -> true)),
                page,
                () -> true,
                System::nanoTime,
                problem -> {});
        front.start();
    }

    private static ServerSettings settings(Path data) {
        try {
            return SettingsReader.read(
                            null,
                            Map.of(),
                            Map.of("port", "0", "data", data.toString(), "requests-per-second", "1000000"))
                    .settings();
        } catch (SettingsException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    URI address() {
        return front.address();
    }

    @Override
    public void close() throws IOException {
        events.close();
        front.close();
        try {
            store.close();
            objects.close();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
