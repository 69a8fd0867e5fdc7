package dev.argus.ring;

/**
 * The control word: what a producer is asked to record, written by the agent in one store.
 *
 * <pre>
 *  bit 0        16          32         40          48       56           64
 *      | signals | one in n | steps on | steps off | attach | generation |
 * </pre>
 *
 * @param signals bits: 0 steps, 1 phases, 2 collectives, 3 kernels, 4 copies and sets, 5 launches, 6 operators, 7 graph nodes
 * @param oneIn kernels of one step in so many are recorded, 0..65535; 0 means 1
 * @param stepsOn steps recorded in a row, 0..255
 * @param stepsOff steps not recorded after them, 0..255; 0 = always on
 * @param attach raised by every reader that begins: names are defined anew, 0..255
 * @param generation raised with every other change, 0..255
 */
public record RingControl(int signals, int oneIn, int stepsOn, int stepsOff, int attach, int generation) {
    /** Bit of a signal. */
    public static final int STEPS = 1;

    /** Bit of phases and sub-phases. */
    public static final int PHASES = 1 << 1;

    /** Bit of collectives. */
    public static final int COLLECTIVES = 1 << 2;

    /** Bit of kernels. */
    public static final int KERNELS = 1 << 3;

    /** Bit of copies and sets. */
    public static final int COPIES = 1 << 4;

    /** Bit of launches. */
    public static final int LAUNCHES = 1 << 5;

    /** Bit of operators. */
    public static final int OPERATORS = 1 << 6;

    /** Bit of the nodes of graphs. */
    public static final int GRAPH_NODES = 1 << 7;

    /** As a file is made: everything the producer's environment allows. */
    public static final RingControl INITIAL = new RingControl(0xffff, 0, 0, 0, 0, 0);

    /** Checks the ranges. */
    public RingControl {
        check("signals", signals, 0xffff);
        check("oneIn", oneIn, 0xffff);
        check("stepsOn", stepsOn, 0xff);
        check("stepsOff", stepsOff, 0xff);
        check("attach", attach, 0xff);
        check("generation", generation, 0xff);
    }

    private static void check(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(name + " " + value + ": expected 0 to " + most);
        }
    }

    /** From the word; every word is one. */
    public static RingControl of(long word) {
        return new RingControl(
                (int) (word & 0xffff),
                (int) ((word >>> 16) & 0xffff),
                (int) ((word >>> 32) & 0xff),
                (int) ((word >>> 40) & 0xff),
                (int) ((word >>> 48) & 0xff),
                (int) ((word >>> 56) & 0xff));
    }

    /** The word. */
    public long word() {
        return signals
                | ((long) oneIn << 16)
                | ((long) stepsOn << 32)
                | ((long) stepsOff << 40)
                | ((long) attach << 48)
                | ((long) generation << 56);
    }

    /** With the next number of attach, after 255 comes 0. */
    RingControl attached() {
        return new RingControl(signals, oneIn, stepsOn, stepsOff, (attach + 1) & 0xff, generation);
    }

    /** The wanted settings under this one's attach, and the next generation. */
    RingControl changedTo(RingControl wanted) {
        return new RingControl(
                wanted.signals, wanted.oneIn, wanted.stepsOn, wanted.stepsOff, attach, (generation + 1) & 0xff);
    }

    /** True if a step is recorded at all, by the turns of on and off. */
    public boolean records(long step) {
        int turn = stepsOn + stepsOff;
        return stepsOff == 0 || Math.floorMod(step, turn) < stepsOn;
    }

    /** True if the kernels of a step are recorded, by the turns and by the sampling. */
    public boolean recordsKernels(long step) {
        return records(step) && (oneIn <= 1 || Math.floorMod(step, oneIn) == 0);
    }
}
