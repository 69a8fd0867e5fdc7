package dev.argus.cli.demo;

import dev.argus.simulator.LivePace;
import dev.argus.simulator.LiveSimulation;
import dev.argus.simulator.ScenarioKind;
import java.util.List;

/**
 * What is demonstrated.
 *
 * @param ranks simulated GPUs, a multiple of 16 from 32
 * @param seed fixes the job and its faults
 * @param stepSeconds about how long a step takes
 * @param pace when faults come and go
 * @param kinds which faults
 * @param port port of the server, 0 for any that is free
 * @param seconds when to stop, 0 for never
 */
public record DemoOptions(
        int ranks, long seed, double stepSeconds, LivePace pace, List<ScenarioKind> kinds, int port, int seconds) {
    /** Ranks of the demonstration unless told otherwise. */
    public static final int RANKS = 1024;

    /** Most ranks: the rings of more fit no agent of a host. */
    public static final int MOST_RANKS = 2048;

    /** What {@link #ranks} must be a multiple of. */
    public static final int RANKS_STEP = 16;

    /** Least ranks. */
    public static final int LEAST_RANKS = 32;

    private static final double STEP_SECONDS = 2;

    /** A fault about every minute: 10 steps with it, 20 until the next. */
    private static final LivePace PACE = new LivePace(10, 10, 20);

    /** Copies the list. */
    public DemoOptions {
        kinds = List.copyOf(kinds);
    }

    /** All kinds of faults at the usual pace. */
    public static DemoOptions of(int ranks, long seed, int port, int seconds) {
        return new DemoOptions(ranks, seed, STEP_SECONDS, PACE, LiveSimulation.kinds(), port, seconds);
    }
}
