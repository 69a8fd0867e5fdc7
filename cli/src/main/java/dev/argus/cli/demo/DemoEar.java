package dev.argus.cli.demo;

import dev.argus.hostlocal.live.IncidentChange;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What the server said and nobody has looked at yet. Thread-safe. */
final class DemoEar implements BiConsumer<String, IncidentChange> {
    /**
     * A change.
     *
     * @param job name of the job
     * @param change what has changed
     */
    record Heard(String job, IncidentChange change) {}

    private final Queue<Heard> heard = new ConcurrentLinkedQueue<>();

    @Override
    public void accept(String job, IncidentChange change) {
        heard.add(new Heard(job, change));
    }

    /** The oldest, once; null when there is none. */
    @Nullable
    Heard next() {
        return heard.poll();
    }
}
