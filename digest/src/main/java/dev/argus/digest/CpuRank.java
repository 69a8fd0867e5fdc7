package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveStat;
import dev.argus.model.CpuSpan;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Digests of a rank whose trace has no GPU events: phases and collectives on the CPU.
 *
 * <p>Own time is what the trace shows of it. With phases: the phases less the waits inside them, data loading being idle time of
 * the compute; what lies between phases is nobody's. Without phases: the step less its collectives.
 *
 * <p>A collective on the thread of the phases blocks it as long as it lasts. One on a thread of its own (gloo, launched by
 * hooks of the backward pass) runs beside the compute until the last one of the phase has been launched: from there on the phase can only
 * be waiting.
 *
 * <p>Ranges that are known to be no training ({@link StallWords#STALL}: the garbage collector, a compiler, no CPU to run on) are idle time, whatever phase
 * they lie in; with the loading of data they are the gaps of the rank, one for each name in a step.
 */
final class CpuRank {
    private static final List<Phase> COMPUTE = List.of(Phase.FORWARD, Phase.BACKWARD, Phase.OPTIMIZER);

    private final NameTable names;
    private final StepClock clock;
    private final PhaseMap phases;
    private final List<CpuSpan> collectives;
    private final Intervals blocking = new Intervals();
    private final Intervals beside = new Intervals();
    private final Intervals away;
    private final CpuGaps gaps;
    private final List<CpuSpan> besideSpans = new ArrayList<>();
    private final Intervals compute = new Intervals();

    CpuRank(EventStore store, NameTable names, StepClock clock) {
        this.names = names;
        this.clock = clock;
        phases = new PhaseMap(store.spans(), store.kinds());
        collectives = CpuCollectives.of(store.spans());
        boolean anyPhase = !phases.phases().isEmpty();
        long main = mainThread(store.spans());
        for (CpuSpan c : collectives) {
            if (anyPhase && c.thread() != main) {
                beside.add(c.startNanos(), c.endNanos());
                besideSpans.add(c);
            } else {
                blocking.add(c.startNanos(), c.endNanos());
            }
        }
        gaps = new CpuGaps(store.spans(), names);
        away = gaps.with(blocking);
        List<long[]> ranges = new ArrayList<>();
        for (Phase p : COMPUTE) {
            Intervals r = phases.ranges(p);
            for (int i = 0; i < r.size(); i++) {
                ranges.add(new long[] {r.start(i), r.end(i)});
            }
        }
        ranges.sort(Comparator.comparingLong(r -> r[0]));
        ranges.forEach(r -> compute.add(r[0], r[1]));
    }

    /** The thread with most time in phases. */
    private long mainThread(List<CpuSpan> spans) {
        Map<Long, Long> time = new HashMap<>();
        for (CpuSpan s : spans) {
            if (s.collective() == null && Phases.of(names.name(s.name())) != null) {
                time.merge(s.thread(), s.durationNanos(), Long::sum);
            }
        }
        return time.entrySet().stream()
                .max(Map.Entry.<Long, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(Long.MIN_VALUE);
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
                CollectiveStat stat = stat(c, uses);
                if (c.startNanos() >= start) {
                    stats.add(stat);
                }
            }
            uses.endStep(clock.step(step));
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
                    gaps.of(start, end)));
        }
    }

    private OwnTime own(long start, long end) {
        long stalled = away.covered(start, end) - blocking.covered(start, end);
        if (compute.size() == 0) {
            long comm = blocking.covered(start, end);
            return new OwnTime(end - start - comm - stalled, 0, comm, stalled, stalled);
        }
        long waits = blocking.covered(start, end);
        long work = 0;
        for (int i = 0; i < compute.size(); i++) {
            long from = Math.max(start, compute.start(i));
            long to = Math.min(end, compute.end(i));
            if (to > from) {
                work += to - from - wait(from, to);
                waits += tail(from, to);
            }
        }
        long idle = stalled + without(phases.ranges(Phase.DATA_LOADING), start, end);
        return new OwnTime(work, 0, waits, idle, idle);
    }

    /** Length of the ranges inside [start, end) less the waits inside them. */
    private long without(Intervals ranges, long start, long end) {
        long sum = 0;
        for (int i = 0; i < ranges.size(); i++) {
            long from = Math.max(start, ranges.start(i));
            long to = Math.min(end, ranges.end(i));
            if (to > from) {
                sum += to - from - wait(from, to);
            }
        }
        return sum;
    }

    private long wait(long from, long to) {
        return away.covered(from, to) + tail(from, to);
    }

    /** Time in [from, to) behind the launch of the last collective beside it, while any is running. */
    private long tail(long from, long to) {
        long last = lastLaunch(from, to);
        return last == Long.MIN_VALUE ? 0 : Math.max(0, beside.covered(last, to) - away.covered(last, to));
    }

    /** Start of the last collective beside the phases that starts in [from, to). */
    private long lastLaunch(long from, long to) {
        int low = 0;
        int high = besideSpans.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (besideSpans.get(middle).startNanos() < to) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high >= 0 && besideSpans.get(high).startNanos() >= from
                ? besideSpans.get(high).startNanos()
                : Long.MIN_VALUE;
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

    private CollectiveStat stat(CpuSpan span, GroupUses uses) {
        CollectiveCall call = span.collective();
        if (call == null) {
            throw new IllegalArgumentException("a range without collective was kept as one: name id " + span.name());
        }
        int group = call.group() >= 0 ? call.group() : uses.unnamed(0, names);
        uses.add(call, group, call.op(), span.endNanos());
        return new CollectiveStat(
                call.op(),
                group,
                call.sequence(),
                call.bytes(),
                call.peer(),
                (int) span.thread(),
                span.startNanos(),
                span.durationNanos(),
                exposed(span),
                false);
    }

    /** The part of a collective that its phase can only have waited for. */
    private long exposed(CpuSpan span) {
        int phase = compute.at(span.startNanos());
        if (phase < 0 || blocking.at(span.startNanos()) >= 0) {
            return span.durationNanos();
        }
        long last = lastLaunch(compute.start(phase), compute.end(phase));
        return Math.max(0, span.endNanos() - Math.max(span.startNanos(), last));
    }
}
