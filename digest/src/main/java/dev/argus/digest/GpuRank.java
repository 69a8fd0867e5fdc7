package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.KernelClass;
import dev.argus.model.NameTable;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import dev.argus.stats.LongOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Digests of a rank with a GPU. */
final class GpuRank {
    /** A collective that starts this soon after its predecessor on the stream was waiting behind it. */
    private static final long QUEUED_NANOS = 5_000;

    private static final int PHASES = Phase.values().length;

    private final EventStore store;
    private final NameTable names;
    private final StepClock clock;
    private final int[] rows;
    private final int[] steps;
    private final long[] launches;
    private final LaunchInterval intervals;
    private final PhaseMap phases;
    private final LostWork lost;
    private final SpanIndex calls;
    private final boolean whole;
    private final Intervals compute = new Intervals();

    /** Where each step begins, and behind all where the last one ends. */
    private long[] begins = {};

    /** @param whole false where a few steps are seen at a time, so that it is not known how the CPU runs: their marks count then */
    GpuRank(EventStore store, NameTable names, StepClock clock, int[] order, int device, boolean whole) {
        this.whole = whole;
        this.store = store;
        this.names = names;
        this.clock = clock;
        int n = 0;
        for (int row : order) {
            n += store.device(row) == device ? 1 : 0;
        }
        rows = new int[n];
        steps = new int[n];
        launches = new long[n];
        long[] starts = new long[n];
        long[] ends = new long[n];
        LaunchIndex index = new LaunchIndex(store);
        n = 0;
        for (int row : order) {
            if (store.device(row) != device) {
                continue;
            }
            long launch = index.start(store.correlation(row));
            rows[n] = row;
            launches[n] = launch;
            starts[n] = store.start(row);
            ends[n] = launch == LaunchIndex.UNKNOWN ? launch : index.end();
            steps[n] = clock.at(launch == LaunchIndex.UNKNOWN ? store.start(row) : launch);
            if (store.kernelClass(row) == KernelClass.COMPUTE) {
                compute.add(store.start(row), store.end(row));
            }
            n++;
        }
        intervals = new LaunchInterval(launches, ends, starts);
        lost = new LostWork(store, clock);
        phases = new PhaseMap(store.spans(), store.kinds());
        calls = new SpanIndex(store.spans(), GpuRank::isIdentified);
    }

    /** Hands out everything. */
    void emit(int rank, boolean cut, DigestListener digests, KernelListener kernels, GroupUses uses) {
        StepAccount[] accounts = new StepAccount[clock.size()];
        for (int i = 0; i < accounts.length; i++) {
            accounts[i] = new StepAccount();
        }
        SpanIndex covers = new SpanIndex(store.spans(), GpuRank::mayExplainGap);
        long[] onGpu = new GpuSweep(store, clock, accounts, covers, rows, steps, launches).run();
        begins = whole && runsAhead() ? onGpu : onCpu();

        long[] stepKeys = new long[rows.length];
        for (int i = 0; i < stepKeys.length; i++) {
            stepKeys[i] = steps[i];
        }
        int[] byStep = LongOrder.ascending(stepKeys, stepKeys.length);
        int at = 0;
        while (at < byStep.length && steps[byStep[at]] == StepClock.NONE) {
            at++;
        }
        for (int step = 0; step < clock.size(); step++) {
            int from = at;
            while (at < byStep.length && steps[byStep[at]] == step) {
                at++;
            }
            digests.digest(digest(rank, step, cut, accounts[step], byStep, from, at, kernels, uses));
        }
    }

    private long[] onCpu() {
        long[] all = new long[clock.size() + 1];
        for (int k = 0; k < clock.size(); k++) {
            all[k] = clock.start(k);
            all[k + 1] = clock.end(k);
        }
        return all;
    }

    /**
     * True if the CPU was a step ahead of the GPU, as where nothing of it waits for results in most steps: its marks then tell how fast it launches, and all steps end together where it waits once.
     */
    private boolean runsAhead() {
        int newest = StepClock.NONE;
        for (int i = 0; i < rows.length; i++) {
            if (steps[i] > newest) {
                newest = steps[i];
                if (newest + 1 < clock.size() && clock.start(newest + 1) <= store.start(rows[i])) {
                    return true;
                }
            }
        }
        return false;
    }

    private StepDigest digest(
            int rank,
            int step,
            boolean cut,
            StepAccount account,
            int[] byStep,
            int from,
            int to,
            KernelListener kernels,
            GroupUses uses) {
        List<CollectiveStat> collectives = new ArrayList<>();
        Map<Integer, Long> streamEnd = new HashMap<>();
        long[] phaseCompute = new long[PHASES];
        long h2dNanos = 0;
        long h2dBytes = 0;
        long count = 0;
        long work = 0;
        for (int k = from; k < to; k++) {
            int i = byStep[k];
            int row = rows[i];
            switch (store.kernelClass(row)) {
                case COMPUTE -> {
                    count++;
                    work += store.amount(row);
                    Phase phase = launches[i] == LaunchIndex.UNKNOWN ? null : phases.at(launches[i]);
                    if (phase != null) {
                        phaseCompute[phase.ordinal()] += store.duration(row);
                    }
                    kernel(kernels, step, row);
                }
                case COMMUNICATION -> collectives.add(collective(i, streamEnd, uses));
                case MEMORY -> {
                    if (store.direction(row) == CopyDirection.HOST_TO_DEVICE) {
                        h2dNanos += store.duration(row);
                        h2dBytes += store.amount(row);
                    }
                }
            }
        }
        uses.endStep(clock.step(step));
        boolean last = step == clock.size() - 1;
        return new StepDigest(
                0,
                rank,
                clock.step(step),
                begins[step],
                begins[step + 1] - begins[step],
                last,
                (cut && last) || lost.spoils(step),
                true,
                account.own(),
                h2dNanos,
                h2dBytes,
                count,
                work,
                intervals.of(clock.start(step), clock.end(step)),
                phaseTimes(step, phaseCompute),
                collectives,
                account.gaps());
    }

    private void kernel(KernelListener kernels, int step, int row) {
        kernels.kernel(
                clock.step(step),
                store.name(row),
                store.stream(row),
                store.start(row),
                store.duration(row),
                store.amount(row));
    }

    private CollectiveStat collective(int i, Map<Integer, Long> streamEnd, GroupUses uses) {
        int row = rows[i];
        long start = store.start(row);
        long end = store.end(row);
        int stream = store.stream(row);
        CollectiveCall call = store.call(row);
        if ((call == null || call.group() < 0) && launches[i] != LaunchIndex.UNKNOWN) {
            CpuSpan span = calls.containing(launches[i]);
            call = span == null ? call : span.collective();
        }
        int group = call == null || call.group() < 0 ? uses.unnamed(stream, names) : call.group();
        CollectiveOp op = call == null || call.op() == CollectiveOp.UNKNOWN
                ? KernelClasses.opOf(names.name(store.name(row)))
                : call.op();
        uses.add(call, group, op, end);
        Long before = streamEnd.put(stream, end);
        boolean queued = before != null && start - before < QUEUED_NANOS;
        return new CollectiveStat(
                op,
                group,
                call == null ? -1 : call.sequence(),
                call == null ? -1 : call.bytes(),
                call == null ? -1 : call.peer(),
                stream,
                start,
                end - start,
                end - start - compute.covered(start, end),
                queued);
    }

    private List<PhaseTime> phaseTimes(int step, long[] computeByPhase) {
        List<PhaseTime> list = new ArrayList<>();
        for (Phase p : phases.phases()) {
            long span = phases.ranges(p).covered(clock.start(step), clock.end(step));
            long computeNanos = computeByPhase[p.ordinal()];
            if (span > 0 || computeNanos > 0) {
                list.add(new PhaseTime(p, span, computeNanos));
            }
        }
        return list;
    }

    /** Launches whose kernel is not in the record, in steps that are spoilt by it. */
    long lostLaunches() {
        return lost.lost();
    }

    /** Hash of the distinct names of compute kernels, whatever their order. */
    long workSignature() {
        Set<Integer> distinct = new HashSet<>();
        long hash = 0;
        for (int row : rows) {
            if (store.kernelClass(row) == KernelClass.COMPUTE && distinct.add(store.name(row))) {
                long h = names.name(store.name(row)).hashCode() * 0x9E3779B97F4A7C15L;
                hash += h ^ (h >>> 29);
            }
        }
        return hash;
    }

    /** A call on the CPU that says which group it belongs to. */
    static boolean isIdentified(CpuSpan s) {
        CollectiveCall call = s.collective();
        return call != null && call.group() >= 0 && s.kind() != SpanKind.GPU_ANNOTATION;
    }

    private static boolean mayExplainGap(CpuSpan s) {
        return s.collective() == null && s.kind() != SpanKind.GPU_ANNOTATION;
    }
}
