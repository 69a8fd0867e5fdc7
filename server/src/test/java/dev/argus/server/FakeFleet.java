package dev.argus.server;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.LiveWaits;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.server.job.JobView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Jobs in a list. */
public final class FakeFleet implements Fleet {
    public final List<JobView> jobs = new CopyOnWriteArrayList<>();
    public final Map<String, HeatMapData> heatMaps = new ConcurrentHashMap<>();
    public final List<KernelPicture> pictures = new ArrayList<>();
    public final Map<String, LiveWaits> waits = new ConcurrentHashMap<>();
    public final List<FleetListener> listeners = new ArrayList<>();

    @Override
    public List<JobView> jobs() {
        return jobs;
    }

    @Override
    public Optional<JobView> job(String name) {
        return jobs.stream().filter(j -> j.job().equals(name)).findFirst();
    }

    @Override
    public Optional<HeatMapData> heatMap(String name, HeatValue value, long from, long to) {
        return Optional.ofNullable(heatMaps.get(name));
    }

    @Override
    public List<KernelPicture> kernels(String name, int most) {
        return pictures.stream().limit(most).toList();
    }

    @Override
    public Optional<LiveWaits> waits(String name) {
        return Optional.ofNullable(waits.get(name));
    }

    @Override
    public void listen(FleetListener listener) {
        listeners.add(listener);
    }
}
