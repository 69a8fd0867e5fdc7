package dev.argus.hostlocal.live;

import dev.argus.digest.JobBuilder;
import dev.argus.engine.Concluded;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Horizon;
import dev.argus.engine.StoppedJob;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.GraphRunner;
import dev.argus.hostlocal.live.StepBarrier.Ready;
import dev.argus.model.FlightRecord;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.RankState;
import dev.argus.model.StackRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One job that goes on. Its ranks say who they are and report step after step; with every tick it says which incidents began, changed or ended.
 *
 * <p>Steps are held back until all ranks that report have reported them ({@link StepBarrier}), then go through the detectors, and a conclusion is
 * drawn, at most every {@link LiveOptions#conclusionNanos()}, and less often while all steps are alike ({@link Unrest}). When the job turns out to have another shape (a rank or a group appears that was not
 * known), the detectors begin again with the last {@value #HISTORY} steps of ranks. A higher attempt ends everything said of the one before.
 *
 * <p>Not thread-safe. State: that of the detectors ({@link Horizon#LIVE}), the steps held back, {@value #HISTORY} steps of ranks, and
 * the newest state of each rank.
 */
public final class LiveJob {
    /** Steps of ranks kept for detectors that begin again. */
    static final int HISTORY = 8192;

    /** The first steps of a job are unlike all others, and no two ranks warm up alike: nobody is called before so many. */
    static final int FIRST_STEPS = 8;

    /** A standstill is looked at again after so long: it walks over all groups. */
    private static final long STAND_NANOS = 1_000_000_000L;

    private final NameTable names;
    private final Thresholds thresholds;
    private final LiveOptions options;
    private final Executor executor;
    private final int lanes;

    private int attempt = -1;
    private final Map<Integer, RankDeclaration> ranks = new TreeMap<>();
    private boolean shapeIsOld;
    private @Nullable JobShape shape;
    private @Nullable GraphRunner runner;
    private StepBarrier barrier;
    private HangWatch hangs;
    private final Deque<Ready> history = new ArrayDeque<>();
    private int historyRanks;
    private long firstNanos;
    private long concludedNanos = Long.MIN_VALUE;
    private boolean unjudged;
    private double measuredNanos;
    private int stepsFed;
    private long newestStep = -1;
    private List<Incident> incidents = List.of();
    private @Nullable Concluded last;
    private List<Incident> standing = List.of();
    private long stoodNanos;
    private final IncidentLives lives = new IncidentLives();
    private final Unrest unrest = new Unrest();
    private final List<IncidentChange> ended = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** A job on the caller's thread. */
    public LiveJob(NameTable names, Thresholds thresholds, LiveOptions options) {
        this(names, thresholds, options, Runnable::run, 1);
    }

    /**
     * A job that also uses threads of others.
     *
     * @param names names of what it is given
     * @param thresholds what counts as evidence
     * @param options how it is watched
     * @param executor runs one task a lane but the first
     * @param lanes how many tasks run at a time, the caller's thread among them
     */
    public LiveJob(NameTable names, Thresholds thresholds, LiveOptions options, Executor executor, int lanes) {
        this.names = names;
        this.thresholds = thresholds;
        this.options = options;
        this.executor = executor;
        this.lanes = lanes;
        this.barrier = new StepBarrier(options.latenessNanos());
        this.hangs = new HangWatch(names, options.hangNanos());
    }

    /** Takes who a rank is; of an attempt that is over it is ignored. */
    public void declare(RankDeclaration declaration, long nowNanos) {
        if (declaration.attempt() < attempt || !valid(declaration.rank())) {
            return;
        }
        if (declaration.attempt() > attempt) {
            begin(declaration.attempt(), nowNanos);
        }
        RankDeclaration before = ranks.put(declaration.rank(), declaration);
        barrier.expect(declaration.rank());
        shapeIsOld |= before == null || !same(before, declaration);
    }

    private static boolean valid(int rank) {
        return rank >= 0 && rank < JobBuilder.MAX_WORLD;
    }

    /** Calls made are no difference; whom a rank meets is. */
    private static boolean same(RankDeclaration a, RankDeclaration b) {
        return a.header().equals(b.header())
                && a.gpuIndex() == b.gpuIndex()
                && a.workSignature() == b.workSignature()
                && groups(a).equals(groups(b));
    }

    private static List<List<Integer>> groups(RankDeclaration d) {
        return d.groups().stream()
                .map(g -> List.of(g.group(), g.members(), g.size()))
                .toList();
    }

    /** Step numbers come again: what was learnt under them before is no past of theirs. */
    private void countAnew() {
        history.clear();
        historyRanks = 0;
        stepsFed = 0;
        newestStep = -1;
        last = null;
        barrier = new StepBarrier(options.latenessNanos());
        ranks.keySet().forEach(barrier::expect);
        JobShape known = shape;
        if (known != null) {
            runner = new GraphRunner(new DetectorGraph(known, names, thresholds, Horizon.LIVE), executor, lanes);
        }
    }

    private void begin(int next, long nowNanos) {
        ended.addAll(lives.end(nowNanos));
        attempt = next;
        ranks.clear();
        history.clear();
        historyRanks = 0;
        shape = null;
        runner = null;
        barrier = new StepBarrier(options.latenessNanos());
        hangs = new HangWatch(names, options.hangNanos());
        firstNanos = nowNanos;
        concludedNanos = Long.MIN_VALUE;
        measuredNanos = 0;
        stepsFed = 0;
        newestStep = -1;
        incidents = List.of();
        standing = List.of();
        last = null;
    }

    /** Takes one step of a rank that has been declared; of an attempt that is over it is ignored. */
    public void take(RankStep step, long nowNanos) {
        if (step.digest().attempt() == attempt
                && ranks.containsKey(step.digest().rank())) {
            if (barrier.beginsAnew(step)) {
                countAnew();
            }
            barrier.add(step, nowNanos);
        }
    }

    /** Takes how a rank is doing. */
    public void take(RankState state, long nowNanos) {
        if (state.attempt() == attempt) {
            hangs.take(state, nowNanos);
        }
    }

    /** Takes which collectives a rank has called and not seen end. */
    public void take(FlightRecord flight, long nowNanos) {
        if (flight.attempt() == attempt) {
            hangs.take(flight, nowNanos);
        }
    }

    /** Takes what a rank is doing, by its stacks. */
    public void take(StackRecord record) {
        if (record.attempt() == attempt) {
            hangs.take(record);
        }
    }

    /**
     * Time has passed: what can be said is said.
     *
     * @param nowNanos now, nanoseconds since the Unix epoch; not before what was said with the last call
     * @return what has changed, in the order in which an operator should hear it
     */
    public List<IncidentChange> tick(long nowNanos) {
        List<IncidentChange> changes = new ArrayList<>(ended);
        ended.clear();
        if (ranks.isEmpty() || !settled(nowNanos)) {
            return changes;
        }
        List<Ready> ready = barrier.ready(nowNanos);
        if (shapeIsOld && (!ready.isEmpty() || shape == null)) {
            shapeAnew();
        }
        for (Ready r : ready) {
            feed(r);
            remember(r);
            unrest.take(r);
            hangs.step(length(r), nowNanos);
            newestStep = Math.max(newestStep, r.step());
            measuredNanos += length(r);
            unjudged = true;
            stepsFed++;
        }
        boolean due = concludedNanos == Long.MIN_VALUE
                || nowNanos - concludedNanos >= options.betweenConclusions(ranks.size(), unrest.stirred());
        if (unjudged && due && runner != null && stepsFed >= FIRST_STEPS) {
            Concluded now = runner.conclude().stream()
                    .filter(c -> c.pace().known())
                    .findFirst()
                    .orElse(null);
            if (now != null) {
                last = now;
            }
            concludedNanos = nowNanos;
            unjudged = false;
        }
        if (hangs.over(ranks.keySet())) {
            changes.addAll(lives.end(nowNanos));
            standing = List.of();
            incidents = List.of();
            return changes;
        }
        standing(nowNanos, !ready.isEmpty());
        List<Incident> all = new ArrayList<>(standing);
        if (last != null) {
            all.addAll(last.incidents());
        }
        incidents = List.copyOf(all);
        changes.addAll(lives.next(incidents, nowNanos));
        if (!changes.isEmpty()) {
            unrest.said();
        }
        return changes;
    }

    /** The first conclusion waits a little for ranks the job has and that have not appeared. */
    private boolean settled(long nowNanos) {
        if (shape != null) {
            return true;
        }
        int world = 0;
        for (RankDeclaration d : ranks.values()) {
            world = Math.max(world, d.header().worldSize());
        }
        return ranks.size() >= world || nowNanos - firstNanos >= options.settleNanos();
    }

    private void standing(long nowNanos, boolean goesOn) {
        if (shape != null && hangs.stands(nowNanos)) {
            if (!standing.isEmpty() && nowNanos - stoodNanos < STAND_NANOS) {
                return; // as it was said
            }
            stoodNanos = nowNanos;
            standing = new StoppedJob(shape, names)
                    .judge(
                            hangs.states(),
                            hangs.flights(),
                            hangs.stacks(),
                            hangs.progressNanos(),
                            nowNanos,
                            measuredNanos)
                    .incidents();
        } else if (!standing.isEmpty() && standing.getFirst().untilEpochNanos() == null) {
            standing = standing.stream()
                    .map(i -> i.resolved(hangs.progressNanos()))
                    .toList();
        } else if (goesOn) {
            standing = List.of();
        }
    }

    // ---------------------------------------------------------------- detectors

    private void shapeAnew() {
        JobBuilder builder = new JobBuilder(attempt, names);
        ranks.values().forEach(builder::add);
        JobShape now = builder.build(options.topology());
        notes.clear();
        notes.addAll(builder.notes());
        shapeIsOld = false;
        if (shape != null && alike(shape, now)) {
            return;
        }
        shape = now;
        runner = new GraphRunner(new DetectorGraph(now, names, thresholds, Horizon.LIVE), executor, lanes);
        history.forEach(this::feed);
        unrest.restart();
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

    private void feed(Ready r) {
        GraphRunner to = runner;
        if (to == null) {
            return;
        }
        to.takeDigests(r.ranks().size(), i -> r.ranks().get(i).digest());
        List<KernelWindow> windows = new ArrayList<>();
        for (RankStep s : r.ranks()) {
            if (s.kernels() != null) {
                windows.add(s.kernels());
            }
        }
        to.takeWindows(windows.size(), windows::get);
    }

    private void remember(Ready r) {
        history.addLast(r);
        historyRanks += r.ranks().size();
        while (history.size() > 1 && historyRanks > HISTORY) {
            historyRanks -= history.removeFirst().ranks().size();
        }
    }

    private static long length(Ready r) {
        long[] lengths = r.ranks().stream()
                .mapToLong(s -> s.digest().durationNanos())
                .sorted()
                .toArray();
        return lengths.length == 0 ? 0 : lengths[lengths.length / 2];
    }

    // ---------------------------------------------------------------- what is known

    /** Who the job is; null before the first conclusion. */
    public @Nullable JobShape shape() {
        return shape;
    }

    /** The last conclusion; null before the first. */
    public @Nullable Concluded concluded() {
        return last;
    }

    /** What is open, and what ended last: a standstill first, then most costly first. */
    public List<Incident> incidents() {
        return incidents;
    }

    /** Newest step that all ranks that report have made, -1 before the first. */
    public long newestStep() {
        return newestStep;
    }

    /** Ranks that have said who they are. */
    public RankSet declared() {
        return RankSet.of(ranks.keySet().stream().mapToInt(r -> r).toArray());
    }

    /** Ranks of these that steps do not wait for any more. */
    public RankSet silent() {
        return RankSet.of(barrier.silent().stream().mapToInt(r -> r).toArray());
    }

    /** What was contradictory about groups and layout, and what was left out, in sentences. */
    public List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if (barrier.late() > 0) {
            all.add(barrier.late() + " steps of ranks came after the others had gone on and were not judged");
        }
        if (barrier.twice() > 0) {
            all.add(barrier.twice() + " steps of ranks came twice");
        }
        return all;
    }
}
