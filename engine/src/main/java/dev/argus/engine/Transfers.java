package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.RankSet;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares transfers of one kind (operation, payload, group size, hosts and members on each) between groups. Key: (attempt, hash of
 * the kind).
 *
 * <p>The reference at a step is the median over the groups of the kind, held to its own quiet steps (the shortest tenth over time),
 * so that groups that are all slow at once are seen; with fewer than three groups it is the group's own quiet steps. What was seen
 * goes along with each finding, for links are found by all kinds together. State: {@value #STEPS} steps, 1,280 bytes a group.
 */
final class Transfers implements Transform<TransferPartial, Transfers.State> {
    private static final int STEPS = 64;
    private static final int MEAN = 0;
    private static final int INSTANCES = 1;
    private static final int MEDIAN = 2;
    private static final int SHORTEST = 3;
    private static final int EXPOSED = 4;
    private static final int MEASURES = 5;

    /** A single step in which all present members waited this much longer for a missing one was a stall. */
    private static final double STALL_RATIO = 5;

    /** The quiet steps of a group: its shortest tenth. */
    private static final double QUIET = 0.1;

    private static final CollectiveOp[] OPS = CollectiveOp.values();

    private final Thresholds t;

    Transfers(Thresholds thresholds) {
        this.t = thresholds;
    }

    /** What is kept of one kind. */
    static final class State {
        final int attempt;
        CollectiveOp op = CollectiveOp.UNKNOWN;
        long bytes;
        int hosts;
        int perHost;
        boolean complete;
        final Map<Integer, RankSet> subjects = new TreeMap<>();
        StepMatrix matrix = new StepMatrix(MEASURES, STEPS);

        State(int attempt) {
            this.attempt = attempt;
        }
    }

    @Override
    public long key(TransferPartial p) {
        long h = p.bytes() * 0x9E3779B97F4A7C15L
                + p.op().ordinal() * 31L
                + p.ranks().size() * 131L
                + p.hosts() * 0xC2B2AE3D27D4EB4FL
                + p.perHost() * 0x165667B19E3779F9L;
        return Keys.of(p.attempt(), (p.acrossHosts() ? 1 : 0) | (p.complete() ? 0 : 2), (int) (h ^ (h >>> 32)));
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key));
    }

    @Override
    public void onRecord(State s, TransferPartial p, Out out) {
        s.op = p.op();
        s.bytes = p.bytes();
        s.hosts = p.hosts();
        s.perHost = p.perHost();
        s.complete = p.complete();
        s.subjects.put(p.subject(), p.ranks());
        if (s.matrix.isDueBefore(p.step())) {
            judge(s, out);
        }
        boolean kept = s.matrix.put(
                p.subject(),
                p.step(),
                (float) p.meanNanos(),
                p.instances(),
                (float) p.medianNanos(),
                (float) p.shortestNanos(),
                (float) p.exposedNanos());
        if (!kept) {
            out.loss("late-step");
        }
    }

    @Override
    public void onTimer(State s, long eventNanos, Out out) {
        judge(s, out);
    }

    private void judge(State s, Out out) {
        s.matrix.judged();
        double[][] mean = s.matrix.measure(MEAN);
        double[][] instances = s.matrix.measure(INSTANCES);
        int[] groups = s.matrix.rows();
        double[] centre = new double[s.matrix.size()];
        for (int i = 0; i < centre.length; i++) {
            centre[i] = Robust.medianOf(WorkAnalyst.column(mean, i));
        }
        double quiet = Robust.quantile(centre, QUIET);
        for (int g = 0; g < groups.length; g++) {
            double own = Robust.quantile(mean[g], QUIET);
            boolean siblings = groups.length >= 3;
            double[] reference = new double[centre.length];
            for (int i = 0; i < centre.length; i++) {
                boolean moved = centre[i] > t.transferRatio() * quiet;
                reference[i] = siblings ? (moved ? quiet : centre[i]) : own;
            }
            out.emit(finding(s, groups[g], mean[g], instances[g], reference, !siblings));
        }
    }

    private TransferFinding finding(
            State s, int subject, double[] mean, double[] instances, double[] reference, boolean ownHistory) {
        double[] over = new double[mean.length];
        for (int i = 0; i < mean.length; i++) {
            over[i] = mean[i] - reference[i] * (1 + (t.transferRatio() - 1) * 0.6);
        }
        double typical = Robust.median(reference);
        Segment segment = Segment.best(over, -0.1 * typical);
        List<Long> steps = new ArrayList<>();
        List<Double> excess = new ArrayList<>();
        double sum = 0;
        double base = 0;
        if (segment != null) {
            for (int i = segment.first(); i <= segment.last(); i++) {
                if (!Double.isNaN(mean[i]) && mean[i] > reference[i]) {
                    steps.add(s.matrix.step(i));
                    excess.add((mean[i] - reference[i]) * instances[i]);
                    sum += mean[i];
                    base += reference[i];
                }
            }
        }
        double ratio = base > 0 ? sum / base : 1;
        boolean stall = !s.complete && steps.size() == 1 && ratio >= STALL_RATIO;
        boolean slow = (steps.size() >= 2 || stall) && ratio >= t.transferRatio();
        return new TransferFinding(
                s.attempt,
                subject,
                s.subjects.getOrDefault(subject, RankSet.EMPTY),
                s.op,
                s.bytes,
                s.complete,
                s.hosts,
                s.perHost,
                slow,
                slow ? steps.stream().mapToLong(v -> v).toArray() : new long[0],
                slow ? excess.stream().mapToDouble(v -> v).toArray() : new double[0],
                ratio,
                Robust.median(mean),
                Robust.median(instances),
                ownHistory,
                s.matrix.steps(),
                s.matrix.row(subject, MEDIAN),
                s.matrix.row(subject, SHORTEST),
                s.matrix.row(subject, EXPOSED));
    }

    @Override
    public void encode(State s, WireWriter to) {
        to.writeByte(s.op.ordinal()).writeSigned(s.bytes).writeByte(s.complete ? 1 : 0);
        to.writeVarint(s.hosts).writeVarint(s.perHost);
        s.matrix.encode(to);
        to.writeVarint(s.subjects.size());
        s.subjects.forEach((subject, ranks) -> {
            to.writeVarint(subject).writeVarint(ranks.size());
            ranks.stream().forEach(to::writeVarint);
        });
    }

    @Override
    public State decode(long key, WireReader from) {
        State s = fresh(key);
        s.op = OPS[from.readByte() % OPS.length];
        s.bytes = from.readSigned();
        s.complete = from.readByte() != 0;
        s.hosts = from.readInt();
        s.perHost = from.readInt();
        s.matrix = StepMatrix.decode(MEASURES, STEPS, from);
        int subjects = from.readCount(2);
        for (int i = 0; i < subjects; i++) {
            int subject = from.readInt();
            int[] ranks = new int[from.readCount(1)];
            for (int r = 0; r < ranks.length; r++) {
                ranks[r] = from.readInt();
            }
            s.subjects.put(subject, RankSet.of(ranks));
        }
        return s;
    }
}
