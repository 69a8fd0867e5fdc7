package dev.argus.cli.demo;

import dev.argus.agent.CollectorSink;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.NameTable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The server of a demonstration. */
public interface DemoServer extends AutoCloseable {
    /** Starts one. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts a server on the loopback interface.
         *
         * @param data folder for all it keeps, of this user alone
         * @param port port, 0 for any that is free
         * @param changes hears of every change of an incident, with the name of its job; on any thread, quick
         * @param problems takes sentences for an operator; on any thread
         * @throws IOException if it cannot start
         */
        DemoServer start(Path data, int port, BiConsumer<String, IncidentChange> changes, Consumer<String> problems)
                throws IOException;
    }

    /** What a browser opens; null when there is nothing to open. */
    @Nullable
    URI address();

    /** What agents ship to; null when they cannot. */
    @Nullable
    URI frames();

    /** File with the token for it; null when it asks for none. */
    @Nullable
    Path tokenFile();

    /**
     * The way of the demonstration's agent to it.
     *
     * @param names table of the names in records
     * @param spool folder for frames that are not yet safe
     * @param nowNanos now, nanoseconds since the Unix epoch
     */
    default CollectorSink sink(NameTable names, Path spool, long nowNanos) throws IOException {
        return DemoShipping.sink(this, names, spool, nowNanos);
    }

    @Override
    void close();
}
