package dev.argus.server.api;

import com.sun.net.httpserver.HttpHandler;
import dev.argus.server.access.Gate;
import dev.argus.server.config.ServerSettings;
import dev.argus.server.http.EventHub;
import dev.argus.server.job.Fleet;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.Store;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What the API stands on.
 *
 * @param settings settings
 * @param fleet jobs that are watched
 * @param store what was kept of them
 * @param objects timelines and other objects
 * @param desk has agents do something
 * @param uploads takes objects of agents
 * @param gate issues and knows tokens
 * @param frames takes the frames of agents, and answers them itself
 * @param events live events
 * @param metrics all metrics in the text format of Prometheus
 * @param ready whether what was stored is restored
 * @param held why nothing new is taken at the moment; empty while it is
 * @param keeps whether something was kept not long ago
 */
public record ApiParts(
        ServerSettings settings,
        Fleet fleet,
        Store store,
        ObjectStore objects,
        ControlDesk desk,
        ObjectUploads uploads,
        Gate gate,
        HttpHandler frames,
        EventHub events,
        Supplier<String> metrics,
        BooleanSupplier ready,
        Supplier<String> held,
        BooleanSupplier keeps) {}
