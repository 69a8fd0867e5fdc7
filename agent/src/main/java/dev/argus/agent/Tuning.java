package dev.argus.agent;

import dev.argus.model.AgentCommand.Retune;
import dev.argus.ring.RingControl;
import org.jspecify.annotations.Nullable;

/**
 * What of a rank's recording is to be other than it is; null leaves it as it is.
 *
 * @param signals bits as in the control word of the ring, 0 to 65,535
 * @param sampling kernels of one step in so many are recorded, 1 to 65,535
 * @param stepsOn steps recorded in a row, 1 to 255; needs {@code stepsOff}
 * @param stepsOff steps not recorded after them, 0 to 255; 0 for always recorded
 * @param stacksPerSecond samples of stacks, 0 for none, at most 1,000
 */
public record Tuning(
        @Nullable Integer signals,
        @Nullable Integer sampling,
        @Nullable Integer stepsOn,
        @Nullable Integer stepsOff,
        @Nullable Integer stacksPerSecond) {
    /** Changes nothing. */
    public static final Tuning NOTHING = new Tuning(null, null, null, null, null);

    private static final int MOST_WORD = 0xFFFF;
    private static final int MOST_TURN = 0xFF;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is outside
     */
    public Tuning {
        check("signals", signals, 0, MOST_WORD);
        check("sampling", sampling, 1, MOST_WORD);
        check("steps on", stepsOn, 1, MOST_TURN);
        check("steps off", stepsOff, 0, MOST_TURN);
        check("stacks a second", stacksPerSecond, 0, Retune.MOST_STACKS_PER_SECOND);
        if ((stepsOn == null) != (stepsOff == null)) {
            throw new IllegalArgumentException("turns need both a number of steps on and one of steps off");
        }
    }

    private static void check(String what, @Nullable Integer value, int least, int most) {
        if (value != null && (value < least || value > most)) {
            throw new IllegalArgumentException(what + " " + value + ", expected " + least + " to " + most);
        }
    }

    /** What a server asks for. */
    public static Tuning of(Retune command) {
        return new Tuning(command.signals(), command.sampling(), null, null, command.stacksPerSecond());
    }

    /** This, and on top of it a later one. */
    public Tuning then(Tuning later) {
        return new Tuning(
                later.signals == null ? signals : later.signals,
                later.sampling == null ? sampling : later.sampling,
                later.stepsOn == null ? stepsOn : later.stepsOn,
                later.stepsOff == null ? stepsOff : later.stepsOff,
                later.stacksPerSecond == null ? stacksPerSecond : later.stacksPerSecond);
    }

    /** True if nothing is to be other. */
    public boolean isNothing() {
        return equals(NOTHING);
    }

    /** The control word with this on top. */
    RingControl on(RingControl before) {
        return new RingControl(
                signals == null ? before.signals() : signals,
                sampling == null ? before.oneIn() : sampling,
                stepsOn == null ? before.stepsOn() : stepsOn,
                stepsOff == null ? before.stepsOff() : stepsOff,
                before.attach(),
                before.generation());
    }
}
