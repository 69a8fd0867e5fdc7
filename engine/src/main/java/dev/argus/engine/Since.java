package dev.argus.engine;

import java.util.Arrays;

/** What is left of findings and series from a step on. */
final class Since {
    private Since() {}

    /** Position of the first of ascending steps that is not before a step. */
    private static int at(long[] steps, long since) {
        int at = Arrays.binarySearch(steps, since);
        return at >= 0 ? at : -at - 1;
    }

    private static long[] from(long[] values, int at) {
        return Arrays.copyOfRange(values, at, values.length);
    }

    private static double[] from(double[] values, int at) {
        return Arrays.copyOfRange(values, at, values.length);
    }

    static WorkFinding cut(WorkFinding f, long since) {
        int at = at(f.steps(), since);
        return f.only(from(f.steps(), at), from(f.excessNanos(), at));
    }

    static LaunchFinding cut(LaunchFinding f, long since) {
        int at = at(f.steps(), since);
        return new LaunchFinding(
                f.attempt(),
                f.rank(),
                from(f.steps(), at),
                from(f.excessNanos(), at),
                from(f.idleNanos(), at),
                f.ratio(),
                Math.min(f.active(), f.steps().length - at),
                f.sigmas(),
                f.ownHistory(),
                f.observed(),
                f.itself());
    }

    static KernelFinding cut(KernelFinding f, long since) {
        return new KernelFinding(
                f.attempt(),
                f.peerSet(),
                f.rank(),
                f.kernel(),
                Math.max(f.firstStep(), since),
                f.lastStep(),
                f.ratio(),
                f.signedDistanceRatio(),
                f.modesRatio(),
                f.impactNanos(),
                f.kernelNanos(),
                f.steps(),
                f.sigma(),
                f.equalWork());
    }

    static WorkReference cut(WorkReference r, long since) {
        int at = at(r.steps(), since);
        return at == 0
                ? r
                : new WorkReference(
                        r.attempt(),
                        r.peerSet(),
                        r.ranks(),
                        from(r.steps(), at),
                        from(r.computeNanos(), at),
                        from(r.gapNanos(), at),
                        from(r.stepNanos(), at),
                        from(r.workItems(), at),
                        from(r.awayRatio(), at),
                        from(r.awayHostsRatio(), at),
                        r.computeNoiseRatio(),
                        r.workNoiseRatio());
    }

    static RankLoad cut(RankLoad l, long since) {
        int at = at(l.steps(), since);
        return at == 0 ? l : new RankLoad(l.attempt(), l.rank(), from(l.steps(), at), from(l.moreRatio(), at));
    }

    static StepTimes cut(StepTimes t, long since) {
        int at = at(t.steps(), since);
        return at == 0
                ? t
                : new StepTimes(t.attempt(), from(t.steps(), at), from(t.startNanos(), at), from(t.endNanos(), at));
    }

    static StepFinding cut(StepFinding f, long since) {
        int at = at(f.steps(), since);
        return at == 0
                ? f
                : new StepFinding(
                        f.attempt(), f.kind(), from(f.steps(), at), from(f.excessNanos(), at), f.typicalNanos());
    }

    static TransferFinding cut(TransferFinding f, long since) {
        int slow = at(f.steps(), since);
        int at = at(f.seen(), since);
        return slow == 0 && at == 0
                ? f
                : new TransferFinding(
                        f.attempt(),
                        f.subject(),
                        f.ranks(),
                        f.op(),
                        f.bytes(),
                        f.complete(),
                        f.hosts(),
                        f.perHost(),
                        f.slow() && slow < f.steps().length,
                        from(f.steps(), slow),
                        from(f.excessNanos(), slow),
                        f.ratio(),
                        f.typicalNanos(),
                        f.instances(),
                        f.ownHistory(),
                        from(f.seen(), at),
                        from(f.medians(), at),
                        from(f.shortest(), at),
                        from(f.exposed(), at));
    }
}
