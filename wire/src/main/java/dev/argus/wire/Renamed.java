package dev.argus.wire;

import dev.argus.model.CollectiveStat;
import dev.argus.model.CommunicatorTrail;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.FlightRecord;
import dev.argus.model.Gap;
import dev.argus.model.GpuReading;
import dev.argus.model.GroupUse;
import dev.argus.model.KernelWindow;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.RecordLoss;
import dev.argus.model.StackRecord;
import dev.argus.model.StepDigest;
import dev.argus.model.StreamKernel;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** The same records by other name ids: those of a process as numbers of a session, and back. */
public final class Renamed {
    private Renamed() {}

    static StepDigest of(StepDigest d, IntUnaryOperator names) {
        List<Gap> gaps = d.gaps().stream()
                .map(g -> new Gap(
                        g.startNanos(),
                        g.durationNanos(),
                        g.hostLate(),
                        g.beforeInput(),
                        g.afterWork(),
                        names.applyAsInt(g.cover()),
                        g.coverKind()))
                .toList();
        List<CollectiveStat> collectives = d.collectives().stream()
                .map(c -> new CollectiveStat(
                        c.op(),
                        names.applyAsInt(c.group()),
                        c.sequence(),
                        c.bytes(),
                        c.peer(),
                        c.stream(),
                        c.startNanos(),
                        c.durationNanos(),
                        c.exposedNanos(),
                        c.queued()))
                .toList();
        return new StepDigest(
                d.attempt(),
                d.rank(),
                d.step(),
                d.startNanos(),
                d.durationNanos(),
                d.last(),
                d.partial(),
                d.gpu(),
                d.own(),
                d.hostToDeviceNanos(),
                d.hostToDeviceBytes(),
                d.kernelCount(),
                d.workItems(),
                d.launchNanos(),
                d.phases(),
                collectives,
                gaps);
    }

    static KernelWindow of(KernelWindow w, IntUnaryOperator names) {
        List<StreamKernel> kernels = w.kernels().stream()
                .map(k -> new StreamKernel(names.applyAsInt(k.name()), k.stream(), k.workItems(), k.durations()))
                .toList();
        List<ExtremeEvent> extremes = w.extremes().stream()
                .map(e -> new ExtremeEvent(names.applyAsInt(e.name()), e.stream(), e.startNanos(), e.durationNanos()))
                .toList();
        return new KernelWindow(w.attempt(), w.rank(), w.window(), kernels, extremes, w.lost());
    }

    static StackRecord of(StackRecord r, IntUnaryOperator names) {
        List<StackRecord.Stack> stacks = r.stacks().stream()
                .map(s -> new StackRecord.Stack(
                        names.applyAsInt(s.thread()),
                        s.active(),
                        s.weight(),
                        Arrays.stream(s.frames()).map(names).toArray()))
                .toList();
        return new StackRecord(r.attempt(), r.rank(), names.applyAsInt(r.process()), stacks, r.samples(), r.sampled());
    }

    static FlightRecord of(FlightRecord r, IntUnaryOperator names) {
        List<FlightRecord.Group> groups = r.groups().stream()
                .map(g -> new FlightRecord.Group(
                        names.applyAsInt(g.name()), names.applyAsInt(g.label()), g.members(), g.complete()))
                .toList();
        List<FlightRecord.Call> calls = r.calls().stream()
                .map(c -> new FlightRecord.Call(
                        c.group(),
                        c.sequence(),
                        c.op(),
                        names.applyAsInt(c.name()),
                        names.applyAsInt(c.shape()),
                        c.peer(),
                        c.started(),
                        c.createdNanos()))
                .toList();
        return new FlightRecord(
                r.attempt(), r.rank(), groups, r.statuses(), calls, r.entries(), r.firstNanos(), r.lastNanos());
    }

    static RankState of(RankState s, IntUnaryOperator names) {
        return new RankState(
                s.attempt(),
                s.rank(),
                s.atNanos(),
                s.process(),
                s.heartbeatNanos(),
                s.begunStep(),
                s.begunNanos(),
                s.endedStep(),
                s.endedNanos(),
                names.applyAsInt(s.doing()),
                s.doingSinceNanos());
    }

    static GpuReading of(GpuReading r, IntUnaryOperator names) {
        List<GpuReading.Metric> metrics = r.metrics().stream()
                .map(m -> new GpuReading.Metric(
                        names.applyAsInt(m.name()),
                        m.last(),
                        m.min(),
                        m.max(),
                        m.count(),
                        m.missing(),
                        m.firstNanos(),
                        m.lastNanos()))
                .toList();
        return new GpuReading(r.attempt(), names.applyAsInt(r.host()), r.index(), names.applyAsInt(r.uuid()), metrics);
    }

    /**
     * Who a rank is, by other name ids.
     *
     * @param names gives the other id for each, also for -1, which is no name
     */
    public static RankDeclaration of(RankDeclaration d, IntUnaryOperator names) {
        List<GroupUse> groups = d.groups().stream()
                .map(g -> new GroupUse(
                        names.applyAsInt(g.group()),
                        names.applyAsInt(g.members()),
                        g.size(),
                        g.calls(),
                        g.pointToPoint()))
                .toList();
        List<CommunicatorTrail> trails = d.trails().stream()
                .map(t -> new CommunicatorTrail(names.applyAsInt(t.group()), t.pairs(), t.steps()))
                .toList();
        return new RankDeclaration(
                d.attempt(),
                d.rank(),
                d.header(),
                d.gpuIndex(),
                d.gpuUuid(),
                d.gpu(),
                groups,
                trails,
                d.workSignature());
    }

    static RecordLoss of(RecordLoss l, IntUnaryOperator names) {
        return new RecordLoss(l.attempt(), l.rank(), names.applyAsInt(l.reason()), l.count());
    }
}
