package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.KernelClass;
import dev.argus.model.LaunchEvent;
import dev.argus.model.StepMark;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The events of one rank as packed rows: 48 bytes for work of the GPU, 24 for a launch; a trace in JSON has about 1,000
 * bytes for each.
 *
 * <pre>
 * gpu row:  start | duration | correlation | name:32 stream:32 | work items or bytes | collective+1:32 device:16 direction:8 class:4 activity:4
 * launch:   correlation | start | duration:63 1 when it starts a kernel:1
 * </pre>
 */
final class EventStore implements TraceEventSink {
    private static final int START = 0;
    private static final int DURATION = 1;
    private static final int CORRELATION = 2;
    private static final int NAME_STREAM = 3;
    private static final int AMOUNT = 4;
    private static final int FLAGS = 5;

    private final NameKinds kinds;
    private final Chunks gpu = new Chunks(6);
    private final Chunks launches = new Chunks(3);
    private final List<CpuSpan> spans = new ArrayList<>();
    private final List<StepMark> marks = new ArrayList<>();
    private final List<CollectiveCall> calls = new ArrayList<>();
    private final Map<String, Long> quarantined = new TreeMap<>();
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;

    /** The ranges that are asked for, where they are not all. */
    private @Nullable List<CpuSpan> early;

    EventStore(NameKinds kinds) {
        this.kinds = kinds;
    }

    @Override
    public void gpu(GpuEvent e) {
        CollectiveCall call = e.collective();
        long callRef = 0;
        if (call != null) {
            calls.add(call);
            callRef = calls.size();
        }
        KernelClass kernelClass = classOf(e);
        long[] to = gpu.append();
        int at = gpu.at();
        to[at + START] = e.startNanos();
        to[at + DURATION] = e.durationNanos();
        to[at + CORRELATION] = e.correlation();
        to[at + NAME_STREAM] = ((long) e.name() << 32) | (e.stream() & 0xFFFFFFFFL);
        to[at + AMOUNT] = e.activity() == GpuActivity.KERNEL ? e.workItems() : e.bytes();
        to[at + FLAGS] = callRef << 32
                | (e.device() & 0xFFFFL) << 16
                | (long) e.direction().ordinal() << 8
                | (long) kernelClass.ordinal() << 4
                | e.activity().ordinal();
        seen(e.startNanos(), e.durationNanos());
    }

    @Override
    public void launch(LaunchEvent e) {
        long[] to = launches.append();
        int at = launches.at();
        to[at] = e.correlation();
        to[at + 1] = e.startNanos();
        to[at + 2] = e.durationNanos() << 1 | (kinds.startsKernel(e.name()) ? 1 : 0);
        seen(e.startNanos(), e.durationNanos());
    }

    @Override
    public void span(CpuSpan span) {
        spans.add(span);
        seen(span.startNanos(), span.durationNanos());
    }

    @Override
    public void step(StepMark mark) {
        marks.add(mark);
        seen(mark.startNanos(), mark.durationNanos());
    }

    @Override
    public void quarantine(String reason) {
        quarantined.merge(reason, 1L, Long::sum);
    }

    /** From now on these are the steps, and ranges that begin at a time or later are left out. */
    void steps(Collection<StepMark> only, long before) {
        marks.clear();
        only.forEach(this::step);
        List<CpuSpan> list = new ArrayList<>(spans.size());
        for (CpuSpan s : spans) {
            if (s.startNanos() < before) {
                list.add(s);
            }
        }
        early = list;
    }

    /** Forgets all rows and ranges but those wanted, whose order stays. */
    void keep(IntPredicate wantedGpu, IntPredicate wantedLaunch, Predicate<CpuSpan> wantedSpan) {
        firstNanos = Long.MAX_VALUE;
        lastNanos = Long.MIN_VALUE;
        List<CollectiveCall> kept = new ArrayList<>();
        int to = 0;
        for (int row = 0; row < gpu.size(); row++) {
            if (wantedGpu.test(row)) {
                CollectiveCall call = call(row);
                gpu.copy(row, to);
                if (call != null) {
                    kept.add(call);
                    gpu.set(to, FLAGS, (long) kept.size() << 32 | (gpu.get(to, FLAGS) & 0xFFFFFFFFL));
                }
                seen(start(to), duration(to));
                to++;
            }
        }
        gpu.truncate(to);
        calls.clear();
        calls.addAll(kept);
        to = 0;
        for (int row = 0; row < launches.size(); row++) {
            if (wantedLaunch.test(row)) {
                launches.copy(row, to);
                seen(launchStart(to), launchEnd(to) - launchStart(to));
                to++;
            }
        }
        launches.truncate(to);
        early = null;
        spans.removeIf(wantedSpan.negate());
        spans.forEach(s -> seen(s.startNanos(), s.durationNanos()));
    }

    private void seen(long start, long duration) {
        if (start > 0) {
            firstNanos = Math.min(firstNanos, start);
            lastNanos = Math.max(lastNanos, start + duration);
        }
    }

    private KernelClass classOf(GpuEvent e) {
        if (e.activity() != GpuActivity.KERNEL) {
            return KernelClass.MEMORY;
        }
        if (e.collective() != null) {
            return KernelClass.COMMUNICATION;
        }
        return kinds.classOf(e.name());
    }

    NameKinds kinds() {
        return kinds;
    }

    int gpuSize() {
        return gpu.size();
    }

    long start(int row) {
        return gpu.get(row, START);
    }

    long duration(int row) {
        return gpu.get(row, DURATION);
    }

    long end(int row) {
        return start(row) + duration(row);
    }

    long correlation(int row) {
        return gpu.get(row, CORRELATION);
    }

    int name(int row) {
        return (int) (gpu.get(row, NAME_STREAM) >>> 32);
    }

    int stream(int row) {
        return (int) gpu.get(row, NAME_STREAM);
    }

    long amount(int row) {
        return gpu.get(row, AMOUNT);
    }

    int device(int row) {
        return (int) (gpu.get(row, FLAGS) >>> 16) & 0xFFFF;
    }

    CopyDirection direction(int row) {
        return DIRECTIONS[(int) (gpu.get(row, FLAGS) >>> 8) & 0xFF];
    }

    KernelClass kernelClass(int row) {
        return CLASSES[(int) (gpu.get(row, FLAGS) >>> 4) & 0xF];
    }

    GpuActivity activity(int row) {
        return ACTIVITIES[(int) gpu.get(row, FLAGS) & 0xF];
    }

    @Nullable
    CollectiveCall call(int row) {
        int ref = (int) (gpu.get(row, FLAGS) >>> 32);
        return ref == 0 ? null : calls.get(ref - 1);
    }

    long[] starts() {
        return gpu.column(START);
    }

    /** Correlations of launches, by row. */
    long[] launchCorrelations() {
        return launches.column(0);
    }

    long launchStart(int row) {
        return launches.get(row, 1);
    }

    int launchSize() {
        return launches.size();
    }

    boolean startsKernel(int row) {
        return (launches.get(row, 2) & 1) != 0;
    }

    long launchEnd(int row) {
        return launchStart(row) + (launches.get(row, 2) >> 1);
    }

    long launchCorrelation(int row) {
        return launches.get(row, 0);
    }

    long[] correlations() {
        return gpu.column(CORRELATION);
    }

    /** Ranges in the order in which they came, those that begin too late left out. */
    List<CpuSpan> spans() {
        return early == null ? spans : early;
    }

    int spanSize() {
        return spans.size();
    }

    List<StepMark> marks() {
        return marks;
    }

    Map<String, Long> quarantined() {
        return quarantined;
    }

    long firstNanos() {
        return firstNanos == Long.MAX_VALUE ? 0 : firstNanos;
    }

    long lastNanos() {
        return lastNanos == Long.MIN_VALUE ? 0 : lastNanos;
    }

    private static final CopyDirection[] DIRECTIONS = CopyDirection.values();
    private static final KernelClass[] CLASSES = KernelClass.values();
    private static final GpuActivity[] ACTIVITIES = GpuActivity.values();
}
