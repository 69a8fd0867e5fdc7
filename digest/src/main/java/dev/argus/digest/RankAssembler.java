package dev.argus.digest;

import dev.argus.digest.AssembledTrace.DeviceFacts;
import dev.argus.digest.AssembledTrace.StepSource;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.KernelClass;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import dev.argus.model.TraceFacts;
import dev.argus.stats.LongOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns the events of one rank, in whatever order they come, into step digests: joins kernels with their launches and
 * collectives with their calls, gives every piece of work to the step that launched it, and accounts for every nanosecond.
 *
 * <p>Use: feed it as a {@link TraceEventSink}, then call {@link #finish} once. Cost: O(n log n) in the events, O(n) when they
 * come in order of time. Footprint: about 100 bytes for a kernel with its launch, while a trace in JSON has above 1,000.
 * Not thread-safe; one assembler a trace.
 */
public final class RankAssembler implements TraceEventSink {
    private final NameTable names;
    private final EventStore store;

    /** An empty assembler. */
    public RankAssembler(NameTable names) {
        this.names = names;
        this.store = new EventStore(new NameKinds(names));
    }

    @Override
    public void gpu(GpuEvent event) {
        store.gpu(event);
    }

    @Override
    public void launch(LaunchEvent event) {
        store.launch(event);
    }

    @Override
    public void span(CpuSpan span) {
        store.span(span);
    }

    @Override
    public void step(StepMark mark) {
        store.step(mark);
    }

    @Override
    public void quarantine(String reason) {
        store.quarantine(reason);
    }

    /**
     * Hands out the digests and kernels in order of time.
     *
     * @param rank global rank to write into the digests
     * @param cut true when the trace ends before its time: the step it ends in is marked partial
     * @param digests takes the digests
     * @param kernels takes the kernels of the rank's main GPU, grouped by step
     */
    public AssembledTrace finish(int rank, boolean cut, DigestListener digests, KernelListener kernels) {
        return assemble(store, names, rank, cut, true, digests, kernels);
    }

    /**
     * The same of any store, which stays as it is.
     *
     * @param whole true where it holds all that was recorded, not the steps of a moment
     */
    static AssembledTrace assemble(
            EventStore store,
            NameTable names,
            int rank,
            boolean cut,
            boolean whole,
            DigestListener digests,
            KernelListener kernels) {
        int[] order = LongOrder.ascending(store.starts(), store.gpuSize());
        StepInference inference = StepInference.of(store, names, order);
        StepClock clock = inference.clock();
        List<DeviceFacts> devices = devices(store, order);
        GroupUses uses = new GroupUses();
        long signature = 0;
        long lost = 0;
        if (store.gpuSize() > 0) {
            GpuRank gpu =
                    new GpuRank(store, names, clock, order, devices.getFirst().device(), whole);
            gpu.emit(rank, cut, digests, kernels, uses);
            signature = gpu.workSignature();
            lost = gpu.lostLaunches();
        } else {
            new CpuRank(store, names, clock).emit(rank, cut, digests, uses);
        }
        return new AssembledTrace(
                devices,
                marks(inference),
                inference.source(),
                store.gpuSize() > 0,
                uses.list(),
                uses.trails(),
                signature,
                lost,
                store.firstNanos(),
                store.lastNanos(),
                store.quarantined());
    }

    private static List<TraceFacts.StepDuration> marks(StepInference inference) {
        if (inference.source() != StepSource.MARKS) {
            return List.of();
        }
        StepClock clock = inference.clock();
        List<TraceFacts.StepDuration> list = new ArrayList<>();
        for (int i = 0; i < clock.size(); i++) {
            list.add(new TraceFacts.StepDuration(clock.step(i), clock.markNanos(i)));
        }
        list.sort((a, b) -> Long.compare(a.step(), b.step()));
        return list;
    }

    private static List<DeviceFacts> devices(EventStore store, int[] order) {
        Map<Integer, DeviceCount> counts = new TreeMap<>();
        DeviceCount count = null;
        int of = -1;
        for (int row : order) {
            if (store.activity(row) == GpuActivity.KERNEL) {
                int device = store.device(row);
                if (count == null || device != of) {
                    count = counts.computeIfAbsent(device, d -> new DeviceCount());
                    of = device;
                }
                count.add(store, row);
            }
        }
        List<DeviceFacts> facts = new ArrayList<>();
        counts.forEach((device, c) ->
                facts.add(new DeviceFacts(device, c.kernels, c.kernelNanos, c.commNanos, c.busy.total())));
        facts.sort((a, b) -> Long.compare(b.kernels(), a.kernels()));
        if (facts.isEmpty()) {
            facts.add(new DeviceFacts(store.gpuSize() > 0 ? store.device(order[0]) : -1, 0, 0, 0, 0));
        }
        return facts;
    }

    private static final class DeviceCount {
        private final Intervals busy = new Intervals();
        private long kernels;
        private long kernelNanos;
        private long commNanos;

        void add(EventStore store, int row) {
            kernels++;
            kernelNanos += store.duration(row);
            if (store.kernelClass(row) == KernelClass.COMMUNICATION) {
                commNanos += store.duration(row);
            }
            busy.add(store.start(row), store.end(row));
        }
    }
}
