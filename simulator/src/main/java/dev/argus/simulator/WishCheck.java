package dev.argus.simulator;

import dev.argus.simulator.Layout.Dimension;

/** Says what contradicts itself in a wish, before dozens of jobs are drawn in vain. */
final class WishCheck {
    private static final int FEWEST_STEPS = 1;

    private WishCheck() {}

    static void check(Wish wish) {
        for (ScenarioKind kind : wish.kinds) {
            if (kind.faulty() && !wish.strengthGiven() && !wish.severity.fits(kind)) {
                throw new IllegalArgumentException("severity is " + wish.severity.word() + ", which " + kind.word()
                        + " cannot be; mild are compute, half, repaired and compute-flapping");
            }
            Layout layout = wish.layout;
            if (layout != null) {
                layout(kind, layout);
            }
        }
        steps(wish);
        Layout layout = wish.layout;
        if (layout != null && wish.rank >= layout.world()) {
            throw new IllegalArgumentException(
                    "rank is " + wish.rank + ", must be below " + layout.world() + ", the number of ranks");
        }
    }

    private static void layout(ScenarioKind kind, Layout layout) {
        ScenarioKind.Needs needs = kind.needs();
        int hosts = needs == ScenarioKind.Needs.MANY_HOSTS ? 3 : needs.hosts() ? 2 : 1;
        if (layout.hosts() < hosts) {
            throw new IllegalArgumentException(kind.word() + " needs " + hosts + " hosts or more, the layout has "
                    + layout.hosts() + "; give more ranks, or fewer GPUs a host");
        }
        dimension(kind, needs.tensor(), "tp", layout.size(Dimension.TP));
        dimension(kind, needs == ScenarioKind.Needs.STAGES, "pp", layout.size(Dimension.PP));
        dimension(kind, needs == ScenarioKind.Needs.EXPERTS, "ep", layout.expert());
    }

    private static void dimension(ScenarioKind kind, boolean needed, String name, int size) {
        if (needed && size < 2) {
            throw new IllegalArgumentException(
                    kind.word() + " needs " + name + " of 2 or more, the layout has " + name + "=" + size);
        }
    }

    private static void steps(Wish wish) {
        if (wish.stepCount != 0 && wish.stepCount < FEWEST_STEPS) {
            throw new IllegalArgumentException(
                    "steps are " + wish.stepCount + ", must be " + FEWEST_STEPS + " or more");
        }
        if (wish.onset >= 0 && wish.firstStep >= 0 && wish.stepCount > 0) {
            int last = wish.firstStep + wish.stepCount - 1;
            if (wish.onset < wish.firstStep || wish.onset > last) {
                throw new IllegalArgumentException(
                        "the fault begins at step " + wish.onset + ", must be in " + wish.firstStep + " to " + last);
            }
        }
    }
}
