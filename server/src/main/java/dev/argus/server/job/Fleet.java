package dev.argus.server.job;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.LiveWaits;
import java.util.List;
import java.util.Optional;

/** All jobs that a server watches. Thread-safe; what is returned is immutable and of one moment. */
public interface Fleet {
    /** All jobs, the one heard of last first. */
    List<JobView> jobs();

    /** One job by its exact name. */
    Optional<JobView> job(String name);

    /**
     * How each rank spent each of the newest steps; those that memory still holds.
     *
     * @param name job
     * @param from first step wanted
     * @param to last step wanted
     */
    Optional<HeatMapData> heatMap(String name, HeatValue value, long from, long to);

    /** Kernels of the newest window with the distances between ranks, most time first, for at most so many kernels. */
    List<KernelPicture> kernels(String name, int most);

    /** Who made whom wait in the newest steps of a job; empty when that is not known. */
    default Optional<LiveWaits> waits(String name) {
        return Optional.empty();
    }

    /** The same for the steps of an incident that is known now, as far as they are in memory; whom it accuses comes first. Empty when that is not known. */
    default Optional<LiveWaits> waits(String name, String incident) {
        return Optional.empty();
    }

    /** Who hears of changes from now on; called on the thread of the job, must be quick and not throw. */
    void listen(FleetListener listener);
}
