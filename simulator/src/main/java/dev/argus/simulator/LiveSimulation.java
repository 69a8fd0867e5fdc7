package dev.argus.simulator;

import dev.argus.simulator.LiveFaults.Drawn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that goes on without end: one step after the other, of which nothing is kept, with faults that come and go. What the truth is about each is known
 * ({@link LiveFault}), so that what is said of the job can be judged while it runs.
 *
 * <p>Cost of a step as of {@link Simulation#run}; footprint one step, and {@value #MOST_FAULTS} faults. Deterministic by the scenario's seed. Not thread-safe.
 */
public final class LiveSimulation {
    /** Faults remembered. */
    static final int MOST_FAULTS = 256;

    private final Scenario base;
    private final Machine machine;
    private final LiveFaults schedule;
    private final List<LiveFault> faults = new ArrayList<>();
    private final long stepNanos;
    private final long zeroNanos;
    private @Nullable Fault now;
    private @Nullable LiveStop stop;
    private int step;

    /**
     * A job.
     *
     * @param base who runs what; its first step is where it begins, its last one and its faults are not looked at
     * @param kinds faults drawn, of {@link #kinds}
     */
    public LiveSimulation(Scenario base, LivePace pace, List<ScenarioKind> kinds) {
        this.base = base.withFaults(List.of());
        this.machine = new Machine(this.base);
        List<RankStep> lead = machine.run(base.firstStep() - 2);
        List<RankStep> second = machine.run(base.firstStep() - 1);
        this.stepNanos = begin(second) - begin(lead);
        this.zeroNanos = begin(second) + stepNanos;
        this.schedule = new LiveFaults(this.base, pace, stepNanos, kinds);
        this.step = base.firstStep();
    }

    private static long begin(List<RankStep> all) {
        return all.stream().mapToLong(RankStep::begin).min().orElseThrow();
    }

    /** All kinds of faults that can be drawn. */
    public static List<ScenarioKind> kinds() {
        return LiveFaults.KINDS;
    }

    /** Simulates the next step: one entry a rank. */
    List<RankStep> next() {
        Fault running = now;
        if (running != null && step > running.when().to()) {
            become(null);
        }
        Drawn drawn = schedule.before(step);
        if (drawn != null) {
            become(drawn.fault());
            if (faults.size() == MOST_FAULTS) {
                faults.removeFirst();
            }
            faults.add(drawn.truth());
        }
        return machine.run(step++);
    }

    private void become(@Nullable Fault fault) {
        now = fault;
        machine.become(fault == null ? base : base.withFaults(List.of(fault)));
    }

    /** The job stands still from a step on that has not been simulated yet. */
    public void stop(LiveStop what) {
        machine.stop(what);
        stop = what;
    }

    /** What makes it stand still, or null. */
    @Nullable
    LiveStop stop() {
        return stop;
    }

    /** Who runs what. */
    public Scenario scenario() {
        return base;
    }

    /** Who runs where. */
    public Layout layout() {
        return base.layout();
    }

    /** Length of a healthy step. */
    public long stepNanos() {
        return stepNanos;
    }

    /** The simulated time at which its first step begins. */
    long zeroNanos() {
        return zeroNanos;
    }

    /** The faults so far, that which runs included. */
    public List<LiveFault> faults() {
        return List.copyOf(faults);
    }
}
