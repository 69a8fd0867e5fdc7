package dev.argus.server.ingest;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.LiveWaits;
import dev.argus.model.NameTable;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import dev.argus.transport.FrameSink;
import dev.argus.wire.Frame;
import dev.argus.wire.SessionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All jobs of a server: takes their frames, and shows what is known of them.
 *
 * <p>Bounded: a stated number of jobs; of more, the one silent longest is forgotten when that is at least {@value #IDLE_NANOS} ns, else the new one is refused until there is room.
 * What was kept of a forgotten job stays in the store.
 */
public final class Jobs implements FrameSink, Fleet {
    static final long IDLE_NANOS = 600_000_000_000L;

    /** A job of which nothing was heard for a day is forgotten, room or not. */
    private static final long GONE_NANOS = 86_400_000_000_000L;

    private static final int LITTLE = 64;
    private static final long ANSWER_SECONDS = 10;

    private final JobSetup setup;
    private final int mostJobs;
    private final Map<String, JobHost> hosts = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<FleetListener> listeners;
    private final Set<String> forgotten = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Jobs(JobSetup setup, int mostJobs, CopyOnWriteArrayList<FleetListener> listeners) {
        this.setup = setup;
        this.mostJobs = mostJobs;
        this.listeners = listeners;
    }

    // ---------------------------------------------------------------- frames

    @Override
    public @Nullable NameTable names(String job) {
        JobHost host = host(job);
        return host == null || manyNames(host) ? null : host.names();
    }

    /** Names of a job may take half of what others leave, and a little in any case. */
    private boolean manyNames(JobHost host) {
        long own = host.nameBytes();
        if (own <= setup.nameBytes() / LITTLE) {
            return false;
        }
        long others = hosts.values().stream().mapToLong(JobHost::nameBytes).sum() - own;
        return own > (setup.nameBytes() - others) / 2;
    }

    @Override
    public boolean take(Frame frame) {
        JobHost host = host(frame.head().job());
        return host != null && host.take(frame);
    }

    @Override
    public void missing(SessionId session, String job, String host, long first, long last) {
        JobHost of = host(job);
        if (of != null) {
            of.missing(host, last - first + 1);
        }
    }

    private @Nullable JobHost host(String job) {
        JobHost known = hosts.get(job);
        if (known != null) {
            return known;
        }
        synchronized (hosts) {
            JobHost now = hosts.get(job);
            if (now != null || closed || !room()) {
                return now;
            }
            JobHost begun = start(job, JobWatch.fresh(job, setup));
            setup.listener().appeared(begun.view());
            return begun;
        }
    }

    private JobHost start(String job, JobWatch watch) {
        JobHost host = new JobHost(job, setup, watch);
        host.begin(); // before others see it: there may be no memory for a thread
        hosts.put(job, host);
        return host;
    }

    private boolean room() {
        return hosts.size() < mostJobs
                || hosts.values().stream()
                        .min(Comparator.comparingLong(JobHost::awaitedNanos))
                        .map(oldest -> forget(oldest, IDLE_NANOS))
                        .orElse(false);
    }

    private boolean forget(JobHost host, long idleNanos) {
        if (setup.clock().nanos() - host.awaitedNanos() < idleNanos) {
            return false;
        }
        hosts.remove(host.job());
        forgotten.add(host.job());
        host.stop();
        setup.listener().forgotten(host.view());
        return true;
    }

    /** Forgets jobs of which nothing was heard for a day, and gives those a thread again whose own has ended. */
    void tidy() {
        synchronized (hosts) {
            List.copyOf(hosts.values()).forEach(h -> forget(h, GONE_NANOS));
            if (!closed) {
                hosts.values().forEach(JobHost::begin);
            }
        }
    }

    // ---------------------------------------------------------------- checkpoints

    Collection<JobHost> hosts() {
        return List.copyOf(hosts.values());
    }

    /** Jobs that were forgotten since it was last asked. */
    Set<String> takeForgotten() {
        Set<String> taken = Set.copyOf(forgotten);
        forgotten.removeAll(taken);
        return taken;
    }

    /** Ids of the incidents of a job that last; none of one that is not watched. Before anything is received, or where all that was received is kept. */
    Set<String> lasting(String job) {
        JobHost host = hosts.get(job);
        return host == null ? Set.of() : host.lasting();
    }

    /** Goes on with a job whose state was kept; with a fresh one where the state cannot be read. Returns what was wrong, or the empty text. */
    String restore(String job, byte[] state) {
        JobWatch watch;
        String problem = "";
        try {
            watch = JobWatch.restored(job, setup, state);
        } catch (RuntimeException unreadable) {
            problem = String.valueOf(unreadable.getMessage());
            watch = JobWatch.fresh(job, setup);
        }
        start(job, watch);
        return problem;
    }

    void close() {
        synchronized (hosts) {
            closed = true;
            hosts.values().forEach(JobHost::stop);
        }
    }

    // ---------------------------------------------------------------- what is known

    @Override
    public List<JobView> jobs() {
        List<JobView> all = new ArrayList<>();
        hosts.values().forEach(h -> all.add(h.view()));
        all.sort(Comparator.comparingLong((JobView v) -> -v.heardNanos()).thenComparing(JobView::job));
        return all;
    }

    @Override
    public Optional<JobView> job(String name) {
        return Optional.ofNullable(hosts.get(name)).map(JobHost::view);
    }

    @Override
    public Optional<HeatMapData> heatMap(String name, HeatValue value, long from, long to) {
        JobHost host = hosts.get(name);
        return host == null ? Optional.empty() : Optional.of(host.heatMap(value, from, to));
    }

    @Override
    public List<KernelPicture> kernels(String name, int most) {
        return ask(name, watch -> watch.live().pictures(most)).orElse(List.of());
    }

    @Override
    public Optional<LiveWaits> waits(String name) {
        // null where there is nothing to say
        return ask(name, watch -> Optional.ofNullable(watch.live().waits())).flatMap(w -> w);
    }

    @Override
    public Optional<LiveWaits> waits(String name, String incident) {
        return ask(
                        name,
                        watch -> watch.live().incidents().stream()
                                .filter(i -> i.id().equals(incident))
                                .findFirst()
                                .map(watch.live()::waits))
                .flatMap(w -> w);
    }

    /** Asks a job what only its thread may look at; empty when there is no such job, or no answer in time. */
    <T> Optional<T> ask(String name, Function<JobWatch, T> question) {
        JobHost host = hosts.get(name);
        if (host == null) {
            return Optional.empty();
        }
        CompletableFuture<T> answer = host.ask(question);
        try {
            return Optional.ofNullable(answer.get(ANSWER_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException | CancellationException none) {
            return Optional.empty();
        }
    }

    /** Keeps the row of an object with the next checkpoint; nothing when the job is forgotten. */
    void stored(String name, Rows.StoredObject object) {
        JobHost host = hosts.get(name);
        if (host != null) {
            host.tell(watch -> watch.add(object));
        }
    }

    @Override
    public void listen(FleetListener listener) {
        listeners.add(listener);
    }

    /** Hands everything on to listeners that may be added later. What one of them throws concerns neither the others nor the job. */
    public static FleetListener toAll(CopyOnWriteArrayList<FleetListener> listeners, Consumer<String> problems) {
        return new FleetListener() {
            private void each(Consumer<FleetListener> what) {
                for (FleetListener listener : listeners) {
                    try {
                        what.accept(listener);
                    } catch (RuntimeException defect) {
                        problems.accept(
                                "a defect of Argus in " + listener.getClass().getSimpleName() + ": " + defect);
                    }
                }
            }

            @Override
            public void appeared(JobView job) {
                each(l -> l.appeared(job));
            }

            @Override
            public void step(JobView job, Rows.Step step, List<Rows.Phase> phases) {
                each(l -> l.step(job, step, phases));
            }

            @Override
            public void incident(JobView job, IncidentChange change) {
                each(l -> l.incident(job, change));
            }

            @Override
            public void forgotten(JobView job) {
                each(l -> l.forgotten(job));
            }
        };
    }
}
