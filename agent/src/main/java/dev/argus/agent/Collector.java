package dev.argus.agent;

import dev.argus.agent.feed.Cut;
import dev.argus.agent.feed.RankFeed;
import dev.argus.agent.history.RawHistory;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.DataProblem;
import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.RankState.ProcessState;
import dev.argus.model.SafeText;
import dev.argus.model.StackRecord;
import dev.argus.model.StepMark;
import dev.argus.ring.ProcessLife;
import dev.argus.ring.RingDirectory;
import dev.argus.ring.RingDirectory.Entry;
import dev.argus.ring.RingDirectory.Listing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All training processes of a host: their rings are found, drained and cut into steps, their stacks sampled, their state told.
 *
 * <p>Used by one thread, which calls {@link #look} every {@link AgentOptions#lookNanos()}. Nothing here waits for a process; what one of them does to its ring or its
 * memory is counted and leaves the others alone.
 *
 * <p>Attempts: as the job states them; where a rank's process is followed by another one and the job does not count, a new attempt begins, unless most others go on
 * ({@link AttemptBook}). Then the new process takes its number of a step from theirs, if it counts from the beginning.
 */
public final class Collector implements AutoCloseable {
    /** Records taken from a ring in one look: a ring of a million is drained in some looks, and stacks are not late. */
    private static final int MOST_RECORDS = 1 << 17;

    /**
     * All but stacks is done in rounds: a look that comes each 50 ms finds its code and data gone from the caches, and what it does costs more. A ring that is an eighth full does not wait for
     * the next. Measured: docs/overhead.md.
     */
    private static final long ROUND_NANOS = 1_000_000_000L;

    /** Rounds and what is due with them once a second fall together, though looks are not quite punctual. */
    private static final long EARLY_NANOS = 10_000_000L;

    private static final int MOST_PROCESSES = 2048;

    /** Events kept for steps that have not ended, of all processes together; about 200 MB. */
    private static final int MOST_EVENTS = 1 << 21;

    private static final int MOST_PROBLEMS = 64;
    private static final int MOST_JOBS = 64;
    private static final long METER_NANOS = 10_000_000_000L;

    /** What dead processes left comes first, so that they are the attempt before the living, not their doubles. */
    private static final Comparator<Entry> BY_AGE = Comparator.comparingInt(
                    (Entry e) -> e.life() == ProcessLife.DEAD ? 0 : 1)
            .thenComparingLong(e -> e.header().startTicks());

    private final AgentOptions options;
    private final NameTable names;
    private final CollectorSink sink;
    private final RingDirectory directory;
    private final RingSearch search;
    private final long epochOffset;
    private final Map<RankProcess.Key, Watched> processes = new LinkedHashMap<>();

    /** The same as an array, until one comes or goes. */
    private Watched @Nullable [] watched;

    private final AttemptBook attempts;
    private final Tunings tunings = new Tunings();
    private final Map<String, JobMeter> meters = new LinkedHashMap<>();
    private final @Nullable RawHistory history;
    private final Set<RankProcess.Key> givenUp = new HashSet<>();
    private final Map<String, DataProblem> problems = new LinkedHashMap<>();
    private long lookMono;
    private int looks;
    private long roundMono = Long.MIN_VALUE;
    private long foundMono = Long.MIN_VALUE;
    private long statedMono = Long.MIN_VALUE;
    private long stacksMono = Long.MIN_VALUE;
    private long metersMono = Long.MIN_VALUE;
    private long records;

    private static final class Watched {
        final RankProcess process;

        @Nullable
        RankSampler sampler;

        @Nullable
        ProcessWatch life;

        boolean told;

        /** In this look. */
        boolean drained;

        Watched(RankProcess process) {
            this.process = process;
        }
    }

    /**
     * A collector that knows no process yet.
     *
     * @param epochNanos now, nanoseconds since the Unix epoch
     * @param nowMono now, CLOCK_MONOTONIC nanoseconds
     */
    public Collector(AgentOptions options, NameTable names, CollectorSink sink, long epochNanos, long nowMono) {
        this(options, names, sink, null, null, epochNanos, nowMono);
    }

    /**
     * The same with a memory.
     *
     * @param history takes all events, or null
     * @param attempts file in which attempts are counted beyond the life of this process, or null
     */
    public Collector(
            AgentOptions options,
            NameTable names,
            CollectorSink sink,
            @Nullable RawHistory history,
            @Nullable Path attempts,
            long epochNanos,
            long nowMono) {
        this.history = history;
        this.attempts = new AttemptBook(attempts);
        this.options = options;
        this.names = names;
        this.sink = sink;
        this.directory = RingDirectory.of(options.rings());
        this.search = new RingSearch(directory);
        this.epochOffset = epochNanos - nowMono;
    }

    /**
     * Looks at stacks, and in rounds at everything.
     *
     * @param nowMono CLOCK_MONOTONIC nanoseconds
     * @return true if it was a round: whoever has something to do that may wait does it now
     */
    public boolean look(long nowMono) {
        lookMono = nowMono;
        looks++;
        boolean round = due(roundMono, nowMono, ROUND_NANOS);
        boolean more = round;
        roundMono = round ? nowMono : roundMono;
        if (due(foundMono, nowMono, options.findNanos())) {
            foundMono = nowMono;
            if (anyEnded() || search.isDue(nowMono)) {
                find(nowMono);
            }
        }
        long now = nowMono + epochOffset;
        boolean tell = due(statedMono, nowMono, options.stateNanos());
        boolean fold = due(stacksMono, nowMono, options.stackNanos());
        int most = MOST_EVENTS / Math.max(1, processes.size());
        // One thing for all of them after the other: what the code needs is in the caches from the second process on.
        for (Watched w : watched()) {
            try {
                sample(w, nowMono);
            } catch (RuntimeException e) {
                giveUp(w, e);
            }
        }
        for (Watched w : watched()) {
            try {
                w.drained = round || (w.process.mayBePressed(looks) && w.process.isPressed());
                more |= w.drained;
                if (w.drained) {
                    drain(w, nowMono, most);
                }
            } catch (RuntimeException e) {
                giveUp(w, e);
            }
        }
        if (more || tell || fold) {
            for (Watched w : watched()) {
                try {
                    look(w, now, tell, fold);
                } catch (RuntimeException e) {
                    giveUp(w, e);
                }
            }
        }
        statedMono = tell ? nowMono : statedMono;
        stacksMono = fold ? nowMono : stacksMono;
        if (due(metersMono, nowMono, METER_NANOS)) {
            metersMono = nowMono;
            OwnCost.Used used = OwnCost.now(options.proc());
            meters.forEach((job, meter) -> sink.overhead(job, meter.read(used, now), now));
        }
        if (more || tell || fold) {
            handOn(now);
        }
        return round;
    }

    /** The next look is a round. */
    public void hurry() {
        roundMono = Long.MIN_VALUE;
    }

    private void handOn(long now) {
        attempts.save(); // before what was counted in this look goes out
        if (!attempts.problem().isEmpty()) {
            problem("attempts", RankSet.EMPTY, attempts.problem());
        }
        try {
            sink.tick(now);
        } catch (RuntimeException e) {
            problem("internal-error", RankSet.EMPTY, "a defect of Argus (" + e + "); please report it");
        }
    }

    private static boolean due(long last, long now, long every) {
        return last == Long.MIN_VALUE || now - last >= every - Math.min(EARLY_NANOS, every / 4);
    }

    /** All of them, which stay so while one is given up. */
    private Watched[] watched() {
        Watched[] all = watched;
        if (all == null) {
            all = processes.values().toArray(new Watched[0]);
            watched = all;
        }
        return all;
    }

    private static void sample(Watched w, long nowMono) {
        if (w.sampler != null) {
            w.sampler.look(w.process.feed(), nowMono);
        }
    }

    private void drain(Watched w, long nowMono, int most) {
        RankProcess p = w.process;
        RankFeed before = p.feed();
        if (before != null) {
            before.limit(most);
        }
        records += p.drain(MOST_RECORDS, nowMono);
        RankFeed feed = p.feed();
        if (w.sampler == null && feed != null && p.hostPid() > 0 && p.life() == ProcessLife.ALIVE) {
            w.sampler = RankSampler.of(options.proc(), p.hostPid(), options.stacksPerSecond(), names, epochOffset);
            refused(w);
            tune(w, tunings.of(p.job(), feed.rank()));
            sample(w, nowMono);
        }
    }

    private void look(Watched w, long now, boolean tell, boolean fold) {
        RankProcess p = w.process;
        RankFeed feed = p.feed();
        if (feed == null || !(w.drained || tell || fold)) {
            return;
        }
        String job = p.job();
        if (w.sampler != null) {
            w.sampler.flush(feed);
        }
        Cut cut = feed.cut(now);
        if (cut.declaration() != null) {
            sink.declare(job, cut.declaration(), now);
            if (!w.told) {
                w.told = true;
                losses(
                        w, job, feed,
                        now); // with the first step: nobody may hear of steps behind a gap and not of the gap
            }
        }
        for (RankStep step : cut.steps()) {
            sink.step(job, step, now);
        }
        if (!cut.steps().isEmpty()) {
            meter(job).take(cut);
        }
        if (tell && w.told) {
            state(w, job, feed, now);
        }
        if (fold && w.sampler != null && w.told) {
            StackRecord stacks = w.sampler.take(feed.attempt(), feed.rank(), "process " + p.hostPid());
            if (stacks != null) {
                sink.stacks(job, stacks, now);
            }
        }
    }

    private void state(Watched w, String job, RankFeed feed, long now) {
        sink.state(job, feed.state(process(w), busySince(w), now), now);
        FlightRecord flight = feed.flight(now);
        if (flight != null) {
            sink.flight(job, flight, now);
        }
        losses(w, job, feed, now);
    }

    private static long busySince(Watched w) {
        return w.sampler == null ? 0 : w.sampler.busySince();
    }

    private void losses(Watched w, String job, RankFeed feed, long now) {
        w.process.takeLosses().forEach((reason, count) -> sink.lost(job, feed.rank(), reason, count, now));
    }

    private ProcessState process(Watched w) {
        RankProcess p = w.process;
        if (p.closed()) {
            return ProcessState.ENDED;
        }
        return switch (p.life()) {
            case DEAD -> ProcessState.GONE;
            case UNSEEN -> ProcessState.UNKNOWN;
            case ALIVE -> w.life != null && w.life.stopped() ? ProcessState.STOPPED : ProcessState.ALIVE;
        };
    }

    /** A defect of ours must not end the watch over all other processes. */
    private void giveUp(Watched w, RuntimeException defect) {
        RankProcess p = w.process;
        problem(
                "internal-error",
                rankOf(p),
                "process " + p.hostPid() + " is not watched any more, because of a defect of Argus (" + defect
                        + "); please report it; start the agent again to try again");
        if (givenUp.size() < MOST_PROCESSES) {
            givenUp.add(p.key());
        }
        close(w);
        processes.remove(p.key());
        watched = null;
    }

    // ---------------------------------------------------------------- processes

    /** Opens what says whether it runs, right after it was seen to. */
    private void watch(Watched w) {
        RankProcess p = w.process;
        if (w.life == null && p.hostPid() > 0 && p.life() == ProcessLife.ALIVE) {
            w.life = ProcessWatch.open(options.proc(), p.hostPid());
        }
    }

    /** True if the folder is to be looked through because of a process: one that has ended, or of which nothing else tells. */
    private boolean anyEnded() {
        for (Watched w : processes.values()) {
            if (w.life == null || w.life.ended()) {
                return true;
            }
        }
        return false;
    }

    private void find(long nowMono) {
        Listing listing;
        try {
            listing = search.list(nowMono);
        } catch (IOException e) {
            problem("ring-folder", RankSet.EMPTY, String.valueOf(e.getMessage()));
            return;
        }
        listing.problems().forEach(p -> problem(p.kind(), p.ranks(), p.detail()));
        Set<RankProcess.Key> vanished = new HashSet<>(processes.keySet());
        List<Entry> byAge = new ArrayList<>(listing.rings());
        byAge.sort(BY_AGE);
        for (Entry entry : byAge) {
            RankProcess.Key key = RankProcess.Key.of(entry);
            vanished.remove(key);
            if (givenUp.contains(key)) {
                continue;
            }
            Watched known = processes.get(key);
            if (known == null) {
                if (entry.life() == ProcessLife.DEAD && entry.backlog() == 0) {
                    remove(entry, nowMono);
                    continue;
                }
                if (processes.size() >= MOST_PROCESSES) {
                    problem(
                            "too-many-processes",
                            RankSet.EMPTY,
                            "more than " + MOST_PROCESSES + " processes have rings");
                    continue;
                }
                known = new Watched(new RankProcess(key, names, epochOffset, this::open));
                processes.put(key, known);
                watched = null;
            }
            try {
                known.process.found(entry, nowMono);
                watch(known);
            } catch (IOException e) {
                search.again();
                problem("ring-refused", RankSet.EMPTY, String.valueOf(e.getMessage()));
            }
            if (known.process.over()) {
                end(known, nowMono);
                remove(entry, nowMono);
            }
        }
        vanished.forEach(key -> vanished(key, nowMono));
        if (!vanished.isEmpty()) {
            search.again(); // only a search asks for them
        }
    }

    private void vanished(RankProcess.Key key, long nowMono) {
        Watched w = processes.get(key);
        if (w == null) {
            return;
        }
        w.process.vanished(directory, nowMono);
        if (w.process.life() != ProcessLife.DEAD) {
            problem(
                    "ring-vanished",
                    rankOf(w.process),
                    "a ring of process " + key.pid()
                            + " is not found any more, though it was not read to its end; it is"
                            + " read on, but an agent that starts anew will not see it: has something cleaned up "
                            + options.rings() + "?");
        }
        if (w.process.over()) {
            end(w, nowMono);
        }
    }

    private void remove(Entry entry, long nowMono) {
        try {
            directory.removeDrained(entry, nowMono);
        } catch (IOException e) {
            problem("ring-not-removed", RankSet.EMPTY, String.valueOf(e.getMessage()));
        }
    }

    /** A process is over, and what it left was taken. */
    private void end(Watched w, long nowMono) {
        RankProcess p = w.process;
        RankFeed feed = p.feed();
        if (feed != null && w.told) {
            String job = p.job();
            sink.state(job, feed.state(process(w), 0, nowMono + epochOffset), nowMono + epochOffset);
        }
        close(w);
        processes.remove(p.key());
        watched = null;
    }

    private void close(Watched w) {
        try {
            w.process.close();
        } catch (IOException e) {
            problem("ring-not-closed", RankSet.EMPTY, String.valueOf(e.getMessage()));
        }
        if (w.sampler != null) {
            w.sampler.close();
        }
        if (w.life != null) {
            w.life.close();
        }
    }

    /** The feed of a process whose first step begins; a process that states no rank is the only one of its job. */
    private @Nullable RankFeed open(RankProcess p) {
        if (!p.introduced(lookMono)) {
            return null;
        }
        int rank = Math.max(0, p.identity().rank());
        int attempt = attempts.begin(p.job(), rank, p.identity().attempt(), p.key(), this::lives);
        if (attempt < 0) {
            problem(
                    "duplicate-rank",
                    RankSet.of(rank),
                    "two living processes say that they are rank " + rank
                            + " of the same job; only the first is used: give each job its own ARGUS_JOB");
            return null;
        }
        p.keepJob();
        RankFeed feed = new RankFeed(attempt, rank, p.identity().traceHeader(), names);
        if (attempts.replaced()) {
            feed.joins(end -> stepOfOthers(p, attempt, end));
        }
        if (history != null) {
            feed.tap(history.rank(p.job(), attempt, rank, p.identity()::traceHeader));
        }
        p.tune(tunings.of(p.job(), rank));
        return feed;
    }

    /** The step of the other ranks of an attempt that ended nearest to a time; null when they have made none. */
    private @Nullable StepMark stepOfOthers(RankProcess joined, int attempt, long endNanos) {
        StepMark nearest = null;
        for (Watched w : processes.values()) {
            RankFeed feed = w.process.feed();
            boolean other = w.process != joined
                    && feed != null
                    && feed.attempt() == attempt
                    && w.process.life() != ProcessLife.DEAD
                    && w.process.job().equals(joined.job());
            StepMark mark = feed != null && other ? feed.endedNear(endNanos) : null;
            boolean nearer = mark != null
                    && (nearest == null
                            || Math.abs(mark.endNanos() - endNanos) < Math.abs(nearest.endNanos() - endNanos));
            nearest = nearer ? mark : nearest;
        }
        return nearest;
    }

    private JobMeter meter(String job) {
        JobMeter meter = meters.computeIfAbsent(job, j -> new JobMeter());
        if (meters.size() > MOST_JOBS) {
            meters.remove(meters.keySet().iterator().next());
        }
        return meter;
    }

    private void refused(Watched w) {
        if (w.sampler != null && !w.sampler.refused().isEmpty()) {
            RankProcess p = w.process;
            problem("no-stacks", rankOf(p), "no stacks of rank " + p.identity().rank() + ": " + w.sampler.refused());
        }
    }

    private void tune(Watched w, Tuning tuning) {
        w.process.tune(tuning);
        Integer rate = tuning.stacksPerSecond();
        if (rate != null && w.sampler != null) {
            w.sampler.rate(rate);
            refused(w);
        }
    }

    /**
     * Asks producers of this host to record otherwise, those that run and those that start later, and samples their stacks otherwise.
     *
     * @param job the job, null for all
     * @param ranks its ranks, empty for all
     * @return processes that were asked now
     */
    public int tune(@Nullable String job, RankSet ranks, Tuning tuning) {
        tunings.add(job, ranks, tuning);
        int asked = 0;
        for (Watched w : processes.values()) {
            RankProcess p = w.process;
            RankFeed feed = p.feed();
            int rank = feed == null ? p.identity().rank() : feed.rank();
            if ((job == null || job.equals(p.job())) && (ranks.isEmpty() || ranks.contains(rank))) {
                tune(w, tuning);
                asked++;
            }
        }
        return asked;
    }

    private boolean lives(RankProcess.Key key) {
        Watched w = processes.get(key);
        return w != null && w.process.life() != ProcessLife.DEAD && !w.process.closed();
    }

    private static RankSet rankOf(RankProcess p) {
        return p.identity().rank() >= 0 ? RankSet.of(p.identity().rank()) : RankSet.EMPTY;
    }

    private void problem(String kind, RankSet ranks, String detail) {
        String text = SafeText.of(detail);
        if (problems.size() < MOST_PROBLEMS) {
            problems.putIfAbsent(kind + "|" + text, new DataProblem(kind, ranks, text));
        }
    }

    // ---------------------------------------------------------------- what is known

    /** How every watched process is. */
    public List<RankReport> ranks() {
        List<RankReport> all = new ArrayList<>();
        for (Watched w : processes.values()) {
            all.add(w.process.report(w.sampler == null ? 0 : w.sampler.rate()));
        }
        return all;
    }

    /** What recording adds to the steps of each job, as far as it was measured by turns. */
    public Map<String, OverheadMeter.Estimate> overheads() {
        Map<String, OverheadMeter.Estimate> all = new LinkedHashMap<>();
        meters.forEach((job, meter) -> all.put(job, meter.estimate()));
        return all;
    }

    /** The time of a look as nanoseconds since the Unix epoch. */
    public long epochNanos(long nowMono) {
        return nowMono + epochOffset;
    }

    /** Processes watched. */
    public int processes() {
        return processes.size();
    }

    /** Records taken since the beginning. */
    public long records() {
        return records;
    }

    /** What could not be done, each once; at most {@value #MOST_PROBLEMS}. */
    public List<DataProblem> problems() {
        List<DataProblem> all = new ArrayList<>(problems.values());
        all.addAll(sink.problems());
        return all;
    }

    @Override
    public void close() {
        processes.values().forEach(this::close);
        processes.clear();
        watched = null;
    }
}
