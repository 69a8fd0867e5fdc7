package dev.argus.benchmarks.accuracy;

import dev.argus.simulator.Damage;
import dev.argus.simulator.Dialect;
import dev.argus.simulator.Wish;

/** How well a job was recorded. */
public enum Recording {
    /** As the seed draws it: complete, in some dialect. */
    SOUND(""),
    ONE_MISSING("--damage one-missing"),
    HALF_MISSING("--damage half-missing"),
    CULPRIT_MISSING("--damage culprit-missing"),
    OTHER_WINDOWS("--damage other-windows"),
    DROPPED("--damage dropped"),
    DOUBLED("--damage doubled"),
    ONE_STEP("--steps 1"),
    NO_STEPS("--dialect no-steps"),
    NO_GROUPS("--dialect no-groups"),
    /** Two attempts, the ranks of the second on other GPUs. */
    RESTARTED("--attempts 2");

    private static final String DAMAGE = "--damage ";

    private final String options;

    Recording(String options) {
        this.options = options;
    }

    /** What {@code argus simulate} has to be told. */
    String options() {
        return options;
    }

    Wish applyTo(Wish wish) {
        Dialect plain = Dialect.PLAIN;
        return switch (this) {
            case SOUND, RESTARTED -> wish;
            case ONE_STEP -> wish.stepCount(1);
            case NO_STEPS ->
                wish.dialect(new Dialect(false, true, false, true, false, plain.clockSkewNanos(), plain.driftPpm()));
            case NO_GROUPS ->
                wish.dialect(new Dialect(false, false, true, true, false, plain.clockSkewNanos(), plain.driftPpm()));
            default -> wish.damage(Damage.of(options.substring(DAMAGE.length())));
        };
    }
}
