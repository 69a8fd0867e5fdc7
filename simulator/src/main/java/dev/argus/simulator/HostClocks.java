package dev.argus.simulator;

/** The clock of every host: an offset and a drift against true time. */
final class HostClocks {
    static final long BASE = 1_751_410_836_000_000_000L;
    private static final long LEAD = 3_690_164_649_000_000L;
    private long start;
    private final long[] offsets;
    private final double[] drifts;

    HostClocks(Scenario scenario) {
        int hosts = scenario.layout().hosts();
        start = BASE + LEAD + scenario.startNanos();
        offsets = new long[hosts];
        drifts = new double[hosts];
        for (int host = 0; host < hosts; host++) {
            long bits = Noise.bits(scenario.seed(), host, -9, 0);
            offsets[host] =
                    (long) ((2 * Noise.unit(bits) - 1) * scenario.dialect().clockSkewNanos());
            drifts[host] = (2 * Noise.unit(Noise.bits(bits, 1, 0, 0)) - 1)
                    * scenario.dialect().driftPpm()
                    * 1e-6;
        }
    }

    /**
     * Clocks that are all right.
     *
     * @param startNanos what they show at the true time 0
     */
    HostClocks(int hosts, long startNanos) {
        this.start = startNanos;
        this.offsets = new long[hosts];
        this.drifts = new double[hosts];
    }

    /** The job stood still for so long, and nobody in it has noticed: all clocks show so much more from now on. */
    void shift(long nanos) {
        start += nanos;
    }

    /** What the clock of a host shows at a true time. */
    long shown(int host, long trueNanos) {
        return start + trueNanos + offsets[host] + (long) (trueNanos * drifts[host]);
    }

    /** Offset of a host, microseconds. */
    double offsetMicros(int host) {
        return offsets[host] / 1000.0;
    }
}
