package dev.argus.agent.feed;

import dev.argus.digest.AssembledTrace;
import dev.argus.digest.KeptEvents;
import dev.argus.digest.NameKinds;
import dev.argus.digest.StallWords;
import dev.argus.digest.TraceEventSink;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CpuSpan;
import dev.argus.model.FlightRecord;
import dev.argus.model.GpuEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.RankState.ProcessState;
import dev.argus.model.StepDigest;
import dev.argus.model.StepMark;
import dev.argus.model.TraceHeader;
import dev.argus.sketch.StepWindows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The events of one rank, cut into steps as they end.
 *
 * <p>A step has ended when the next one has begun and what belongs to it is here ({@link GpuWatch#told}). Events that
 * come later belong to no step any more and are counted. A step during which records were lost, that was not wholly recorded, or whose work on the GPU was waited for in vain, is cut: it
 * is reported as partial and compared with nothing. Waiting is time in which this was asked: a pause of the agent is none.
 *
 * <p>State: the events since the begin of the last step cut, at most {@value #MOST_EVENTS} or {@link #limit}; of more, the step is cut. Cost: work of the GPU is
 * taken into account once, with its step; launches that wait for theirs and ranges around the border once more with the next.
 */
public final class RankFeed implements TraceEventSink {
    static final int MOST_EVENTS = 1 << 20;

    /** Less than this no feed is given: a step of a training job has some thousands. */
    static final int LEAST_EVENTS = 1 << 14;

    /** From one {@link #cut} to the next at most so much counts as time in which something could have been told. */
    private static final long LISTENING_NANOS = 2_000_000_000L;

    private final int attempt;
    private final int rank;
    private TraceHeader header;
    private String gpuUuid = "";
    private boolean headerIsNew = true;

    private final KeptEvents events;
    private final NavigableMap<Long, StepMark> marks = new TreeMap<>();
    private final NavigableMap<Long, Long> begun = new TreeMap<>();
    private final TreeSet<Long> damaged = new TreeSet<>();
    private final TreeSet<Long> unrecorded = new TreeSet<>();
    private final Map<String, Long> aside = new HashMap<>();
    private final GpuWatch watch;
    private final int working;
    private final OpenRanges ranges = new OpenRanges();
    private final Map<Long, KernelWindow> kernels = new HashMap<>();
    private final StepWindows windows;

    private int most = MOST_EVENTS;
    private long lastCut = Long.MIN_VALUE;

    /** What its numbers of steps are less than those of the others of its job: its process joined them later and counts from its own beginning. */
    private long behind;

    private @Nullable LongFunction<@Nullable StepMark> joined;
    private long heartbeatNanos;
    private long askedNanos = Long.MIN_VALUE;
    private long listeningSince = Long.MIN_VALUE;
    private @Nullable AssembledTrace known;
    private @Nullable TraceEventSink also;

    /**
     * A feed of one rank of an attempt.
     *
     * @param header what the rank says about itself so far
     */
    public RankFeed(int attempt, int rank, TraceHeader header, NameTable names) {
        this.attempt = attempt;
        this.rank = rank;
        this.header = header;
        NameKinds kinds = new NameKinds(names);
        this.events = new KeptEvents(kinds);
        this.watch = new GpuWatch(kinds, names);
        this.working = names.id(StallWords.WORKING);
        this.windows = new StepWindows(attempt, rank, w -> kernels.put(w.window(), w));
    }

    /** Attempt of the job. */
    public int attempt() {
        return attempt;
    }

    /** Global rank. */
    public int rank() {
        return rank;
    }

    /**
     * The process has taken the place of another one in a job that goes on, and may count its steps from its own beginning. Who trains together ends its steps
     * together: of all pairs of a step of its own and one of the others the two that end nearest to each other are one.
     *
     * @param others the step of the others that ended nearest to a time, null when there is none
     */
    public void joins(LongFunction<@Nullable StepMark> others) {
        joined = others;
    }

    /** The step that ended nearest to a time, of those not forgotten; null when there is none. */
    public @Nullable StepMark endedNear(long nanos) {
        StepMark nearest = null;
        for (StepMark m : marks.values()) {
            boolean nearer = nearest == null || Math.abs(m.endNanos() - nanos) < Math.abs(nearest.endNanos() - nanos);
            nearest = nearer ? m : nearest;
        }
        return nearest;
    }

    /** Counts on from the steps of the others, where its own numbers are less. */
    private void join(LongFunction<@Nullable StepMark> others) {
        joined = null;
        long apart = Long.MAX_VALUE;
        for (StepMark own : marks.values()) {
            StepMark other = others.apply(own.endNanos());
            if (other != null && Math.abs(other.endNanos() - own.endNanos()) < apart) {
                apart = Math.abs(other.endNanos() - own.endNanos());
                behind = Math.max(0, other.step() - own.step());
            }
        }
        if (behind == 0) {
            return;
        }
        Map<Long, StepMark> ended = new TreeMap<>(marks);
        Map<Long, Long> started = new TreeMap<>(begun);
        marks.clear();
        begun.clear();
        ended.forEach((n, m) -> marks.put(n + behind, counted(m)));
        started.forEach((n, at) -> begun.put(n + behind, at));
        shift(damaged);
        shift(unrecorded);
    }

    private StepMark counted(StepMark m) {
        return behind == 0 ? m : new StepMark(m.step() + behind, m.startNanos(), m.durationNanos(), m.onGpu());
    }

    private void shift(Set<Long> steps) {
        List<Long> before = List.copyOf(steps);
        steps.clear();
        before.forEach(n -> steps.add(n + behind));
    }

    /** The rank says more about itself: its header, and the uuid of its GPU or the empty text. */
    public void header(TraceHeader more, String uuid) {
        headerIsNew |= !more.equals(header) || !uuid.equals(gpuUuid);
        header = more;
        gpuUuid = uuid;
    }

    /** Hands every event on to somebody else, too; null to nobody. */
    public void tap(@Nullable TraceEventSink other) {
        also = other;
    }

    // ---------------------------------------------------------------- events

    @Override
    public void gpu(GpuEvent event) {
        if (also != null) {
            also.gpu(event);
        }
        if (room()) {
            events.gpu(event);
        }
        watch.ended(event);
    }

    @Override
    public void launch(LaunchEvent event) {
        if (also != null) {
            also.launch(event);
        }
        if (room()) {
            events.launch(event);
        }
        watch.launched(event);
    }

    @Override
    public void span(CpuSpan span) {
        if (also != null) {
            also.span(span);
        }
        if (room()) {
            events.span(span);
        }
        ranges.ended(span);
        if (span.collective() != null) {
            watch.called(span);
        }
        alive(span.endNanos());
    }

    @Override
    public void step(StepMark mark) {
        if (also != null) {
            also.step(mark);
        }
        if (mark.onGpu()) {
            watch.reached(counted(mark));
            return; // the CPU's own marks are always there
        }
        StepMark counted = counted(mark);
        begun.putIfAbsent(counted.step(), counted.startNanos());
        marks.put(counted.step(), counted);
        alive(mark.endNanos());
    }

    @Override
    public void quarantine(String reason) {
        aside.merge(reason, 1L, Long::sum);
    }

    /** A step has begun. */
    public void stepBegun(long number, long startNanos) {
        long step = number + behind;
        if (!begun.isEmpty() && step < begun.lastKey()) {
            restart();
        }
        begun.put(step, startNanos);
        watch.stepBegun(startNanos);
        alive(startNanos);
    }

    /** A named range has begun. */
    public void spanBegun(int name, long startNanos) {
        ranges.begun(name, startNanos);
        alive(startNanos);
    }

    /** A collective has been called. */
    public void collectiveBegun(CollectiveCall call, int name, long startNanos) {
        watch.begun(call, name, startNanos);
        alive(startNanos);
    }

    /** Signals were off on purpose during a step. */
    public void notRecorded(long step) {
        unrecorded.add(step + behind);
    }

    /** Everything of the GPU that had ended by a time has been told. */
    public void reported(long untilNanos) {
        watch.reported(untilNanos);
    }

    /** Records of a time are missing: steps in it are cut. */
    public void lost(long fromNanos, long toNanos) {
        watch.lost(toNanos);
        for (Map.Entry<Long, Long> e : begun.entrySet()) {
            StepMark mark = marks.get(e.getKey());
            long end = mark == null ? Long.MAX_VALUE : mark.endNanos();
            if (e.getValue() <= toNanos && end >= fromNanos) {
                damaged.add(e.getKey());
            }
        }
    }

    /** The process gave a sign of life. */
    public void alive(long nanos) {
        heartbeatNanos = Math.max(heartbeatNanos, nanos);
    }

    /** Keeps at most so many events from now on, within {@value #LEAST_EVENTS} and {@value #MOST_EVENTS}: a share of what the agent has room for. */
    public void limit(int events) {
        most = Math.clamp(events, LEAST_EVENTS, MOST_EVENTS);
    }

    private boolean room() {
        if (events.size() < most) {
            return true;
        }
        aside.merge("event-beyond-room", 1L, Long::sum);
        if (!begun.isEmpty()) {
            damaged.add(begun.lastKey());
        }
        return false;
    }

    /** The job counts its steps anew. */
    private void restart() {
        begun.clear();
        marks.clear();
        damaged.clear();
        unrecorded.clear();
        watch.countAnew();
        lastCut = Long.MIN_VALUE;
    }

    // ---------------------------------------------------------------- steps

    /** Reports the steps that have ended at a time. */
    public Cut cut(long nowNanos) {
        if (askedNanos != Long.MIN_VALUE && nowNanos - askedNanos > LISTENING_NANOS) {
            listeningSince = nowNanos - LISTENING_NANOS;
        }
        askedNanos = nowNanos;
        watch.passed(begun);
        long last = lastEnded(nowNanos);
        LongFunction<@Nullable StepMark> others = joined;
        if (others != null && last != Long.MIN_VALUE) {
            join(others);
            last += behind;
        }
        return last == Long.MIN_VALUE ? declared(List.of(), Set.of()) : assemble(last);
    }

    /** The newest step of which everything can be expected to be here, or {@link Long#MIN_VALUE} when none is new. */
    private long lastEnded(long nowNanos) {
        for (Map.Entry<Long, StepMark> e : marks.descendingMap().entrySet()) {
            long step = e.getKey();
            if (step <= lastCut) {
                return Long.MIN_VALUE;
            }
            Map.Entry<Long, Long> next = begun.higherEntry(step);
            if (next != null) {
                long end = Math.max(e.getValue().endNanos(), next.getValue());
                long waited = nowNanos - Math.max(end, listeningSince);
                if (watch.told(step, end, end + waited)) {
                    return step;
                }
            }
        }
        return Long.MIN_VALUE;
    }

    private Cut assemble(long last) {
        Map.Entry<Long, Long> next = begun.higherEntry(last);
        StepMark lastMark = Objects.requireNonNull(marks.get(last), "a step is cut by its mark");
        long end = next == null ? lastMark.endNanos() : next.getValue();
        List<StepMark> steps = new ArrayList<>(marks.headMap(last, true).values());
        if (next != null) {
            StepMark mark = marks.get(next.getKey());
            steps.add(mark == null ? new StepMark(next.getKey(), next.getValue(), 1, false) : mark);
        }
        Map<Long, StepDigest> digests = new TreeMap<>();
        kernels.clear();
        AssembledTrace trace = events.assemble(
                rank,
                steps,
                end,
                d -> {
                    if (d.step() > lastCut && d.step() <= last) {
                        digests.put(d.step(), d.of(attempt, rank));
                    }
                },
                (step, name, stream, start, duration, work) -> {
                    if (step > lastCut && step <= last) {
                        windows.add(step, name, stream, start, duration, work);
                    }
                });
        windows.flush();
        List<RankStep> cut = new ArrayList<>();
        digests.forEach((step, d) -> {
            Map.Entry<Long, Long> after = begun.higherEntry(step);
            boolean whole = !damaged.contains(step)
                    && !unrecorded.contains(step)
                    && !watch.lacks(after == null ? end : after.getValue());
            cut.add(new RankStep(whole ? d : d.cut(), kernels.get(step)));
        });
        Set<Long> off = Set.copyOf(unrecorded.headSet(last, true));
        lastCut = last;
        forget(last, lastMark.startNanos(), end);
        AssembledTrace all = known == null ? trace : known.then(trace);
        headerIsNew |= known == null
                || !known.groups().stream()
                        .map(g -> g.group())
                        .toList()
                        .equals(all.groups().stream().map(g -> g.group()).toList());
        known = all;
        return declared(cut, off);
    }

    private Cut declared(List<RankStep> steps, Set<Long> off) {
        AssembledTrace trace = known;
        if (trace == null) {
            return Cut.NOTHING;
        }
        RankDeclaration declaration = headerIsNew ? trace.declaration(attempt, rank, header, gpuUuid) : null;
        headerIsNew = false;
        return new Cut(steps, off, declaration);
    }

    /** Keeps what the next step needs. */
    private void forget(long last, long before, long endNanos) {
        events.forget(before, endNanos);
        marks.headMap(last, false).clear();
        begun.headMap(last, false).clear();
        damaged.headSet(last, false).clear();
        unrecorded.headSet(last, true).clear();
    }

    // ---------------------------------------------------------------- now

    /**
     * How the rank is doing.
     *
     * @param busyNanos since when its main thread has been running on a CPU, 0 when it has not: then it is at work, unless a collective of it is open. So it is while its CPU
     *     is silent and its GPU ends kernels that are no communication
     */
    public RankState state(ProcessState process, long busyNanos, long nowNanos) {
        Map.Entry<Long, Long> newest = begun.lastEntry();
        Map.Entry<Long, StepMark> ended = marks.lastEntry();
        long since = watch.workingSince(busyNanos, heartbeatNanos, nowNanos);
        OpenRanges.Range doing = since > 0 ? new OpenRanges.Range(working, since) : ranges.innermost();
        return new RankState(
                attempt,
                rank,
                nowNanos,
                process,
                heartbeatNanos,
                newest == null ? -1 : newest.getKey(),
                newest == null ? 0 : newest.getValue(),
                ended == null ? -1 : ended.getKey(),
                ended == null ? 0 : ended.getValue().endNanos(),
                doing == null ? -1 : doing.name(),
                doing == null ? 0 : doing.sinceNanos());
    }

    /** Which collectives it has called and not seen end; null before its first. */
    public @Nullable FlightRecord flight(long nowNanos) {
        Map<String, ProcessGroup> declared = new HashMap<>();
        header.groups().forEach(g -> declared.put(g.name(), g));
        return watch.record(attempt, rank, declared, nowNanos);
    }

    /** Newest step begun, -1 before the first. */
    public long newestStep() {
        return begun.isEmpty() ? -1 : begun.lastKey();
    }

    /** What was set aside, by reason. */
    public Map<String, Long> aside() {
        Map<String, Long> all = new HashMap<>(aside);
        watch.aside(all);
        return Map.copyOf(all);
    }
}
