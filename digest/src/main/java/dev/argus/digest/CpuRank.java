package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveStat;
import dev.argus.model.CpuSpan;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * Digests of a rank whose trace has no GPU events: phases and collectives on the CPU.
 *
 * <p>Own time is what the trace shows of it. With phases: the phases less the collectives inside them, data loading being
 * idle time of the compute; what lies between phases is nobody's. Without phases: the step less its collectives.
 */
final class CpuRank {
    private static final List<Phase> COMPUTE = List.of(Phase.FORWARD, Phase.BACKWARD, Phase.OPTIMIZER);

    private final StepClock clock;
    private final PhaseMap phases;
    private final List<CpuSpan> collectives;
    private final Intervals waits = new Intervals();
    private final Intervals compute = new Intervals();

    CpuRank(EventStore store, NameTable names, StepClock clock) {
        this.clock = clock;
        phases = new PhaseMap(store.spans(), names);
        collectives = outermost(store.spans());
        collectives.forEach(c -> waits.add(c.startNanos(), c.endNanos()));
        List<long[]> ranges = new ArrayList<>();
        for (Phase p : COMPUTE) {
            Intervals r = phases.ranges(p);
            for (int i = 0; i < r.size(); i++) {
                ranges.add(new long[] {r.start(i), r.end(i)});
            }
        }
        ranges.sort((a, b) -> Long.compare(a[0], b[0]));
        ranges.forEach(r -> compute.add(r[0], r[1]));
    }

    /** Hands out everything. */
    void emit(int rank, boolean cut, DigestListener digests, GroupUses uses) {
        int next = 0;
        for (int step = 0; step < clock.size(); step++) {
            long start = clock.start(step);
            long end = clock.end(step);
            List<CollectiveStat> stats = new ArrayList<>();
            while (next < collectives.size() && collectives.get(next).startNanos() < end) {
                CpuSpan c = collectives.get(next++);
                uses.add(c.collective());
                if (c.startNanos() >= start) {
                    stats.add(stat(c));
                }
            }
            boolean last = step == clock.size() - 1;
            digests.digest(new StepDigest(
                    0,
                    rank,
                    clock.step(step),
                    start,
                    end - start,
                    last,
                    cut && last,
                    false,
                    own(start, end),
                    0,
                    0,
                    0,
                    0,
                    phaseTimes(start, end),
                    stats,
                    List.of()));
        }
    }

    private OwnTime own(long start, long end) {
        long comm = waits.covered(start, end);
        if (compute.size() == 0) {
            return new OwnTime(end - start - comm, 0, comm, 0, 0);
        }
        Intervals loading = phases.ranges(Phase.DATA_LOADING);
        long idle = without(loading, start, end);
        return new OwnTime(without(compute, start, end), 0, comm, idle, idle);
    }

    /** Length of the ranges inside [start, end) less the collectives inside them. */
    private long without(Intervals ranges, long start, long end) {
        long sum = 0;
        for (int i = 0; i < ranges.size(); i++) {
            long from = Math.max(start, ranges.start(i));
            long to = Math.min(end, ranges.end(i));
            if (to > from) {
                sum += to - from - waits.covered(from, to);
            }
        }
        return sum;
    }

    private List<PhaseTime> phaseTimes(long start, long end) {
        List<PhaseTime> list = new ArrayList<>();
        for (Phase p : phases.phases()) {
            long span = without(phases.ranges(p), start, end);
            if (span > 0) {
                list.add(new PhaseTime(p, span, span));
            }
        }
        return list;
    }

    private static CollectiveStat stat(CpuSpan span) {
        CollectiveCall call = span.collective();
        if (call == null) {
            throw new IllegalArgumentException("a span without collective was kept as one: name id " + span.name());
        }
        return new CollectiveStat(
                call.op(),
                call.group(),
                call.sequence(),
                call.bytes(),
                call.peer(),
                (int) span.thread(),
                span.startNanos(),
                span.durationNanos(),
                span.durationNanos(),
                false);
    }

    /** Collectives that do not lie inside another: a wrapper and what it wraps are one call. */
    private static List<CpuSpan> outermost(List<CpuSpan> spans) {
        List<CpuSpan> all = new ArrayList<>();
        for (CpuSpan s : spans) {
            if (s.collective() != null && s.kind() != SpanKind.GPU_ANNOTATION) {
                all.add(s);
            }
        }
        all.sort((a, b) -> a.startNanos() != b.startNanos()
                ? Long.compare(a.startNanos(), b.startNanos())
                : Long.compare(b.durationNanos(), a.durationNanos()));
        List<CpuSpan> kept = new ArrayList<>();
        for (CpuSpan s : all) {
            boolean inside = !kept.isEmpty()
                    && kept.getLast().thread() == s.thread()
                    && s.endNanos() <= kept.getLast().endNanos();
            if (!inside) {
                kept.add(s);
            }
        }
        return kept;
    }
}
