package dev.argus.hostlocal.live;

import dev.argus.model.OwnTime;
import dev.argus.model.StepDigest;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether a job has just changed: then what it means has to be said at once, while a job that goes on as it did can be concluded on from time to time.
 *
 * <p>A change is a step of a rank whose length, or one of the parts that make it up, is away from that rank's own recent mean by more than {@value #LEAST} of
 * its usual step and more than {@value #DEVIATIONS} of its mean absolute deviations. The first bound keeps quiet jobs quiet, the second one those that always waver: in a
 * job that is noisy beyond both nothing is put off. Of many ranks one or the other is always unlike its past: in a job of more than {@value #FEW} it takes a rank that is so in two steps
 * running, or one rank of {@value #OF_MANY}. This only decides when detectors are asked, never what they say.
 *
 * <p>State: {@value #SIGNALS} means and deviations a rank, and who was unlike in the last step. Deterministic.
 */
final class Unrest {
    /** Steps after a change, and after the beginning, in which a job counts as changed. */
    static final int STEPS_AFTER = 8;

    /** Steps after the beginning: evidence gathers, and nothing is usual yet. */
    static final int STEPS_BEGIN = 32;

    static final double LEAST = 0.03;
    static final double DEVIATIONS = 3;
    static final int FEW = 64;
    static final int OF_MANY = 50;
    private static final int SIGNALS = 5;
    private static final double MEMORY = 1.0 / 16;

    private final Map<Integer, double[]> ranks = new HashMap<>();
    private Set<Integer> unlike = new HashSet<>();
    private int left = STEPS_BEGIN;

    /** Everything begins again. */
    void restart() {
        ranks.clear();
        unlike.clear();
        left = STEPS_BEGIN;
    }

    /** What was said has changed. */
    void said() {
        left = Math.max(left, STEPS_AFTER);
    }

    /** Takes a step of all ranks. */
    void take(JobStep ready) {
        left = Math.max(0, left - 1);
        Set<Integer> now = new HashSet<>();
        boolean twice = false;
        for (RankStep step : ready.ranks()) {
            if (changed(step.digest())) {
                now.add(step.digest().rank());
                twice |= unlike.contains(step.digest().rank());
            }
        }
        unlike = now;
        boolean changed = ranks.size() <= FEW ? !now.isEmpty() : twice || now.size() * OF_MANY >= ranks.size();
        if (changed) {
            left = Math.max(left, STEPS_AFTER);
        }
    }

    /** True while a conclusion should not be put off. */
    boolean stirred() {
        return left > 0;
    }

    private boolean changed(StepDigest d) {
        OwnTime own = d.own();
        double[] now = {d.durationNanos(), own.computeNanos(), own.copyNanos(), own.exposedCommNanos(), own.idleNanos()
        };
        double[] usual = ranks.get(d.rank());
        if (usual == null) {
            usual = new double[2 * SIGNALS];
            System.arraycopy(now, 0, usual, 0, SIGNALS);
            ranks.put(d.rank(), usual);
            return true;
        }
        double least = LEAST * usual[0];
        boolean changed = d.partial();
        for (int i = 0; i < SIGNALS; i++) {
            double away = Math.abs(now[i] - usual[i]);
            changed |= away > Math.max(least, DEVIATIONS * usual[SIGNALS + i]);
            usual[i] += MEMORY * (now[i] - usual[i]);
            usual[SIGNALS + i] += MEMORY * (away - usual[SIGNALS + i]);
        }
        return changed;
    }

    // ---------------------------------------------------------------- state

    void encode(SnapshotOut out) {
        WireWriter to = out.to();
        to.writeVarint(left);
        Codecs.ints(unlike, to);
        to.writeVarint(ranks.size());
        new TreeMap<>(ranks).forEach((rank, usual) -> {
            to.writeVarint(rank);
            for (double v : usual) {
                to.writeDouble(v);
            }
        });
        out.written();
    }

    void decode(WireReader from) {
        left = from.readInt();
        unlike.addAll(Codecs.ints(from));
        for (int n = from.readCount(1 + 16 * SIGNALS); n > 0; n--) {
            int rank = from.readInt();
            double[] usual = new double[2 * SIGNALS];
            for (int i = 0; i < usual.length; i++) {
                usual[i] = from.readDouble();
            }
            ranks.put(rank, usual);
        }
    }
}
