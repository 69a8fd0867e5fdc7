package dev.argus.benchmarks.accuracy;

import dev.argus.engine.Concluded;
import dev.argus.model.Incident;
import dev.argus.model.Level;
import dev.argus.simulator.FaultTruth;
import dev.argus.simulator.Layout;
import dev.argus.simulator.Truth;
import java.util.EnumMap;
import java.util.Map;

/**
 * How many steps a fault needs before it is named, by level: the job is judged after its first affected step, after two, and
 * so on. 1 = the first affected step was enough. A level counts when it takes part in an alarm that names the fault exactly.
 */
final class Delays {
    /** Never, within the steps looked at. */
    static final int NEVER = 99;

    private static final int LOOK_AHEAD = 6;

    /** Steps before a fault from which on the times of its steps have something to stand out from. */
    static final int BEFORE = 2;

    private Delays() {}

    /** True where the recording begins before the fault. */
    static boolean seesOnset(JobRecords records, FaultTruth fault) {
        return fault.firstStep() - records.steps().getFirst() >= BEFORE;
    }

    static Map<Level, Integer> of(JobRecords records, Layout layout, Truth truth, FaultTruth fault) {
        Map<Level, Integer> delays = new EnumMap<>(Level.class);
        for (int delay = 1; delay <= LOOK_AHEAD && delays.size() < 3; delay++) {
            long step = fault.firstStep() + delay - 1L;
            if (step > records.steps().getLast()) {
                break;
            }
            Concluded concluded = records.conclude(step);
            for (Incident incident : Scoreboard.naming(layout, truth, fault, Answer.of(concluded))) {
                for (Level level : incident.levels()) {
                    delays.putIfAbsent(level, delay);
                }
            }
        }
        return delays;
    }
}
