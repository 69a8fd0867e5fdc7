package dev.argus.engine;

import dev.argus.model.StepDigest;

/**
 * What moves the bytes of a rank's collectives in a step, for that decides what their transfers can tell about links.
 *
 * <p>A GPU's interface moves them by itself. Where there is no GPU a thread of the process does, by copying: inside a host that is all there is, and it passes no
 * link; between hosts it is as long as the link makes it only while the process has a CPU whenever it wants one.
 */
public enum Mover {
    /** A GPU. */
    GPU,
    /** The CPU, which was there. */
    CPU,
    /** The CPU, which the rank had to wait for. */
    CPU_SHORT;

    /**
     * A rank that waits for a CPU during this share of its own time moves bytes at least so much slower: as much as the least excess a link is
     * accused for ({@link LinkSuspects}).
     */
    static final double SHORT_RATIO = 0.02;

    private static final Mover[] ALL = values();

    /** What moves them in one step of a rank. */
    static Mover of(StepDigest d) {
        if (d.gpu()) {
            return GPU;
        }
        long own = d.own().computeNanos() + d.own().copyNanos() + d.own().idleNanos();
        return RankWork.cpuWait(d) > SHORT_RATIO * own ? CPU_SHORT : CPU;
    }

    /** By its place among all; the one that tells least for a place that there is not. */
    static Mover at(int ordinal) {
        return ordinal >= 0 && ordinal < ALL.length ? ALL[ordinal] : CPU_SHORT;
    }

    /** Of several ranks the one that tells least. */
    Mover and(Mover other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
