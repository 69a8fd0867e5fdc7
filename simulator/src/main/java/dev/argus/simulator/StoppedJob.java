package dev.argus.simulator;

import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that stands still: the steps that ended, and how far each rank came in the one that did not.
 *
 * <p>Of the steps there are traces, as a profiler has written them before. Of the step that never ends there is none, for a profiler writes when its steps are over; what is left of it are
 * flight recorder dumps.
 */
public final class StoppedJob {
    private static final int TRIES = 20;

    private final SimulatedJob before;
    private final List<RankStep> unfinished;
    private final HangKind kind;
    private final int rank;
    private final RankSet suspects;
    private final @Nullable Group group;

    private StoppedJob(
            SimulatedJob before,
            List<RankStep> unfinished,
            HangKind kind,
            int rank,
            RankSet suspects,
            @Nullable Group group) {
        this.before = before;
        this.unfinished = unfinished;
        this.kind = kind;
        this.rank = rank;
        this.suspects = suspects;
        this.group = group;
    }

    /**
     * Simulates it.
     *
     * @param scenario who runs what; its steps before the stop are recorded
     * @param rank who stops, or in whose group a collective never ends; -1: drawn from the scenario's seed
     * @param step in which step, above its first one; -1: behind its last one
     * @throws IllegalArgumentException if the step is no such step, the rank is none of the job, or the rank meets nobody in a collective
     */
    public static StoppedJob run(Scenario scenario, HangKind kind, int rank, int step) {
        int stop = step < 0 ? scenario.lastStep() + 1 : step;
        Layout layout = scenario.layout();
        if (stop <= scenario.firstStep()) {
            throw new IllegalArgumentException("the job stops in step " + stop + ", must be above "
                    + scenario.firstStep() + ", its first recorded step");
        }
        if (rank >= layout.world() || layout.world() < 2) {
            throw new IllegalArgumentException(
                    "rank is " + rank + ", must be one of " + layout.world() + " ranks, 2 or more");
        }
        long bits = Noise.bits(scenario.seed(), stop, -31, 0);
        int who = rank >= 0 ? rank : (int) Math.floorMod(bits >>> 8, (long) layout.world());
        Scenario recorded = scenario.withSteps(scenario.firstStep(), stop - 1);
        Machine machine = new Machine(recorded);
        List<List<RankStep>> steps = new ArrayList<>();
        for (int number = recorded.firstStep() - 1; number < stop; number++) {
            List<RankStep> all = machine.run(number);
            if (number >= recorded.firstStep()) {
                steps.add(all);
            }
        }
        Program program = steps.getLast().get(who).program();
        double fraction = 0.2 + 0.6 * Noise.unit(bits);
        if (kind == HangKind.HANG) {
            RankSet one = RankSet.of(who);
            machine.stop(new LiveStop(LiveStop.Kind.CPU, one, stop, fraction));
            return new StoppedJob(new SimulatedJob(recorded, steps), machine.run(stop), kind, who, one, null);
        }
        for (int i = 0; i < TRIES; i++) {
            double at = (fraction + i / (double) TRIES) % 1;
            Group group = groupAt(program, layout, who, stop, at);
            if (group != null) {
                machine.stop(new LiveStop(LiveStop.Kind.COLLECTIVE, group.members(), stop, at));
                return new StoppedJob(
                        new SimulatedJob(recorded, steps), machine.run(stop), kind, who, group.members(), group);
            }
        }
        throw new IllegalArgumentException(
                "rank " + who + " meets nobody in a collective; give another rank or layout");
    }

    /** The group whose collective is there; null if it is one of all ranks over stages, which have other programs. */
    private static @Nullable Group groupAt(Program program, Layout layout, int rank, int step, double fraction) {
        int at = new LiveStop(LiveStop.Kind.COLLECTIVE, RankSet.of(rank), step, fraction).at(program, rank, step);
        GroupKind kind = at < 0 ? null : program.ops[at].group();
        Group group = kind == null || kind == GroupKind.WORLD ? null : layout.group(rank, kind);
        return group == null || group.size() < 2 ? null : group;
    }

    /** The steps that ended. */
    public SimulatedJob before() {
        return before;
    }

    /** The step that never ends. */
    public int step() {
        return before.scenario().lastStep() + 1;
    }

    /** What stopped it. */
    public HangKind kind() {
        return kind;
    }

    /** Who is at fault: the rank that stopped, or all of the group, none of which differs from the others. */
    public RankSet suspects() {
        return suspects;
    }

    /** Whose collective never ends, or null. */
    @Nullable
    Group group() {
        return group;
    }

    /** How far a rank came: its last step that ended, and the one that does not. */
    List<RankStep> last(int of) {
        return List.of(before.step(before.scenario().stepCount() - 1).get(of), unfinished.get(of));
    }

    /** The rank that was drawn or wanted. */
    int rank() {
        return rank;
    }
}
