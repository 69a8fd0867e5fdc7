package dev.argus.server.ingest;

import dev.argus.hostlocal.live.HeatRing;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.JobFeed;
import dev.argus.hostlocal.live.JobStep;
import dev.argus.hostlocal.live.LiveClocks;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveTick;
import dev.argus.model.AgentRecord;
import dev.argus.model.AgentTick;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import dev.argus.model.StackRecord;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;
import dev.argus.server.job.KernelPictureJson;
import dev.argus.server.job.WaitJson;
import dev.argus.storage.Rows;
import dev.argus.wire.ByteParts;
import dev.argus.wire.Frame;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One job: frames in, what is known of it and what is to be kept out. One thread.
 *
 * <p>State: that of {@link LiveJob}; the newest stacks and declaration of each rank, shared with it; rows that no checkpoint has kept.
 */
final class JobWatch {
    private static final int VERSION = 3;
    private static final int MOST_NOTES = 16;
    private static final int RESERVE = 8;
    private static final int MOST_STACKS = 8;

    private final String job;
    private final JobSetup setup;
    private final LiveJob live;
    private final JobFeed feed;
    private final JobTally tally;
    private final StepRows stepRows;
    private final KeptPictures kernels = new KeptPictures(KernelPictureJson.KEPT);
    private final KeptPictures waits = new KeptPictures(WaitJson.KEPT);
    private final LiveClocks clocks = new LiveClocks();
    private final long firstNanos;
    private long heardNanos;

    /** Something has happened that no checkpoint knows of. */
    private volatile boolean unkept = true;

    private JobRows rows = new JobRows();
    private long droppedRows;
    private volatile boolean crowded;
    private final Map<Integer, RankDeclaration> declared = new TreeMap<>();
    private final Map<Integer, StackRecord> stacks = new HashMap<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private @Nullable JobShape kept;
    private int keptAttempt = -1;
    private StepRows.@Nullable Summary last;

    /** Something that listeners have not heard yet. */
    private sealed interface Told {}

    private record Stepped(StepRows.Summary summary) implements Told {}

    private record Changed(IncidentChange change) implements Told {}

    private JobWatch(String job, JobSetup setup, LiveJob live, JobTally tally, long firstNanos) {
        this.job = job;
        this.setup = setup;
        this.live = live;
        this.feed = new JobFeed(live);
        this.tally = tally;
        this.firstNanos = firstNanos;
        this.heardNanos = firstNanos;
        this.stepRows = new StepRows(job, live.names(), new HeatRing(setup.heatBytes()));
    }

    /** A job that was not known before. */
    static JobWatch fresh(String job, JobSetup setup) {
        LiveJob live =
                new LiveJob(new NameTable(), setup.thresholds(), setup.options(), setup.executor(), setup.lanes());
        return new JobWatch(job, setup, live, new JobTally(), setup.clock().nanos());
    }

    /**
     * A job whose state was kept.
     *
     * @throws WireException if the state is of another version or damaged
     */
    static JobWatch restored(String job, JobSetup setup, byte[] state) {
        WireReader whole = new WireReader(state);
        int version = whole.readByte();
        if (version != VERSION) {
            throw new WireException("state of version " + version + ", expected " + VERSION);
        }
        WireReader from = WireReader.checked(whole.readBytes(), "state of a job");
        long first = from.readSigned();
        long heard = from.readSigned();
        JobTally tally = new JobTally();
        long now = setup.clock().nanos();
        tally.read(from, now);
        LiveJob live = LiveJob.restore(
                Arrays.copyOfRange(state, state.length - whole.remaining(), state.length),
                setup.thresholds(),
                setup.options(),
                setup.executor(),
                setup.lanes());
        live.resume(now);
        JobWatch watch = new JobWatch(job, setup, live, tally, first);
        watch.feed.decode(from);
        from.expectEnd();
        watch.heardNanos = Math.min(heard, now); // whoever was not heard before is not heard by a restart
        live.declarations().forEach(d -> watch.declared.put(d.rank(), d));
        setup.ranks().addAndGet(watch.declared.size());
        return watch;
    }

    /** What a checkpoint keeps, and from here on is not kept again. */
    JobPart part() {
        long begin = System.nanoTime();
        WireWriter head = new WireWriter();
        head.writeSigned(firstNanos).writeSigned(heardNanos);
        tally.write(head);
        feed.encode(head);
        head.writeChecksum(0);
        ByteParts parts = new ByteParts();
        parts.write(new WireWriter()
                .writeByte(VERSION)
                .writeBytes(head.toByteArray())
                .toByteArray());
        live.snapshot(parts); // may throw: then the rows are still here
        JobRows taken = rows;
        rows = new JobRows();
        droppedRows = 0;
        crowded = false;
        if (live.attempt() >= 0) {
            taken.add(jobRow());
        }
        unkept = false;
        return new JobPart(job, taken, parts.toByteArray(), System.nanoTime() - begin);
    }

    /** The same job, watched anew after a defect: who its ranks are is known, what was learnt is not. */
    JobWatch anew(Throwable defect) {
        LiveJob begun = new LiveJob(live.names(), setup.thresholds(), setup.options(), setup.executor(), setup.lanes());
        JobWatch watch = new JobWatch(job, setup, begun, tally, firstNanos);
        watch.heardNanos = heardNanos;
        watch.rows = rows;
        watch.droppedRows = droppedRows;
        watch.remarks.addAll(remarks);
        watch.remark("watching began anew after a defect of Argus ("
                + defect.getClass().getSimpleName() + ": " + SafeText.sentence(String.valueOf(defect.getMessage()))
                + "); please report it");
        long now = setup.clock().nanos();
        declared.values().forEach(d -> {
            begun.declare(d, now);
            watch.declared.put(d.rank(), d);
        });
        watch.lost("watch-begun-anew", 1);
        for (IncidentChange over : live.abandon(now, "the watch over the job began anew")) {
            rows.add(IncidentRows.of(job, over));
            watch.told.add(new Changed(over));
        }
        return watch;
    }

    private void remark(String sentence) {
        if (remarks.size() < MOST_NOTES && !remarks.contains(sentence)) {
            remarks.add(sentence);
        }
    }

    NameTable names() {
        return live.names();
    }

    LiveJob live() {
        return live;
    }

    StepRows stepRows() {
        return stepRows;
    }

    void add(Rows.StoredObject object) {
        unkept = true;
        rows.add(object);
    }

    // ---------------------------------------------------------------- in

    void take(Frame frame, long nowNanos) {
        unkept = true;
        heardNanos = Math.max(heardNanos, nowNanos);
        String host = frame.head().host();
        tally.heard(host, frame.head().madeNanos(), nowNanos);
        lost("record-of-unknown-kind", frame.unknown());
        lost("record-damaged", frame.damaged());
        for (AgentRecord record : frame.records()) {
            take(record, host, nowNanos);
        }
    }

    private void take(AgentRecord record, String host, long now) {
        switch (record) {
            case RankDeclaration d -> declare(d, host, now);
            case StackRecord s -> {
                if (live.isDeclared(s.rank())) {
                    stacks.put(s.rank(), s);
                }
                feed.take(s, now, this::lost);
            }
            case OverheadReading r -> tally.take(host, r);
            case AgentTick t -> tally.take(host, t);
            default -> feed.take(record, now, this::lost);
        }
    }

    private void declare(RankDeclaration d, String host, long now) {
        if (!declared.containsKey(d.rank())) {
            if (!roomForOneMore()) {
                lost("rank-without-room", 1);
                return;
            }
            setup.ranks().incrementAndGet();
        }
        int before = live.attempt();
        feed.take(d, now, this::lost);
        declared.put(d.rank(), d);
        if (live.attempt() > before) {
            tally.begin();
            stacks.clear();
        }
        tally.declared(host, d);
    }

    /** A job leaves an eighth to others, and of that takes at most half of what is left. */
    private boolean roomForOneMore() {
        int most = setup.mostRanks();
        int others = setup.ranks().get() - declared.size();
        int usual = most - others - (setup.mostJobs() > 1 ? most / RESERVE : 0);
        return declared.size() < Math.max(usual, (most - others) / 2);
    }

    /** Others may have its room. */
    void end() {
        setup.ranks().addAndGet(-declared.size());
        declared.clear();
    }

    /** True if so many rows wait for a checkpoint that it should come soon; from any thread. */
    boolean crowded() {
        return crowded;
    }

    void missing(String host, long count) {
        lost("frame-missing", count);
    }

    private void lost(String reason, long count) {
        if (count > 0) {
            unkept = true;
            tally.lost(reason, count);
            rows.add(new Rows.Loss(job, setup.clock().nanos(), reason, count));
        }
    }

    /** Time has passed. Returns true when something has changed that others should know. */
    boolean tick(long now) {
        long begin = System.nanoTime();
        LiveTick tick = live.tick(now);
        if (tick.concluded()) {
            live.spent(System.nanoTime() - begin);
        }
        for (JobStep step : tick.steps()) {
            StepRows.Summary summary = stepRows.add(step, live.shape(), rows);
            last = summary;
            told.add(new Stepped(summary));
            clocks.take(step, live.shape(), now);
        }
        tick.late().forEach(late -> stepRows.addLate(live.attempt(), late, rows));
        unkept |= tick.concluded()
                || !tick.changes().isEmpty()
                || !tick.steps().isEmpty()
                || !tick.late().isEmpty();
        for (IncidentChange change : tick.changes()) {
            rows.add(IncidentRows.of(job, change));
            told.add(new Changed(change));
            if (change.kind() == IncidentChange.Kind.OPENED) {
                stacks(change.incident());
            }
        }
        if (tick.concluded()) {
            List<Incident> known = live.incidents();
            kernels.next(job, known, i -> KernelPictureJson.kept(live.pictures(i)), now)
                    .forEach(rows::add);
            waits.next(job, known, i -> WaitJson.kept(live.waits(i)), now).forEach(rows::add);
        }
        live.incidents().forEach(tally::price);
        shape();
        tally.lost(JobRows.NOT_STORED, rows.dropped() - droppedRows);
        droppedRows = rows.dropped();
        crowded = rows.crowded();
        return !tick.changes().isEmpty() || !tick.steps().isEmpty();
    }

    /** What accused ranks do, beside some that are not, as of the newest look at their processes. */
    private void stacks(Incident incident) {
        List<StackRecord> of = new ArrayList<>();
        incident.ranks().stream()
                .limit(MOST_STACKS)
                .mapToObj(stacks::get)
                .filter(r -> r != null)
                .forEach(of::add);
        live.declared().minus(incident.ranks()).stream()
                .mapToObj(stacks::get)
                .filter(r -> r != null)
                .limit(MOST_STACKS)
                .forEach(of::add);
        if (!of.isEmpty()) {
            setup.stacks().take(job, incident.id(), StackText.of(live.names(), of));
        }
    }

    /** Where ranks run, when that is new. */
    private void shape() {
        JobShape now = live.shape();
        if (now == null || (now == kept && keptAttempt == live.attempt())) {
            return;
        }
        kept = now;
        keptAttempt = live.attempt();
        for (int i = 0; i < now.ranks().size(); i++) {
            int rank = now.ranks().get(i);
            RankDeclaration d = declared.get(rank);
            rows.add(new Rows.Rank(
                    job,
                    live.attempt(),
                    rank,
                    now.hostOf(rank),
                    now.gpuIndex().getOrDefault(rank, -1),
                    d == null ? "" : d.gpuUuid()));
        }
    }

    private Rows.Job jobRow() {
        JobShape shape = live.shape();
        return new Rows.Job(
                job,
                live.attempt(),
                firstNanos,
                heardNanos,
                shape == null ? 0 : shape.worldSize(),
                shape == null ? 0 : shape.hostCount(),
                shape == null ? "" : shape.shownTopology().text());
    }

    // ---------------------------------------------------------------- out

    /** Says to listeners what they have not heard, with what is known now. */
    void tell(JobView view, FleetListener listener) {
        for (Told t : told) {
            switch (t) {
                case Stepped s ->
                    listener.step(view, s.summary().step(), s.summary().phases());
                case Changed c -> listener.incident(view, c.change());
            }
        }
        told.clear();
    }

    /** What is known now. */
    JobView view(long lagNanos) {
        JobShape shape = live.shape();
        List<Incident> incidents = live.incidents();
        List<String> notes = new ArrayList<>(remarks);
        notes.addAll(live.notes());
        if (rows.dropped() > 0) {
            notes.add(rows.dropped() + " rows were not kept: the store does not keep up");
        }
        StepRows.Summary newest = last;
        RankSet gone = live.gone();
        RankSet reporting = live.declared()
                .minus(live.silent())
                .minus(gone)
                .minus(unheard(setup.clock().nanos()));
        return new JobView(
                job,
                live.attempt(),
                shape,
                Math.max(live.expected(), shape == null ? 0 : shape.worldSize()),
                reporting,
                live.declared().minus(reporting).minus(gone),
                live.newestStep(),
                newest == null ? null : newest.step(),
                newest == null ? List.of() : newest.phases(),
                live.usualNanos(),
                firstNanos,
                heardNanos,
                lagNanos,
                live.standsStill(),
                live.isOver(),
                incidents,
                live.observations(),
                tally.lostGpuSeconds(),
                live.measuredNanos(),
                notes,
                tally.losses(),
                tally.agents(),
                clocks.clocks(setup.clock().nanos()),
                new JobView.Gone(gone, live.saidEnd(), live.isOver() ? live.howEnded() : ""));
    }

    /** Ranks of which nothing is known now: missing is not healthy. */
    private RankSet unheard(long nowNanos) {
        long since = nowNanos - JobView.SILENT_NANOS;
        return heardNanos < since ? live.declared() : live.unheard(since).union(tally.unheard(since));
    }

    /** The GPU of a rank as it was declared, or null. */
    @Nullable
    GpuRef gpu(int rank) {
        RankDeclaration d = declared.get(rank);
        return d == null
                ? null
                : new GpuRef(rank, null, d.gpuIndex(), d.gpuUuid().isEmpty() ? null : d.gpuUuid());
    }

    /** True if a checkpoint would keep more than the last one did; from any thread. */
    boolean unkept() {
        return unkept;
    }

    long heardNanos() {
        return heardNanos;
    }

    /** Ranks declared, for the bound over all jobs. */
    int ranks() {
        return declared.size();
    }
}
