package dev.argus.agent;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.DataProblem;
import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.RankState;
import dev.argus.model.SafeText;
import dev.argus.model.StackRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Diagnoses the jobs of this host here, without a server: what an agent does that was told of none. One thread.
 *
 * <p>A defect in the diagnosis of a job ends that diagnosis, is counted and said, and leaves the others alone.
 *
 * <p>Bounded: at most {@value #MOST_JOBS} jobs; of more, the one that was silent longest is forgotten.
 */
public final class LocalJobs implements CollectorSink {
    static final int MOST_JOBS = 64;

    private final Function<String, LiveJob> maker;
    private final BiConsumer<String, IncidentChange> listener;
    private final Map<String, LiveJob> jobs = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<String> givenUp = new HashSet<>();
    private final List<DataProblem> problems = new ArrayList<>();
    private long defects;
    private final Map<String, Map<String, Long>> losses = new TreeMap<>();

    /** @param listener hears of every change, with the name of the job */
    public LocalJobs(
            NameTable names, Thresholds thresholds, LiveOptions options, BiConsumer<String, IncidentChange> listener) {
        this(job -> new LiveJob(names, thresholds, options), listener);
    }

    LocalJobs(Function<String, LiveJob> maker, BiConsumer<String, IncidentChange> listener) {
        this.maker = maker;
        this.listener = listener;
    }

    private LiveJob job(String name) {
        LiveJob job = jobs.get(name);
        if (job == null) {
            if (jobs.size() >= MOST_JOBS) {
                jobs.remove(jobs.keySet().iterator().next());
            }
            job = maker.apply(name);
            jobs.put(name, job);
        }
        return job;
    }

    /** A defect of ours in one job must not end the diagnosis of the others, nor the watch over the process whose record met it. */
    private void guarded(String name, Consumer<LiveJob> use) {
        if (givenUp.contains(name)) {
            return;
        }
        try {
            use.accept(job(name));
        } catch (RuntimeException defect) {
            defects++;
            jobs.remove(name);
            if (givenUp.size() < MOST_JOBS) {
                givenUp.add(name);
                problems.add(new DataProblem(
                        "internal-error",
                        RankSet.EMPTY,
                        SafeText.of("job " + (name.isEmpty() ? "without a name" : name)
                                + " is not diagnosed any more, because of a defect of Argus (" + defect
                                + "); please report it; start the agent again to try again")));
            }
        }
    }

    @Override
    public void declare(String job, RankDeclaration declaration, long nowNanos) {
        guarded(job, j -> j.declare(declaration, nowNanos));
    }

    @Override
    public void step(String job, RankStep step, long nowNanos) {
        guarded(job, j -> j.take(step, nowNanos));
    }

    @Override
    public void state(String job, RankState state, long nowNanos) {
        guarded(job, j -> j.take(state, nowNanos));
    }

    @Override
    public void flight(String job, FlightRecord flight, long nowNanos) {
        guarded(job, j -> j.take(flight, nowNanos));
    }

    @Override
    public void stacks(String job, StackRecord record, long nowNanos) {
        guarded(job, j -> j.take(record));
    }

    @Override
    public void lost(String job, int rank, String reason, long count, long nowNanos) {
        losses.computeIfAbsent(job, j -> new TreeMap<>()).merge(reason, count, Long::sum);
    }

    @Override
    public void overhead(String job, OverheadReading reading, long nowNanos) {
        // what an agent costs is said when it is asked
    }

    @Override
    public void tick(long nowNanos) {
        for (String job : List.copyOf(jobs.keySet())) {
            List<IncidentChange> changes = new ArrayList<>();
            guarded(job, j -> changes.addAll(j.tick(nowNanos).changes()));
            changes.forEach(change -> listener.accept(job, change));
        }
    }

    @Override
    public List<DataProblem> problems() {
        return List.copyOf(problems);
    }

    /** Defects of ours that were met, each of which ended the diagnosis of a job. */
    public long defects() {
        return defects;
    }

    /** The jobs by name. */
    public Map<String, LiveJob> jobs() {
        return Collections.unmodifiableMap(jobs);
    }

    /** What producers dropped, by job and reason. */
    public Map<String, Map<String, Long>> losses() {
        return Collections.unmodifiableMap(losses);
    }
}
