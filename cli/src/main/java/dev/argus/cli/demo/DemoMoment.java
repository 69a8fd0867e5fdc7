package dev.argus.cli.demo;

import dev.argus.simulator.LiveFault;
import java.util.List;

/**
 * How far the simulated job is, and what is wrong with it.
 *
 * @param step the step that runs, -1 before the first
 * @param faults the faults that have begun so far, by their beginning
 */
record DemoMoment(int step, List<LiveFault> faults) {
    /** Faults that begin with a later step than the one that runs are not known yet. */
    static DemoMoment of(int step, List<LiveFault> drawn) {
        return new DemoMoment(
                step, drawn.stream().filter(f -> f.firstStep() <= step).toList());
    }
}
