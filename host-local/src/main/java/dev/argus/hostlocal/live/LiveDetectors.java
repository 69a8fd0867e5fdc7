package dev.argus.hostlocal.live;

import dev.argus.digest.JobBuilder;
import dev.argus.engine.Concluded;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Horizon;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.GraphRunner;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.wire.JobShapeCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The detectors of a job for the shape it has now. With another shape they begin again, with the steps that are kept; what a rank reports that the shape does not know waits there until it does.
 *
 * <p>State: that of the detectors ({@link Horizon#LIVE}) and the shape.
 */
final class LiveDetectors {
    private final NameTable names;
    private final Thresholds thresholds;
    private final Executor executor;
    private final int lanes;

    private @Nullable JobShape shape;
    private @Nullable GraphRunner runner;
    private boolean old;
    private long shapedNanos = Long.MIN_VALUE;
    private final List<String> notes = new ArrayList<>();

    /** What runners that are gone have left out. */
    private final Map<String, Long> losses = new TreeMap<>();

    LiveDetectors(NameTable names, Thresholds thresholds, Executor executor, int lanes) {
        this.names = names;
        this.thresholds = thresholds;
        this.executor = executor;
        this.lanes = lanes;
    }

    /** A rank has said something new. */
    void shapeIsOld() {
        old = true;
    }

    /** True when the shape is to be made again, which is done once in a while only: ranks declare one after the other. */
    boolean isDue(boolean stepsCame, long betweenNanos, long nowNanos) {
        return old && (shape == null || (stepsCame && nowNanos - shapedNanos >= betweenNanos));
    }

    /** Makes the shape again; true if it is another one, and detectors have begun again. */
    boolean shape(int attempt, Declared declared, @Nullable Topology stated, StepHistory history, long nowNanos) {
        JobBuilder builder = new JobBuilder(attempt, names);
        declared.tell(builder);
        JobShape now = builder.build(stated);
        notes.clear();
        notes.addAll(builder.notes());
        old = false;
        shapedNanos = nowNanos;
        if (shape != null && alike(shape, now)) {
            return false;
        }
        begin(now);
        history.digests().forEach(b -> {
            int[] known = known(now, b.ranks());
            runner(now).takeDigests(known.length, i -> b.get(known[i]));
        });
        history.windows().forEach(b -> {
            int[] known = known(now, b.ranks());
            runner(now).takeWindows(known.length, i -> b.get(known[i]));
        });
        return true;
    }

    private GraphRunner runner(JobShape of) {
        GraphRunner running = runner;
        if (running == null) {
            running = new GraphRunner(new DetectorGraph(of, names, thresholds, Horizon.LIVE), executor, lanes);
            runner = running;
        }
        return running;
    }

    private void begin(JobShape with) {
        if (runner != null) {
            runner.losses().forEach((reason, n) -> losses.merge(reason, n, Long::sum));
        }
        runner = null;
        shape = with;
        runner(with);
    }

    /** Positions of ranks that the shape has. */
    private static int[] known(JobShape shape, int[] ranks) {
        int[] at = new int[ranks.length];
        int n = 0;
        for (int i = 0; i < ranks.length; i++) {
            if (shape.ranks().contains(ranks[i])) {
                at[n++] = i;
            }
        }
        return Arrays.copyOf(at, n);
    }

    private static boolean alike(JobShape a, JobShape b) {
        return a.worldSize() == b.worldSize()
                && a.ranks().equals(b.ranks())
                && a.hosts().equals(b.hosts())
                && a.gpuIndex().equals(b.gpuIndex())
                && a.topology().equals(b.topology())
                && a.groups().equals(b.groups())
                && a.groupOf().equals(b.groupOf())
                && a.peerSets().equals(b.peerSets());
    }

    /** Takes the next step. */
    void feed(JobStep step) {
        JobShape of = shape;
        if (of == null) {
            return;
        }
        RankSet has = of.ranks();
        List<RankStep> known = new ArrayList<>(step.ranks().size());
        List<KernelWindow> windows = new ArrayList<>();
        for (RankStep s : step.ranks()) {
            if (has.contains(s.digest().rank())) {
                known.add(s);
                if (s.kernels() != null) {
                    windows.add(s.kernels());
                }
            }
        }
        runner(of).takeDigests(known.size(), i -> known.get(i).digest());
        runner(of).takeWindows(windows.size(), windows::get);
    }

    /** What can be said now; null where there is nothing to say of steps. */
    @Nullable
    Concluded conclude() {
        JobShape of = shape;
        return of == null
                ? null
                : runner(of).conclude().stream()
                        .filter(c -> c.pace().known())
                        .findFirst()
                        .orElse(null);
    }

    /** Step numbers come again: what was learnt under them before is no past of theirs. */
    void countAnew() {
        JobShape of = shape;
        if (of != null) {
            begin(of);
        }
    }

    /** Another attempt has another shape. */
    void forget() {
        shape = null;
        runner = null;
        losses.clear();
        shapedNanos = Long.MIN_VALUE;
    }

    @Nullable
    JobShape shape() {
        return shape;
    }

    List<String> notes() {
        return notes;
    }

    Map<String, Long> losses() {
        Map<String, Long> all = new TreeMap<>(losses);
        if (runner != null) {
            runner.losses().forEach((reason, n) -> all.merge(reason, n, Long::sum));
        }
        return all;
    }

    /** Bytes of the states written down, by detector. */
    Map<String, Long> stateBytes() {
        return runner == null ? Map.of() : runner.stateBytes();
    }

    // ---------------------------------------------------------------- state

    void encode(SnapshotOut out) {
        WireWriter to = out.to();
        to.writeByte(old ? 1 : 0).writeSigned(shapedNanos);
        Codecs.texts(notes, to);
        to.writeVarint(losses.size());
        losses.forEach((reason, n) -> to.writeText(reason).writeVarint(n));
        JobShape of = shape;
        to.writeByte(of == null ? 0 : 1);
        if (of != null) {
            JobShapeCodec.encode(of, to);
            runner(of).encode(to, out::written);
        }
    }

    void decode(WireReader from) {
        old = from.readByte() != 0;
        shapedNanos = from.readSigned();
        notes.addAll(Codecs.texts(from));
        for (int n = from.readCount(2); n > 0; n--) {
            losses.put(from.readText(), from.readVarint());
        }
        if (from.readByte() != 0) {
            JobShape of = JobShapeCodec.decode(from, Codecs.MOST_MEMBERS);
            shape = of;
            runner(of).decode(from);
        }
    }
}
