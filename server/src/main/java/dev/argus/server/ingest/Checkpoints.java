package dev.argus.server.ingest;

import dev.argus.model.IncidentState;
import dev.argus.model.SafeText;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.storage.StoreFullException;
import dev.argus.transport.FrameReceiver;
import dev.argus.transport.ReceiverSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what agents may then forget: rows, the state of every job and how far every agent was, all of one moment and all at once.
 *
 * <p>The moment: no frame is being taken while a request goes into each job's inbox and the cursors are copied. Each job writes its state when it comes to that request, which is after the frames that
 * the cursors count, and before all others. Only when all of it is committed do agents hear that their frames are safe.
 *
 * <p>A job that does not answer in time costs only itself: of it stays kept what was kept before, rows, state and cursors, and when its answer comes the next checkpoint keeps that, with the cursors of the moment
 * at which it was asked.
 *
 * <p>One thread, which calls {@link #take}. What a commit refused (no room) goes along with the next one.
 */
public final class Checkpoints {
    /** Name of the cursors among the state. */
    static final String CURSORS = "cursors";

    /** Begin of the names of states of jobs. */
    static final String JOB = "job:";

    /** Incidents of jobs that nobody watches any more are ended so many at a time, and jobs looked at. */
    private static final int MOST_ENDED = 10_000;

    private static final long PATIENCE_NANOS = 15_000_000_000L;

    private final FrameReceiver receiver;
    private final Jobs jobs;
    private final Store store;
    private final ServerClock clock;
    private final Map<String, Supplier<byte[]>> others;
    private final long patienceNanos;

    /** Rows that no commit has taken, by job. */
    private final Map<String, JobRows> left = new HashMap<>();

    /** Jobs that have not answered yet, with the moment at which they were asked. */
    private final Map<JobHost, Cut> late = new HashMap<>();

    private record Cut(ReceiverSnapshot<?> at, CompletableFuture<JobPart> part) {}

    private Set<String> keptJobs = Set.of();
    private Map<String, byte[]> keptOthers = Map.of();
    private volatile Status status = new Status(0, 0, 0, 0, "");
    private long workNanos;

    /**
     * How it goes.
     *
     * @param number number of the last one
     * @param atNanos when it was begun, or found to keep nothing new, nanoseconds since the Unix epoch; 0 before the first
     * @param tookNanos how long it took
     * @param stateBytes bytes of the state
     * @param problem why the newest one failed, empty when it did not
     * @param without jobs of which the newest one keeps nothing new: they did not answer in time, or could not say their state
     */
    public record Status(
            long number, long atNanos, long tookNanos, long stateBytes, String problem, Set<String> without) {
        private static final Pattern NUMBERS = Pattern.compile("[0-9]+");

        /** Copies the set. */
        public Status {
            without = Set.copyOf(without);
        }

        /** Without no job. */
        public Status(long number, long atNanos, long tookNanos, long stateBytes, String problem) {
            this(number, atNanos, tookNanos, stateBytes, problem, Set.of());
        }

        /** Whether a problem is the one of this, whatever its numbers: how much room there is, and is needed, changes each time. */
        public boolean isProblem(String now) {
            return NUMBERS.matcher(now)
                    .replaceAll("0")
                    .equals(NUMBERS.matcher(problem).replaceAll("0"));
        }
    }

    /** @param others further state of the server by name, each written when a checkpoint is taken */
    public Checkpoints(
            FrameReceiver receiver, Jobs jobs, Store store, ServerClock clock, Map<String, Supplier<byte[]>> others) {
        this(receiver, jobs, store, clock, others, PATIENCE_NANOS);
    }

    /** @param patienceNanos how long it waits for jobs */
    Checkpoints(
            FrameReceiver receiver,
            Jobs jobs,
            Store store,
            ServerClock clock,
            Map<String, Supplier<byte[]>> others,
            long patienceNanos) {
        this.receiver = receiver;
        this.jobs = jobs;
        this.store = store;
        this.clock = clock;
        this.others = Map.copyOf(others);
        this.patienceNanos = patienceNanos;
    }

    /** What the last one took of the cores, about: without the time in which it waited for jobs that had frames to judge first. */
    long workNanos() {
        return workNanos;
    }

    /** True if a job should not have to wait long for the next one, for its rows might find no room. Not where rows cannot be kept anyway. */
    boolean urgent() {
        return status.problem().isEmpty() && jobs.hosts().stream().anyMatch(h -> h.crowded() && !late.containsKey(h));
    }

    /** How it goes; from any thread. */
    public Status status() {
        return status;
    }

    /**
     * Goes on where the last one was taken. To be called before anything is received.
     *
     * @return what could not be restored, in sentences
     */
    public List<String> restore() throws IOException {
        List<String> problems = new ArrayList<>();
        Map<String, byte[]> state = store.state();
        byte[] cursors = state.get(CURSORS);
        if (cursors != null) {
            receiver.restore(cursors);
        }
        state.forEach((name, bytes) -> {
            if (name.startsWith(JOB)) {
                String problem = jobs.restore(name.substring(JOB.length()), bytes);
                if (!problem.isEmpty()) {
                    problems.add("what was learnt of job " + SafeText.of(name.substring(JOB.length()), 80)
                            + " is lost: " + problem);
                }
            }
        });
        endUnknown();
        return problems;
    }

    /** Ends what was kept as lasting and no watch knows: of jobs whose state could not be read, or that are not watched any more. */
    private void endUnknown() throws IOException {
        Map<String, Set<String>> known = new HashMap<>();
        end(row -> known.computeIfAbsent(row.job(), jobs::lasting).contains(row.id()), null);
    }

    private void end(Predicate<Rows.Incident> known, @Nullable String job) throws IOException {
        List<Rows.Incident> unknown = new ArrayList<>();
        for (IncidentState state : IncidentState.values()) {
            if (state != IncidentState.RESOLVED) {
                store.incidents(job, state.text(), MOST_ENDED).stream()
                        .filter(known.negate())
                        .forEach(unknown::add);
            }
        }
        if (unknown.isEmpty()) {
            return;
        }
        List<Rows.Job> heard = store.jobs(MOST_ENDED);
        for (Rows.Incident row : unknown) {
            long until = heard.stream()
                    .filter(j -> j.job().equals(row.job()) && j.attempt() == row.attempt())
                    .mapToLong(Rows.Job::lastNanos)
                    .max()
                    .orElse(row.atNanos());
            left.computeIfAbsent(row.job(), j -> new JobRows())
                    .add(IncidentRows.ended(whole(row), until, clock.nanos()));
        }
    }

    /** A row of the list with its document. */
    private Rows.Incident whole(Rows.Incident row) throws IOException {
        return store.changes(row.id()).stream()
                .filter(change -> change.job().equals(row.job()))
                .reduce((before, newest) -> newest)
                .orElse(row);
    }

    /** True if one would keep what the last one has kept. What receivers know changes only with what jobs are told. */
    private boolean nothingNew() {
        Collection<JobHost> hosts = jobs.hosts();
        return status.number() > 0
                && status.problem().isEmpty()
                && status.without().isEmpty()
                && left.isEmpty()
                && late.isEmpty()
                && hosts.stream().noneMatch(JobHost::unkept)
                && hosts.stream().map(JobHost::job).collect(Collectors.toSet()).equals(keptJobs)
                && others.entrySet().stream()
                        .allMatch(o -> Arrays.equals(
                                keptOthers.get(o.getKey()), o.getValue().get()));
    }

    /** Takes one, if there is anything new to keep. Returns false when it could not be kept: the problem is in the status, and everything is kept for the next one. */
    public boolean take() throws InterruptedException {
        long begin = clock.nanos();
        workNanos = 0;
        if (nothingNew()) {
            Status before = status;
            status = new Status(before.number(), begin, before.tookNanos(), before.stateBytes(), "");
            return true;
        }
        try {
            return take(begin);
        } catch (RuntimeException | Error defect) {
            return failed(begin, "a defect of Argus: " + SafeText.sentence(defect.toString()));
        }
    }

    private boolean take(long begin) throws InterruptedException {
        late.keySet().retainAll(jobs.hosts());
        ReceiverSnapshot<Map<JobHost, CompletableFuture<JobPart>>> all = receiver.snapshot(() -> {
            Map<JobHost, CompletableFuture<JobPart>> asked = new HashMap<>();
            jobs.hosts().stream().filter(h -> !late.containsKey(h)).forEach(h -> asked.put(h, h.part()));
            return asked;
        });
        endForgotten();
        Map<JobHost, Cut> cuts = new HashMap<>(late);
        late.clear(); // those that do not answer come back
        all.state().forEach((host, part) -> cuts.put(host, new Cut(all, part)));
        Map<String, byte[]> state = new HashMap<>();
        Map<String, ReceiverSnapshot<?>> earlier = new HashMap<>();
        Set<String> without = new HashSet<>();
        gather(cuts, all.state().keySet(), state, earlier, without);
        long gathered = System.nanoTime();
        ReceiverSnapshot<?> snapshot = all.but(without, earlier);
        state.put(CURSORS, snapshot.cursors());
        Map<String, byte[]> further = new HashMap<>();
        others.forEach((name, bytes) -> further.put(name, bytes.get()));
        state.putAll(further);
        JobRows rows = new JobRows();
        left.forEach((job, of) -> {
            if (!without.contains(job)) {
                rows.addAll(of);
            }
        });
        try {
            if (!without.isEmpty()) {
                Map<String, byte[]> before = store.state();
                without.forEach(job -> {
                    byte[] kept = before.get(JOB + job);
                    if (kept != null) {
                        state.put(JOB + job, kept);
                    }
                });
            }
            store.commit(rows.batch(store.committed() + 1, begin, state));
        } catch (StoreFullException full) {
            return failed(begin, String.valueOf(full.getMessage()));
        } catch (IOException broken) {
            return failed(begin, "the store does not work: " + broken.getMessage());
        } finally {
            workNanos += System.nanoTime() - gathered; // also of one that was in vain
        }
        left.keySet().retainAll(without);
        receiver.stored(snapshot);
        keptOthers = further;
        keptJobs = state.keySet().stream()
                .filter(name -> name.startsWith(JOB))
                .map(name -> name.substring(JOB.length()))
                .collect(Collectors.toSet());
        long bytes = state.values().stream().mapToLong(b -> b.length).sum();
        status = new Status(store.committed(), begin, clock.nanos() - begin, bytes, "", without);
        return true;
    }

    private void endForgotten() {
        for (String job : jobs.takeForgotten()) {
            try {
                end(row -> false, job);
            } catch (IOException unreadable) {
                // the next start ends them
            }
        }
    }

    /**
     * Waits for what jobs keep.
     *
     * @param asked jobs that were asked just now: of others only what is there already is taken
     */
    private void gather(
            Map<JobHost, Cut> cuts,
            Set<JobHost> asked,
            Map<String, byte[]> state,
            Map<String, ReceiverSnapshot<?>> earlier,
            Set<String> without)
            throws InterruptedException {
        long until = System.nanoTime() + patienceNanos;
        for (var entry : cuts.entrySet()) {
            JobHost host = entry.getKey();
            Cut cut = entry.getValue();
            boolean now = asked.contains(host);
            long wait = now ? Math.max(0, until - System.nanoTime()) : 0;
            try {
                JobPart part = cut.part().get(wait, TimeUnit.NANOSECONDS);
                workNanos += part.workNanos();
                left.computeIfAbsent(host.job(), j -> new JobRows()).addAll(part.rows());
                state.put(JOB + part.job(), part.state());
                if (!now) {
                    earlier.put(host.job(), cut.at());
                }
            } catch (CancellationException ended) {
                // forgotten meanwhile
            } catch (TimeoutException notYet) {
                late.put(host, cut);
                without.add(host.job());
            } catch (ExecutionException defect) {
                without.add(host.job()); // asked again next time
            }
        }
    }

    private boolean failed(long begin, String problem) {
        Status before = status;
        status = new Status(
                before.number(),
                before.atNanos(),
                clock.nanos() - begin,
                before.stateBytes(),
                problem,
                before.without());
        return false;
    }
}
