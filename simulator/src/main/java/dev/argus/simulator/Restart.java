package dev.argus.simulator;

import java.util.ArrayList;
import java.util.List;

/** Draws the next attempt of a job: restarted from a checkpoint some minutes later, its ranks on other GPUs, the same GPU at fault. */
final class Restart {
    private static final long PAUSE_NANOS = 240_000_000_000L;
    private static final int REPEATED = 2;

    private Restart() {}

    static Scenario after(Scenario before, Wish wish) {
        Layout layout = before.layout().restarted();
        Draw draw = new Draw(before.seed() * 31 + 17);
        int first = Math.max(0, before.lastStep() - REPEATED);
        int last = first + before.stepCount() - 1;
        Scenario.Builder next = Scenario.builder(layout, before.model())
                .name(before.name())
                .seed(draw.seed())
                .steps(first, last)
                .noise(before.noise())
                .dialect(before.dialect())
                .damage(before.damage())
                .startNanos(before.startNanos() + PAUSE_NANOS);
        before.disturbances().forEach(next::disturbance);
        List<Fault> earlier = new ArrayList<>(before.faults());
        for (ScenarioKind kind : wish.kinds) {
            if (!kind.faulty() || earlier.isEmpty()) {
                continue;
            }
            FaultSteps steps = new FaultSteps(draw, first, last, Wish.of(wish.seed, kind));
            int[] culprits = earlier.getFirst().ranks(before.layout());
            int rank = culprits.length == layout.world() ? -1 : layout.rankWhere(before.layout(), culprits[0]);
            for (Fault fault : new FaultDraw(draw, layout, before.model(), steps, rank).of(kind)) {
                next.fault(earlier.isEmpty() ? fault : alike(fault, earlier.removeFirst()));
            }
        }
        return next.build();
    }

    private static Fault alike(Fault fault, Fault earlier) {
        return fault.pauseNanos() > 0
                ? fault.scaled(earlier.pauseNanos() / (double) fault.pauseNanos())
                : fault.scaled(earlier.severity() / fault.severity());
    }
}
