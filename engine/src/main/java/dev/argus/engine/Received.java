package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Puts together what the same detector said about the same thing at several windows: windows overlap, a fault goes on from one to the
 * next, and is one.
 */
final class Received {
    /** Steps kept of a series: older ones are forgotten. */
    static final int MAX_STEPS = 4096;

    /** Steps kept of the transfers of one group and kind: there are many of them. */
    private static final int MAX_TRANSFER_STEPS = 256;

    private Received() {}

    static LaunchFinding merge(LaunchFinding f, LaunchFinding add) {
        NavigableMap<Long, Double> excess = joined(f.steps(), f.excessNanos(), add.steps(), add.excessNanos());
        return new LaunchFinding(
                f.attempt(),
                f.rank(),
                excess.keySet().stream().mapToLong(v -> v).toArray(),
                excess.values().stream().mapToDouble(v -> v).toArray(),
                joined(f.steps(), f.idleNanos(), add.steps(), add.idleNanos()).values().stream()
                        .mapToDouble(v -> v)
                        .toArray(),
                Math.max(f.ratio(), add.ratio()),
                Math.max(f.active(), add.active()),
                Math.max(f.sigmas(), add.sigmas()),
                f.ownHistory() || add.ownHistory(),
                f.observed() && add.observed(),
                f.itself() && add.itself());
    }

    static WorkFinding merge(WorkFinding a, WorkFinding b) {
        NavigableMap<Long, Double> excess = joined(a.steps(), a.excessNanos(), b.steps(), b.excessNanos());
        double bar = 0.2 * Math.max(a.meanNanos(), b.meanNanos());
        double sum = 0;
        int active = 0;
        for (double e : excess.values()) {
            sum += e >= bar ? e : 0;
            active += e >= bar ? 1 : 0;
        }
        WorkFinding main = a.totalNanos() >= b.totalNanos() ? a : b;
        return new WorkFinding(
                a.attempt(),
                a.peerSet(),
                a.rank(),
                a.component(),
                excess.keySet().stream().mapToLong(v -> v).toArray(),
                excess.values().stream().mapToDouble(v -> v).toArray(),
                main.referenceNanos(),
                main.stepNanos(),
                main.ratio(),
                active > 0 ? sum / active : main.meanNanos(),
                Math.max(1, active),
                main.thresholdNanos(),
                main.sigmas(),
                a.ownHistory() || b.ownHistory(),
                a.ramp() || b.ramp(),
                main.workRatio(),
                main.kernelsRatio(),
                main.exchangeRatio(),
                main.bytesRatio(),
                main.hostLateRatio(),
                main.inputRatio(),
                main.scatteredRatio(),
                main.afterWorkRatio(),
                main.coverRatio(),
                main.cover(),
                main.coverKind(),
                main.phaseRatios(),
                main.peers(),
                Math.max(a.stepsSeen(), excess.size()),
                a.weight(),
                main.gpu());
    }

    static WorkReference merge(WorkReference a, WorkReference b) {
        NavigableMap<Long, double[]> rows = new TreeMap<>();
        for (WorkReference r : List.of(a, b)) {
            for (int i = 0; i < r.steps().length; i++) {
                rows.put(r.steps()[i], new double[] {
                    r.computeNanos()[i],
                    r.gapNanos()[i],
                    r.stepNanos()[i],
                    r.workItems()[i],
                    r.awayRatio()[i],
                    r.awayHostsRatio()[i]
                });
            }
        }
        forget(rows);
        return new WorkReference(
                a.attempt(),
                a.peerSet(),
                Math.max(a.ranks(), b.ranks()),
                rows.keySet().stream().mapToLong(v -> v).toArray(),
                column(rows, 0),
                column(rows, 1),
                column(rows, 2),
                column(rows, 3),
                column(rows, 4),
                column(rows, 5),
                Math.max(a.computeNoiseRatio(), b.computeNoiseRatio()),
                Math.max(a.workNoiseRatio(), b.workNoiseRatio()));
    }

    private static double[] column(Map<Long, double[]> rows, int i) {
        return rows.values().stream().mapToDouble(r -> r[i]).toArray();
    }

    static RankLoad merge(RankLoad a, RankLoad b) {
        NavigableMap<Long, Double> more = joined(a.steps(), a.moreRatio(), b.steps(), b.moreRatio());
        return new RankLoad(
                a.attempt(),
                a.rank(),
                more.keySet().stream().mapToLong(v -> v).toArray(),
                more.values().stream().mapToDouble(v -> v).toArray());
    }

    static PeerShift merge(PeerShift a, PeerShift b) {
        return a.lastStep() > b.lastStep() ? a : b;
    }

    static KernelFinding merge(KernelFinding a, KernelFinding b) {
        KernelFinding main = a.impactNanos() >= b.impactNanos() ? a : b;
        return new KernelFinding(
                a.attempt(),
                a.peerSet(),
                a.rank(),
                a.kernel(),
                Math.min(a.firstStep(), b.firstStep()),
                Math.max(a.lastStep(), b.lastStep()),
                main.ratio(),
                main.signedDistanceRatio(),
                main.modesRatio(),
                main.impactNanos(),
                main.kernelNanos(),
                Math.max(a.steps(), b.steps()),
                main.sigma(),
                main.equalWork());
    }

    static TransferFinding merge(TransferFinding a, TransferFinding b) {
        if (b.seen().length > 0 && (a.seen().length == 0 || b.seen()[0] <= a.seen()[0])) {
            return b; // the same steps and newer ones, judged again
        }
        NavigableMap<Long, Double> excess = joined(a.steps(), a.excessNanos(), b.steps(), b.excessNanos());
        NavigableMap<Long, double[]> rows = new TreeMap<>();
        for (TransferFinding f : List.of(a, b)) {
            for (int i = 0; i < f.seen().length; i++) {
                rows.put(f.seen()[i], new double[] {f.medians()[i], f.shortest()[i], f.exposed()[i]});
            }
        }
        while (rows.size() > MAX_TRANSFER_STEPS) {
            rows.pollFirstEntry();
        }
        return new TransferFinding(
                a.attempt(),
                a.subject(),
                a.ranks(),
                a.op(),
                a.bytes(),
                a.complete(),
                a.hosts(),
                a.perHost(),
                a.slow() || b.slow(),
                excess.keySet().stream().mapToLong(v -> v).toArray(),
                excess.values().stream().mapToDouble(v -> v).toArray(),
                Math.max(a.ratio(), b.ratio()),
                Math.max(a.typicalNanos(), b.typicalNanos()),
                Math.max(a.instances(), b.instances()),
                a.ownHistory() || b.ownHistory(),
                rows.keySet().stream().mapToLong(v -> v).toArray(),
                column(rows, 0),
                column(rows, 1),
                column(rows, 2));
    }

    static StepFinding merge(StepFinding a, StepFinding b) {
        NavigableMap<Long, Double> excess = joined(a.steps(), a.excessNanos(), b.steps(), b.excessNanos());
        return new StepFinding(
                a.attempt(),
                a.kind(),
                excess.keySet().stream().mapToLong(v -> v).toArray(),
                excess.values().stream().mapToDouble(v -> v).toArray(),
                Robust.median(new double[] {a.typicalNanos(), b.typicalNanos()}));
    }

    static StepTimes merge(StepTimes a, StepTimes b) {
        NavigableMap<Long, long[]> times = new TreeMap<>();
        for (StepTimes t : List.of(a, b)) {
            for (int i = 0; i < t.steps().length; i++) {
                times.put(t.steps()[i], new long[] {t.startNanos()[i], t.endNanos()[i]});
            }
        }
        forget(times);
        return new StepTimes(
                a.attempt(),
                times.keySet().stream().mapToLong(v -> v).toArray(),
                times.values().stream().mapToLong(v -> v[0]).toArray(),
                times.values().stream().mapToLong(v -> v[1]).toArray());
    }

    /** Drops the oldest steps beyond {@link #MAX_STEPS}. */
    static void forget(NavigableMap<Long, ?> bySteps) {
        while (bySteps.size() > MAX_STEPS) {
            bySteps.pollFirstEntry();
        }
    }

    /** Two series of values by step as one; where both have a step, the larger value. */
    private static NavigableMap<Long, Double> joined(long[] stepsA, double[] a, long[] stepsB, double[] b) {
        NavigableMap<Long, Double> map = new TreeMap<>();
        for (int i = 0; i < stepsA.length; i++) {
            map.merge(stepsA[i], a[i], Math::max);
        }
        for (int i = 0; i < stepsB.length; i++) {
            map.merge(stepsB[i], b[i], Math::max);
        }
        forget(map);
        return map;
    }
}
