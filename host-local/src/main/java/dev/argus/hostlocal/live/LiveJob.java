package dev.argus.hostlocal.live;

import dev.argus.digest.JobBuilder;
import dev.argus.engine.Concluded;
import dev.argus.engine.Horizon;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.KernelPictures;
import dev.argus.hostlocal.report.LiveWaits;
import dev.argus.model.FlightRecord;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.RankState;
import dev.argus.model.StackRecord;
import dev.argus.model.StepDigest;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One job that goes on. Its ranks say who they are and report step after step; with every tick it says which steps went on and which incidents began, changed or ended.
 *
 * <p>Steps are held back until all ranks that report have reported them ({@link StepBarrier}), then go through the detectors, and a conclusion is
 * drawn, as often as its cost allows ({@link ConclusionPace}, {@link #spent}), and less often while all steps are alike ({@link Unrest}). When the job turns out to have another
 * shape (a rank or a group appears that was not known), the detectors begin again with the newest steps ({@link StepHistory}). A higher attempt ends everything said of the one before.
 *
 * <p>The same calls with the same times give the same answers, also when the job was written down and taken up again between any two of them ({@link #snapshot}).
 *
 * <p>Not thread-safe. State: that of the detectors ({@link Horizon#LIVE}), the steps held back, the newest steps, and the newest word of each rank.
 */
public final class LiveJob {
    /** The first steps of a job are unlike all others, and no two ranks warm up alike: nobody is called before so many. */
    static final int FIRST_STEPS = 8;

    /** Who listens is asked, or told something, oftener than this: from one call to the next no more counts as time in which somebody could be heard. */
    static final long LISTENING_NANOS = 2_000_000_000L;

    /** Steps of ranks whose waits are summed when somebody asks. */
    static final int WAIT_RANK_STEPS = 2048;

    private final NameTable names;
    private final LiveOptions options;
    private final LiveDetectors detectors;
    private final Declared declared;
    private final Standstill standstill;
    private final IncidentLives lives = new IncidentLives();
    private final Unrest unrest = new Unrest();
    private final ConclusionPace pace;
    private StepHistory history = new StepHistory();
    private StepBarrier barrier;
    private HangWatch hangs;

    private OtherCounts others = new OtherCounts();
    private int attempt = -1;
    private long attemptNanos;
    private long firstNanos;
    private long heardNanos = Long.MIN_VALUE;
    private long calledNanos = Long.MIN_VALUE;
    private boolean unjudged;
    private double measuredNanos;
    private int stepsFed;
    private int sinceConclusion;
    private long newestStep = -1;
    private List<Incident> incidents = List.of();
    private @Nullable Concluded last;

    /** The job was over after the last conclusion: should it go on, as with ranks that are started again, that says nothing of now. */
    private boolean ofBefore;

    private final List<IncidentChange> ended = new ArrayList<>();

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
        this(names, options, new LiveDetectors(names, thresholds, executor, lanes), new Declared());
    }

    private LiveJob(NameTable names, LiveOptions options, LiveDetectors detectors, Declared declared) {
        this.names = names;
        this.options = options;
        this.detectors = detectors;
        this.declared = declared;
        this.standstill = new Standstill(names);
        this.pace = new ConclusionPace(options.conclusionNanos());
        this.barrier = new StepBarrier(options.latenessNanos());
        this.hangs = new HangWatch(names, options.hangNanos());
    }

    // ---------------------------------------------------------------- what it is told

    /**
     * Agents say something every second: a while without a word of any of them is one in which nobody could listen, and they do not come back all at once. What went on meanwhile is not known.
     */
    private void hear(long nowNanos) {
        listen(nowNanos);
        if (heardNanos != Long.MIN_VALUE && nowNanos - heardNanos > options.latenessNanos()) {
            barrier.resume(nowNanos);
        }
        heardNanos = Math.max(heardNanos, nowNanos);
    }

    /**
     * Time has passed, in which whoever calls may have stood still: stopped, swapped out, or collecting garbage. What was sent meanwhile waits to be heard and is told after the first tick, not before it. So
     * silence is measured in time in which somebody could have been heard, and after a pause longer than steps wait for ranks these are given the time to come back, as after a restart.
     */
    private void listen(long nowNanos) {
        long since = calledNanos == Long.MIN_VALUE ? 0 : nowNanos - calledNanos;
        calledNanos = Math.max(calledNanos, nowNanos);
        if (since <= LISTENING_NANOS) {
            return;
        }
        barrier.unheard(since - LISTENING_NANOS);
        firstNanos += since - LISTENING_NANOS;
        if (since > options.latenessNanos()) {
            barrier.resume(nowNanos);
            heardNanos = heardNanos == Long.MIN_VALUE ? heardNanos : nowNanos;
        }
    }

    /** Takes who a rank is. Of a lower attempt than the newest it counts once the rank is seen to train with the others ({@link OtherCounts}). */
    public void declare(RankDeclaration declaration, long nowNanos) {
        int rank = declaration.rank();
        if (!valid(rank)) {
            return;
        }
        if (declaration.attempt() < attempt) {
            others.declare(declaration);
            if (others.isJoined(rank, declaration.attempt())) {
                known(declaration.of(attempt), nowNanos);
            }
            return;
        }
        if (declaration.attempt() > attempt) {
            begin(declaration.attempt(), nowNanos);
        }
        others.counts(rank);
        known(declaration, nowNanos);
    }

    private void known(RankDeclaration declaration, long nowNanos) {
        hear(nowNanos);
        if (declared.put(declaration)) {
            detectors.shapeIsOld();
        }
        barrier.expect(declaration.rank());
    }

    /** True if a record is of this attempt and of a rank that has said who it is; nothing is kept of others. */
    private boolean isOurs(int of, int rank) {
        return (of == attempt || others.isJoined(rank, of)) && declared.contains(rank);
    }

    private static boolean valid(int rank) {
        return rank >= 0 && rank < JobBuilder.MAX_WORLD;
    }

    /** Step numbers come again: what was learnt under them before is no past of theirs. */
    private void countAnew() {
        history.clear();
        stepsFed = 0;
        sinceConclusion = 0;
        newestStep = -1;
        last = null;
        barrier = barrier.anew();
        hangs.countAnew();
        declared.ranks().forEach(barrier::expect);
        detectors.countAnew();
    }

    private void begin(int next, long nowNanos) {
        ended.addAll(lives.end(nowNanos, "attempt " + next + " of the job has begun"));
        attempt = next;
        attemptNanos = nowNanos;
        others.begin(declared);
        declared.clear();
        history.clear();
        detectors.forget();
        barrier = new StepBarrier(options.latenessNanos());
        hangs = new HangWatch(names, options.hangNanos());
        firstNanos = nowNanos;
        pace.restart();
        measuredNanos = 0;
        stepsFed = 0;
        sinceConclusion = 0;
        ofBefore = false;
        newestStep = -1;
        incidents = List.of();
        standstill.clear();
        last = null;
    }

    /** Takes one step of a rank that has been declared; of an attempt that is over it is ignored ({@link #declare}). */
    public void take(RankStep step, long nowNanos) {
        StepDigest d = step.digest();
        if (d.attempt() < attempt && !others.isJoined(d.rank(), d.attempt())) {
            RankDeclaration joins = others.step(step, attemptNanos, newestStep, barrier.newest(d.rank()), nowNanos);
            if (joins != null) {
                known(joins.of(attempt), nowNanos);
            }
        }
        if (isOurs(d.attempt(), d.rank())) {
            hear(nowNanos);
            RankStep as = d.attempt() == attempt ? step : step.of(attempt);
            if (barrier.beginsAnew(as)) {
                countAnew();
            }
            barrier.add(as, nowNanos);
        }
    }

    /** Takes how a rank is doing. */
    public void take(RankState state, long nowNanos) {
        if (isOurs(state.attempt(), state.rank())) {
            hear(nowNanos);
            hangs.take(state.attempt() == attempt ? state : state.of(attempt), nowNanos);
        }
    }

    /** Takes which collectives a rank has called and not seen end. */
    public void take(FlightRecord flight, long nowNanos) {
        if (isOurs(flight.attempt(), flight.rank())) {
            hear(nowNanos);
            hangs.take(flight.attempt() == attempt ? flight : flight.of(attempt), nowNanos);
        }
    }

    /** Takes what a rank is doing, by its stacks. */
    public void take(StackRecord record) {
        if (isOurs(record.attempt(), record.rank())) {
            hangs.take(record.attempt() == attempt ? record : record.of(attempt));
        }
    }

    /**
     * Takes what a conclusion has cost, so that conclusions come as often as they may: whoever calls {@link #tick} has a clock.
     *
     * @param nanos time that a tick with a conclusion took, of one core; smoothed over the last few
     */
    public void spent(long nanos) {
        pace.spent(nanos);
    }

    // ---------------------------------------------------------------- what it says

    /**
     * Time has passed: what can be said is said.
     *
     * @param nowNanos now, nanoseconds since the Unix epoch; not before what was said with the last call
     */
    public LiveTick tick(long nowNanos) {
        List<IncidentChange> changes = new ArrayList<>(ended);
        ended.clear();
        listen(nowNanos);
        if (declared.isEmpty() || !settled(nowNanos)) {
            return new LiveTick(changes, List.of(), barrier.takeLate(), false);
        }
        List<JobStep> steps = barrier.ready(attempt, nowNanos);
        if (detectors.isDue(!steps.isEmpty(), options.betweenShapes(declared.size()), nowNanos)
                && detectors.shape(attempt, declared, options.topology(), history, nowNanos)) {
            unrest.restart();
        }
        steps.forEach(step -> take(step, nowNanos));
        boolean concluded = conclude(nowNanos);
        if (isOver()) {
            changes.addAll(lives.end(nowNanos, hangs.howEnded(declared.ranks())));
            standstill.clear();
            incidents = List.of();
            ofBefore = true;
            return new LiveTick(changes, steps, barrier.takeLate(), concluded);
        }
        // Who is not heard may well go on: a job stands still by what its agents say, not by their silence.
        standstill.look(
                detectors.shape(), hangs, measuredNanos, !steps.isEmpty(), newestStep, Math.min(nowNanos, heardNanos));
        List<Incident> all = new ArrayList<>(standstill.said());
        if (last != null && !ofBefore) {
            for (Incident i : last.incidents()) { // nothing began later than now, whatever the clocks of its hosts say
                all.add(priced(i.sinceEpochNanos() <= nowNanos ? i : i.began(nowNanos)));
            }
        }
        incidents = lives.settled(all).stream().sorted(Incident.URGENT).toList();
        changes.addAll(lives.next(incidents, nowNanos));
        if (!changes.isEmpty()) {
            unrest.said();
        }
        return new LiveTick(changes, steps, barrier.takeLate(), concluded);
    }

    /** What an incident has cost as a part of all that was measured of this attempt; detectors know the last hours alone. */
    private Incident priced(Incident i) {
        JobShape shape = detectors.shape();
        if (shape == null || shape.worldSize() == 0 || measuredNanos <= 0) {
            return i;
        }
        double lostNanos = i.cost().gpuSeconds() * 1e9 / shape.worldSize();
        return i.at(i.cost().ofMeasured(Math.min(1, lostNanos / measuredNanos)));
    }

    private void take(JobStep step, long nowNanos) {
        detectors.feed(step);
        history.add(step);
        unrest.take(step);
        long length = step.lengthNanos();
        hangs.step(step, nowNanos);
        newestStep = Math.max(newestStep, step.step());
        measuredNanos += length;
        unjudged = true;
        sinceConclusion++;
        stepsFed++;
    }

    private boolean conclude(long nowNanos) {
        boolean due = pace.due(declared.size(), unrest.stirred(), nowNanos);
        if (!unjudged || !due || stepsFed < FIRST_STEPS || detectors.shape() == null) {
            return false;
        }
        Concluded now = detectors.conclude();
        if (now != null) {
            last = now;
        }
        pace.concluded(declared.size(), nowNanos);
        lives.judged(sinceConclusion);
        sinceConclusion = 0;
        unjudged = false;
        ofBefore = false;
        return true;
    }

    /** The first conclusion waits a little for ranks the job has and that have not appeared. */
    private boolean settled(long nowNanos) {
        return detectors.shape() != null
                || declared.size() >= declared.world()
                || nowNanos - firstNanos >= options.settleNanos();
    }

    /**
     * Nobody will hear of the job any more: ends everything that is said of it.
     *
     * @param nowNanos now, nanoseconds since the Unix epoch
     */
    public List<IncidentChange> end(long nowNanos) {
        List<IncidentChange> changes = new ArrayList<>(ended);
        ended.clear();
        changes.addAll(lives.end(nowNanos, "nobody watches the job any more"));
        return changes;
    }

    // ---------------------------------------------------------------- what is known

    /** Names of what it is given. */
    public NameTable names() {
        return names;
    }

    /** Newest attempt, -1 before a rank has said who it is. */
    public int attempt() {
        return attempt;
    }

    /** Who the job is; null before the first conclusion. */
    public @Nullable JobShape shape() {
        return detectors.shape();
    }

    /** The last conclusion; null before the first. */
    public @Nullable Concluded concluded() {
        return last;
    }

    /** What is open, most costly now first, and what ended last, as it was when it ended. */
    public List<Incident> incidents() {
        return incidents;
    }

    /** Ids of the incidents that were said and of which it is not said that they are over, also while a conclusion is without them. */
    public Set<String> lasting() {
        Set<String> ids = new HashSet<>(lives.lasting());
        ended.forEach(change -> ids.add(change.incident().id()));
        return ids;
    }

    /** Ends whatever lasts, for nobody will follow it any more; {@code because} says why. */
    public List<IncidentChange> abandon(long nowNanos, String because) {
        List<IncidentChange> changes = new ArrayList<>(ended);
        ended.clear();
        changes.addAll(lives.end(nowNanos, because));
        return changes;
    }

    /** What explains slowness and needs no action, by the last conclusion. */
    public List<Incident> observations() {
        return last == null ? List.of() : last.observations();
    }

    /** True while the job stands still. */
    public boolean standsStill() {
        return standstill.stands();
    }

    /** True when the processes of all its ranks have ended, as far as their agents say. */
    public boolean isOver() {
        return hangs.over(declared.ranks());
    }

    /** Ranks whose processes have ended, as far as their agents say. */
    public RankSet gone() {
        return RankSet.of(declared.ranks().stream().filter(hangs::isGone).toList());
    }

    /** True when the processes of all ranks have said that they end: nothing was killed. */
    public boolean saidEnd() {
        return !declared.isEmpty() && declared.ranks().stream().allMatch(hangs::saidEnd);
    }

    /** How the processes of the job came to their end; of interest once it {@link #isOver}. */
    public String howEnded() {
        return hangs.howEnded(declared.ranks());
    }

    /** Ranks that have said how they are doing, and have not since a time by the clock of whoever listens: nothing is known of them now. */
    public RankSet unheard(long sinceNanos) {
        return RankSet.of(declared.ranks().stream()
                .filter(r -> hangs.isUnheard(r, sinceNanos))
                .toList());
    }

    /** Newest step that all ranks that report have made, -1 before the first. */
    public long newestStep() {
        return newestStep;
    }

    /** Median length of the newest steps, 0 before the first. */
    public long usualNanos() {
        return Math.round(hangs.usualNanos());
    }

    /** Step time measured in this attempt. */
    public double measuredNanos() {
        return measuredNanos;
    }

    /** Ranks that have said who they are. */
    public RankSet declared() {
        return RankSet.of(declared.ranks());
    }

    /** True if a rank has said who it is. */
    public boolean isDeclared(int rank) {
        return declared.contains(rank);
    }

    /** What each of them said of itself last. */
    public Collection<RankDeclaration> declarations() {
        return declared.all();
    }

    /** Ranks that the job has, as far as any has said. */
    public int expected() {
        JobShape shape = detectors.shape();
        return Math.max(declared.size(), Math.max(declared.world(), shape == null ? 0 : shape.worldSize()));
    }

    /** Ranks of these that steps do not wait for any more. */
    public RankSet silent() {
        return RankSet.of(barrier.silent());
    }

    /**
     * The last step of {@link #attempt} that ranks should report now; later ones are to come again soon. {@link Long#MAX_VALUE} while none is held back. What is held stays bounded without it, but then at the price of
     * steps that go on without ranks that would have come: whoever hears many hosts that have much to tell, as a server does after an outage, should ask.
     */
    public long welcomeStep() {
        return barrier.welcome();
    }

    /** Ranks that {@link #welcomeStep} is about: those that have reported a step since steps were counted from. Not to be changed. */
    public BitSet heardRanks() {
        return barrier.heard();
    }

    /** Words of ranks were not taken, for their steps were not welcome yet: what they would have said is no standstill. */
    public void heldBack(long nowNanos) {
        hangs.heldBack(nowNanos);
    }

    /** What detectors left out, by reason. */
    public Map<String, Long> losses() {
        return detectors.losses();
    }

    /**
     * The kernels of the accused over the band of their peers, of what is open and that kernels say something about, as far as windows are kept: the newest ones of at least
     * {@value StepHistory#LEAST_WINDOWS} steps. Cost: some 10 ms an incident.
     *
     * @param most incidents looked at, in the order of {@link #incidents}
     */
    public List<KernelPicture> pictures(int most) {
        JobShape shape = detectors.shape();
        return shape == null
                ? List.of()
                : incidents.stream()
                        .filter(i -> i.state() != IncidentState.RESOLVED && KernelPictures.concerns(i))
                        .limit(most)
                        .flatMap(i -> pictures(i).stream())
                        .toList();
    }

    /** The kernels of one incident's suspects and of their peers, in those of its steps of which windows are kept; nothing where kernels say nothing about it. */
    public List<KernelPicture> pictures(Incident incident) {
        JobShape shape = detectors.shape();
        return shape == null || !KernelPictures.concerns(incident)
                ? List.of()
                : KernelPictures.of(incident, shape, names, history.windowsByStep());
    }

    /**
     * The kernels of one rank over the band of its peers, in its newest window that is kept; nothing where it has none.
     *
     * @param most kernels given, those that take most of its time
     */
    public List<KernelPicture> kernels(int rank, int most) {
        JobShape shape = detectors.shape();
        return shape == null ? List.of() : KernelPictures.of(rank, most, shape, names, history.windowsByStep());
    }

    /**
     * Who made whom wait in the newest steps that are kept: as many as {@value #WAIT_RANK_STEPS} steps of ranks are, at least one. Cost: about 5 us a step of a rank.
     *
     * @return null before the shape is known
     */
    public @Nullable LiveWaits waits() {
        return waits(RankSet.EMPTY, 0, Long.MAX_VALUE);
    }

    /**
     * The same for the steps of an incident, as far as they are kept; whom it accuses comes first.
     *
     * @return null before the shape is known
     */
    public @Nullable LiveWaits waits(Incident incident) {
        return waits(incident.ranks(), incident.firstStep(), incident.lastStep());
    }

    private @Nullable LiveWaits waits(RankSet accused, long from, long to) {
        JobShape shape = detectors.shape();
        if (shape == null) {
            return null;
        }
        List<StepHistory.Block<StepDigest>> blocks = new ArrayList<>();
        long records = 0;
        for (StepHistory.Block<StepDigest> b : history.digests().reversed()) {
            if (b.step() < from || b.step() > to) {
                continue;
            }
            records += b.size();
            if (!blocks.isEmpty() && records > WAIT_RANK_STEPS) {
                break;
            }
            blocks.addFirst(b);
        }
        return LiveWaits.of(
                shape,
                names,
                accused,
                blocks.stream().mapToLong(StepHistory.Block::step).toArray(),
                at -> IntStream.range(0, blocks.get(at).size())
                        .mapToObj(i -> blocks.get(at).get(i))
                        .toList());
    }

    /** Bytes of the detectors' states when written down, by detector. Cost: writing them. */
    public Map<String, Long> stateBytes() {
        return detectors.stateBytes();
    }

    /** What was contradictory about groups and layout, and what was left out, in sentences. */
    public List<String> notes() {
        List<String> all = new ArrayList<>(detectors.notes());
        if (barrier.late() > 0) {
            all.add(barrier.late() + " steps of ranks came after the others had gone on and were not judged");
        }
        if (barrier.twice() > 0) {
            all.add(barrier.twice() + " steps of ranks came twice");
        }
        return all;
    }

    // ---------------------------------------------------------------- over a restart

    /**
     * Writes down everything that decides what this job will say later, the table of names included.
     *
     * @return how many bytes
     * @throws java.io.UncheckedIOException if the stream throws
     */
    public long snapshot(OutputStream to) {
        return LiveJobCodec.write(this, to);
    }

    /** The same as bytes; needs twice their size for a moment. */
    public byte[] snapshot() {
        return LiveJobCodec.write(this);
    }

    /**
     * A job that goes on where it was written down, with a table of names of its own ({@link #names}). Thresholds and options are not in the snapshot; other ones than before are used from now on.
     *
     * @throws dev.argus.wire.WireException if the snapshot is damaged, cut, of another version or by a program that knows other words: then begin anew
     */
    public static LiveJob restore(
            byte[] snapshot, Thresholds thresholds, LiveOptions options, Executor executor, int lanes) {
        NameTable names = new NameTable();
        WireReader from = LiveJobCodec.open(snapshot, names);
        LiveJob job = new LiveJob(
                names, options, new LiveDetectors(names, thresholds, executor, lanes), Declared.decode(from));
        job.decode(from);
        from.expectEnd();
        return job;
    }

    /**
     * Goes on after a while in which nobody listened: what was not heard meanwhile is not held against anybody. Waits for steps are counted from now on; for how long the job stands still its ranks say
     * themselves. The clock may be another one than before, also one that is behind.
     *
     * @param nowNanos now, nanoseconds since the Unix epoch
     */
    public void resume(long nowNanos) {
        firstNanos = nowNanos;
        heardNanos = nowNanos;
        calledNanos = nowNanos;
        barrier.resume(nowNanos);
        hangs.resume(nowNanos);
        lives.resume(nowNanos);
    }

    void encode(SnapshotOut out) {
        declared.encode(out);
        WireWriter to = out.to();
        others.encode(out);
        to.writeSigned(attempt)
                .writeSigned(attemptNanos)
                .writeSigned(firstNanos)
                .writeSigned(heardNanos)
                .writeSigned(calledNanos)
                .writeByte((unjudged ? 1 : 0) | (ofBefore ? 2 : 0))
                .writeDouble(measuredNanos)
                .writeVarint(stepsFed)
                .writeVarint(sinceConclusion)
                .writeSigned(newestStep);
        pace.encode(to);
        Codecs.incidents(incidents, to);
        Codecs.concluded(last, to);
        Codecs.changes(ended, to);
        lives.encode(out);
        unrest.encode(out);
        standstill.encode(out);
        hangs.encode(out);
        barrier.encode(out);
        history.encode(out);
        detectors.encode(out);
    }

    private void decode(WireReader from) {
        others = OtherCounts.decode(from);
        attempt = from.readSignedInt();
        attemptNanos = from.readSigned();
        firstNanos = from.readSigned();
        heardNanos = from.readSigned();
        calledNanos = from.readSigned();
        int flags = from.readByte();
        unjudged = (flags & 1) != 0;
        ofBefore = (flags & 2) != 0;
        measuredNanos = from.readDouble();
        stepsFed = from.readInt();
        sinceConclusion = from.readInt();
        newestStep = from.readSigned();
        pace.decode(from);
        incidents = Codecs.incidents(from);
        last = Codecs.concluded(from);
        ended.addAll(Codecs.changes(from));
        lives.decode(from);
        unrest.decode(from);
        standstill.decode(from);
        hangs.decode(from);
        barrier = StepBarrier.decode(options.latenessNanos(), from);
        history = StepHistory.decode(from);
        detectors.decode(from);
    }
}
