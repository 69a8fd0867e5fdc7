package dev.argus.simulator;

import java.util.List;

/** Draws when a fault holds, unless it is given. */
final class FaultSteps {
    private final Draw draw;
    private final int first;
    private final int last;
    private final int onset;
    private final int duration;

    FaultSteps(Draw draw, int first, int last, Wish wish) {
        this.draw = draw;
        this.first = first;
        this.onset = wish.onset;
        this.duration = wish.duration;
        this.last = duration > 0 && onset >= 0 ? Math.min(last, onset + duration - 1) : last;
    }

    private When from(int drawn) {
        if (onset >= 0) {
            return When.always(onset, last);
        }
        return When.always(drawn, duration > 0 ? Math.min(last, drawn + duration - 1) : last);
    }

    /** Between two steps, as far as these are recorded. */
    private int drawn(int low, int high) {
        return Math.clamp(high < low ? first : draw.between(low, high), first, Math.max(first, last));
    }

    /** All recorded steps. */
    When all() {
        return from(first);
    }

    /** To the end, often from the beginning. */
    When lasting() {
        return draw.chance(0.3) ? from(first) : from(drawn(first + 2, first + (last - first) / 2 + 1));
    }

    /** To the end, from an early step. */
    When ramp() {
        return from(drawn(first, first + 2));
    }

    /** To the end, after enough steps to know how it was before. */
    When late() {
        return from(drawn(first + (last - first) / 2 - 1, first + (last - first) / 2 + 1));
    }

    /** From an early step, over well before the end. */
    When repaired() {
        When drawn = ramp();
        return duration > 0 ? drawn : When.always(drawn.from(), Math.max(drawn.from(), last - (last - first) / 3));
    }

    /** Comes and goes. */
    When flapping() {
        long pattern = draw.of(List.of(0x5L, 0x9L, 0x6DL, 0x33L, 0x2DL, 0x15L));
        When drawn = from(drawn(first, first + 2));
        return new When(drawn.from(), drawn.to(), pattern | 1L << Math.max(0, last - first - 2));
    }

    /** In one step, unless it is to last. */
    When once() {
        int step = onset >= 0 ? onset : drawn(first + 2, last - 1);
        return duration > 0 ? from(step) : When.once(step);
    }

    /** In one step, or now and then. */
    When now() {
        if (onset >= 0 || duration > 0) {
            return once();
        }
        return draw.chance(0.5)
                ? once()
                : new When(
                        drawn(first + 1, first + 3),
                        Math.max(first + 1, last - 1),
                        draw.of(List.of(0x5555L, -1L, 0x249L)));
    }
}
