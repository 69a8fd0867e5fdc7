package dev.argus.cli.demo;

import dev.argus.simulator.Layout;
import dev.argus.simulator.LiveJobs;
import dev.argus.simulator.LiveSimulation;
import dev.argus.simulator.RingOutput;
import java.io.IOException;
import java.nio.file.Path;

/** The simulated job of a demonstration. One thread plays it; any may ask how far it is. */
final class DemoJob implements AutoCloseable {
    /** What it is called. */
    static final String NAME = "demo";

    private static final long BEFORE_FIRST_STEP_NANOS = 200_000_000L;

    private final LiveSimulation simulation;
    private final RingOutput rings;
    private volatile DemoMoment moment = new DemoMoment(-1, java.util.List.of());

    /** A job whose first step begins in a moment. */
    DemoJob(DemoOptions options, Path folder, long monoNanos, long realNanos) throws IOException {
        this.simulation = new LiveSimulation(
                LiveJobs.few(options.ranks(), options.seed(), options.stepSeconds()), options.pace(), options.kinds());
        this.rings = RingOutput.open(simulation, folder, NAME, monoNanos + BEFORE_FIRST_STEP_NANOS, realNanos);
    }

    /** Writes what has happened until now. */
    void until(long monoNanos, long realNanos) {
        rings.until(monoNanos, realNanos);
        moment = DemoMoment.of(rings.runningStep(), simulation.faults());
    }

    /** How far it is. */
    DemoMoment moment() {
        return moment;
    }

    Layout layout() {
        return simulation.layout();
    }

    /** Length of a healthy step. */
    double stepSeconds() {
        return simulation.stepNanos() / 1e9;
    }

    /** Records that found no room in their ring; none, for the job waits. */
    long lost() {
        return rings.lost();
    }

    @Override
    public void close() {
        rings.close();
    }
}
