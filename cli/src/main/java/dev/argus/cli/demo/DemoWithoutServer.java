package dev.argus.cli.demo;

import dev.argus.agent.CollectorSink;
import dev.argus.agent.LocalJobs;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.NameTable;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** In place of a server: the agent diagnoses by itself. */
final class DemoWithoutServer implements DemoServer {
    private final BiConsumer<String, IncidentChange> changes;

    DemoWithoutServer(BiConsumer<String, IncidentChange> changes) {
        this.changes = changes;
    }

    @Override
    public @Nullable URI address() {
        return null;
    }

    @Override
    public @Nullable URI frames() {
        return null;
    }

    @Override
    public @Nullable Path tokenFile() {
        return null;
    }

    @Override
    public CollectorSink sink(NameTable names, Path spool, long nowNanos) {
        return new LocalJobs(names, Thresholds.DEFAULT, LiveOptions.DEFAULT, changes);
    }

    @Override
    public void close() {
        // nothing was started
    }
}
