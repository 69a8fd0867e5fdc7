package dev.argus.agent;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.StackRecord;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Diagnoses the jobs of this host here, without a server: what an agent does that was told of none. One thread.
 *
 * <p>Bounded: at most {@value #MOST_JOBS} jobs; of more, the one that was silent longest is forgotten.
 */
public final class LocalJobs implements CollectorSink {
    static final int MOST_JOBS = 64;

    private final NameTable names;
    private final Thresholds thresholds;
    private final LiveOptions options;
    private final BiConsumer<String, IncidentChange> listener;
    private final Map<String, LiveJob> jobs = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, Map<String, Long>> losses = new TreeMap<>();

    /** @param listener hears of every change, with the name of the job */
    public LocalJobs(
            NameTable names, Thresholds thresholds, LiveOptions options, BiConsumer<String, IncidentChange> listener) {
        this.names = names;
        this.thresholds = thresholds;
        this.options = options;
        this.listener = listener;
    }

    private LiveJob job(String name) {
        LiveJob job = jobs.get(name);
        if (job == null) {
            if (jobs.size() >= MOST_JOBS) {
                jobs.remove(jobs.keySet().iterator().next());
            }
            job = new LiveJob(names, thresholds, options);
            jobs.put(name, job);
        }
        return job;
    }

    @Override
    public void declare(String job, RankDeclaration declaration, long nowNanos) {
        job(job).declare(declaration, nowNanos);
    }

    @Override
    public void step(String job, RankStep step, long nowNanos) {
        job(job).take(step, nowNanos);
    }

    @Override
    public void state(String job, RankState state, long nowNanos) {
        job(job).take(state, nowNanos);
    }

    @Override
    public void flight(String job, FlightRecord flight, long nowNanos) {
        job(job).take(flight, nowNanos);
    }

    @Override
    public void stacks(String job, StackRecord record, long nowNanos) {
        job(job).take(record);
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
        for (Map.Entry<String, LiveJob> e : Map.copyOf(jobs).entrySet()) {
            e.getValue().tick(nowNanos).changes().forEach(change -> listener.accept(e.getKey(), change));
        }
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
