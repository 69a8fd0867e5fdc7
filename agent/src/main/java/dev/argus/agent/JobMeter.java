package dev.argus.agent;

import dev.argus.agent.feed.Cut;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.OverheadReading;
import dev.argus.model.StepDigest;

/** What watching one job costs: the steps of one of its ranks with recording and without, and what the agent itself uses. One thread. */
final class JobMeter {
    private final OverheadMeter meter = new OverheadMeter();
    private int rank = Integer.MAX_VALUE;
    private int attempt;
    private long on;
    private long off;
    private long readNanos;
    private long readCpuNanos;

    /** Takes the steps of a rank; all ranks take turns together, so one is enough: the lowest. */
    void take(Cut cut) {
        for (RankStep s : cut.steps()) {
            StepDigest d = s.digest();
            if (d.rank() > rank && d.attempt() == attempt) {
                return;
            }
            rank = d.rank();
            attempt = d.attempt();
            boolean recorded = !cut.unrecorded().contains(d.step());
            on += recorded ? 1 : 0;
            off += recorded ? 0 : 1;
            meter.add(d.step(), (double) d.durationNanos(), recorded);
        }
    }

    /** What recording adds to a step. */
    OverheadMeter.Estimate estimate() {
        return meter.estimate();
    }

    /** A reading since the last one. */
    OverheadReading read(OwnCost.Used used, long nowNanos) {
        OverheadMeter.Estimate e = meter.estimate();
        OverheadReading reading = new OverheadReading(
                attempt,
                readNanos == 0 ? nowNanos : readNanos,
                nowNanos,
                readNanos == 0 ? 0 : Math.max(0, used.cpuNanos() - readCpuNanos),
                used.memoryBytes(),
                on,
                off,
                e.ratio(),
                known(e.low()),
                known(e.high()));
        readNanos = nowNanos;
        readCpuNanos = used.cpuNanos();
        on = 0;
        off = 0;
        return reading;
    }

    private static double known(double bound) {
        return Double.isInfinite(bound) ? Double.NaN : bound;
    }
}
