package dev.argus.server.job;

import dev.argus.hostlocal.report.KernelPicture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A fleet that is as a test says. Thread-safe. */
public final class ScriptedFleet implements Fleet {
    private final Map<String, JobView> jobs = new ConcurrentHashMap<>();
    private final Map<String, HeatMapData> own = new ConcurrentHashMap<>();
    private final List<FleetListener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean broken;

    /** From now on the job is like that. */
    public void set(JobView job) {
        jobs.put(job.job(), job);
    }

    /** From now on its ranks spend so much on themselves. */
    public void own(String job, HeatMapData data) {
        own.put(job, data);
    }

    /** The job is gone. */
    public void forget(String name) {
        JobView gone = jobs.remove(name);
        if (gone != null) {
            listeners.forEach(l -> l.forgotten(gone));
        }
    }

    /** From now on heat maps fail. */
    public void breakHeatMaps() {
        broken = true;
    }

    /** Who listens. */
    public List<FleetListener> listeners() {
        return List.copyOf(listeners);
    }

    @Override
    public List<JobView> jobs() {
        List<JobView> all = new ArrayList<>(jobs.values());
        all.sort((a, b) -> Long.compare(b.heardNanos(), a.heardNanos()));
        return all;
    }

    @Override
    public Optional<JobView> job(String name) {
        return Optional.ofNullable(jobs.get(name));
    }

    @Override
    public Optional<HeatMapData> heatMap(String name, HeatValue value, long from, long to) {
        if (broken) {
            throw new IllegalStateException("as the test wants it");
        }
        return Optional.ofNullable(own.get(name));
    }

    @Override
    public List<KernelPicture> kernels(String name, int most) {
        return List.of();
    }

    @Override
    public void listen(FleetListener listener) {
        listeners.add(listener);
    }
}
