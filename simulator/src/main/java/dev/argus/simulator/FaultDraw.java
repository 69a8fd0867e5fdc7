package dev.argus.simulator;

import dev.argus.simulator.Fault.Stall;
import dev.argus.simulator.Layout.Dimension;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Draws a fault of a kind into a job: who, how much, when. */
final class FaultDraw {
    private final Draw draw;
    private final Layout layout;
    private final JobModel model;
    private final FaultSteps steps;
    private final int wanted;

    FaultDraw(Draw draw, Layout layout, JobModel model, FaultSteps steps, int rank) {
        this.draw = draw;
        this.layout = layout;
        this.model = model;
        this.steps = steps;
        this.wanted = rank;
    }

    List<Fault> of(ScenarioKind kind) {
        return switch (kind) {
            case TWO ->
                List.of(one(ScenarioKind.COMPUTE), one(draw.of(List.of(ScenarioKind.DATA, ScenarioKind.CPU_STALL))));
            default -> List.of(one(kind));
        };
    }

    private Fault one(ScenarioKind kind) {
        return switch (kind) {
            case THERMAL -> new Fault.SlowClock(rank(), draw.between(1.25, 1.6), true, steps.ramp());
            case HBM -> new Fault.SlowMemory(rank(), draw.scale(1.4, 3), steps.lasting());
            case FAMILY -> family();
            case NIC -> new Fault.SlowNetwork(new int[] {host()}, draw.scale(1.7, 4), steps.lasting());
            case LEAF -> leaf();
            case NIC_FLAPPING -> new Fault.SlowNetwork(new int[] {host()}, draw.scale(2.5, 6), steps.flapping());
            case RAIL -> new Fault.SlowRail(rank()[0], draw.scale(2, 5), steps.lasting());
            case PAIR -> pair();
            case NVLINK -> new Fault.SlowNvlink(host(), draw.scale(1.6, 4), steps.lasting());
            case PCIE -> new Fault.SlowCopies(new int[] {loader()}, draw.scale(2, 6), steps.lasting());
            case CONGESTION -> new Fault.Congestion(draw.scale(1.5, 3), steps.lasting());
            case JIT, JIT_STACKS ->
                stall(Stall.JIT, kind == ScenarioKind.JIT_STACKS, draw.scale(2e8, 3e9), steps.once());
            case GC, GC_STACKS -> stall(Stall.GC, kind == ScenarioKind.GC_STACKS, draw.scale(5e7, 1.4e9), steps.now());
            case GC_ROTATING -> rotating();
            case CPU_STALL -> stall(Stall.CPU, false, draw.scale(4e7, 1e9), steps.now());
            case DATA ->
                new Fault.Stalls(
                        Stall.DATA,
                        new int[] {loader()},
                        (long) draw.scale(4e7, 4e8),
                        0,
                        draw.chance(0.3),
                        steps.now());
            case LAUNCH_RANK -> new Fault.SlowLaunch(rank(), draw.between(1.08, 1.3), steps.lasting());
            case LAUNCH_HOST -> new Fault.SlowLaunch(layout.ranksOn(host()), draw.between(1.08, 1.3), steps.lasting());
            case CONTENTION -> new Fault.SlowLaunch(layout.ranksOn(host()), draw.scale(3, 12), steps.lasting());
            case GLOBAL -> new Fault.PowerCap(draw.between(1.08, 1.35), steps.late());
            case JIT_ALL ->
                new Fault.Stalls(
                        Stall.JIT,
                        IntStream.range(0, layout.world()).toArray(),
                        (long) draw.scale(2e8, 2e9),
                        draw.between(0.05, 0.5),
                        draw.chance(0.5),
                        steps.once());
            case HALF -> half();
            case REPAIRED -> new Fault.SlowClock(rank(), draw.between(1.12, 1.6), false, steps.repaired());
            case COMPUTE_FLAPPING -> new Fault.SlowClock(rank(), draw.between(1.25, 1.8), false, steps.flapping());
            case BACKWARD -> new Fault.SlowBackward(rank(), draw.between(1.15, 1.8), steps.lasting());
            case NEW_VERSION -> new Fault.NewVersion(draw.between(1.05, 1.3), steps.all());
            case SLOW_STAGE -> slowStage();
            default -> new Fault.SlowClock(rank(), draw.scale(1.1, 2.2), false, steps.lasting());
        };
    }

    private int[] rank() {
        return new int[] {wanted >= 0 ? wanted : draw.below(layout.world())};
    }

    private int host() {
        return wanted >= 0 ? layout.hostOf(wanted) : draw.below(layout.hosts());
    }

    /** A rank that takes input itself: on the first or last stage, first of its tensor group where that one loads. */
    private int loader() {
        if (wanted >= 0) {
            return wanted;
        }
        while (true) {
            int rank = draw.below(layout.world());
            int stage = layout.coordinate(rank, Dimension.PP);
            boolean end = stage == 0 || stage == layout.size(Dimension.PP) - 1;
            if (end && (!model.tensorRankZeroLoads() || layout.coordinate(rank, Dimension.TP) == 0)) {
                return rank;
            }
        }
    }

    private Fault family() {
        KernelFamily family = draw.of(
                model.moe()
                        ? List.of(KernelFamily.GEMM, KernelFamily.ATTENTION, KernelFamily.EXPERT, KernelFamily.NORM)
                        : List.of(KernelFamily.GEMM, KernelFamily.GEMM, KernelFamily.ATTENTION, KernelFamily.NORM));
        double factor = family == KernelFamily.GEMM ? draw.scale(1.15, 2) : draw.scale(1.8, 5);
        return new Fault.SlowFamily(rank(), family, factor, steps.lasting());
    }

    private Fault leaf() {
        int count = Math.max(2, layout.hosts() / 2 - 1);
        int from = draw.below(layout.hosts() - count + 1);
        return new Fault.SlowNetwork(
                IntStream.range(from, from + count).toArray(), draw.scale(1.7, 4), steps.lasting());
    }

    private Fault pair() {
        List<Group> crossing = IntStream.range(0, layout.world())
                .boxed()
                .flatMap(r ->
                        List.of(GroupKind.DATA, GroupKind.PIPELINE).stream().map(k -> layout.group(r, k)))
                .filter(Group::crossesHosts)
                .distinct()
                .toList();
        int[] hosts = crossing.isEmpty()
                ? new int[] {0, 1 % layout.hosts()}
                : draw.of(crossing).hosts();
        int at = draw.below(hosts.length);
        return new Fault.SlowPair(hosts[at], hosts[(at + 1) % hosts.length], draw.scale(2, 5), steps.lasting());
    }

    private Fault stall(Stall stall, boolean stacks, double nanos, When when) {
        return new Fault.Stalls(stall, rank(), (long) nanos, draw.between(0.02, 0.85), stacks, when);
    }

    private Fault rotating() {
        int period = draw.between(3, 8);
        return new Fault.RotatingCollection(
                (long) draw.scale(2e7, 3e8), period * Math.max(1, layout.world() / 16), draw.chance(0.5), steps.all());
    }

    /** From the beginning only where another stage has the same work, so that it can be known. */
    private Fault slowStage() {
        int rank = rank()[0];
        int stages = layout.size(Dimension.PP);
        while (wanted < 0 && stages >= 4 && !inner(rank, stages)) {
            rank = rank()[0];
        }
        boolean comparable = stages >= 4 && inner(rank, stages);
        return new Fault.SlowStage(
                layout.stagePeers(rank), draw.between(1.15, 1.5), comparable ? steps.lasting() : steps.late());
    }

    private boolean inner(int rank, int stages) {
        int stage = layout.coordinate(rank, Dimension.PP);
        return stage > 0 && stage < stages - 1;
    }

    private Fault half() {
        int[] peers = layout.stagePeers(rank()[0]);
        int[] onHost = IntStream.of(peers)
                .filter(r -> layout.hostOf(r) == layout.hostOf(peers[0]))
                .toArray();
        int[] slow = onHost.length < peers.length ? onHost : Arrays.copyOf(peers, Math.max(1, peers.length / 2));
        return new Fault.SlowClock(slow, draw.between(1.12, 1.5), false, steps.lasting());
    }
}
