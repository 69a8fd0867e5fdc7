package dev.argus.simulator;

import dev.argus.simulator.Fault.Stall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Draws the faults of a job that goes on: one after the other, with healthy steps in between, each kind once before one comes again.
 *
 * <p>They are strong, for whoever watches a demonstration wants to see something: pauses and slowness are such that a step takes some ten per cent longer. Kinds
 * that a layout cannot show (links that nobody could locate) are left out. Deterministic by the seed.
 */
final class LiveFaults {
    /** All kinds that can be drawn. */
    static final List<ScenarioKind> KINDS = List.of(
            ScenarioKind.COMPUTE,
            ScenarioKind.THERMAL,
            ScenarioKind.HBM,
            ScenarioKind.FAMILY,
            ScenarioKind.BACKWARD,
            ScenarioKind.NIC,
            ScenarioKind.NVLINK,
            ScenarioKind.PCIE,
            ScenarioKind.GC,
            ScenarioKind.JIT,
            ScenarioKind.DATA,
            ScenarioKind.CONTENTION);

    private final Scenario scenario;
    private final LivePace pace;
    private final double stepNanos;
    private final List<ScenarioKind> kinds;
    private final Draw draw;
    private final Random order;
    private final List<ScenarioKind> deck = new ArrayList<>();
    private final Set<Integer> used = new HashSet<>();
    private int number;
    private int next;

    /**
     * Faults for a job.
     *
     * @param scenario the job without faults
     * @param stepNanos length of its healthy step
     * @param kinds what is drawn, each once before one comes again
     */
    LiveFaults(Scenario scenario, LivePace pace, double stepNanos, List<ScenarioKind> kinds) {
        this.scenario = scenario;
        this.pace = pace;
        this.stepNanos = stepNanos;
        this.kinds = kinds;
        this.draw = new Draw(scenario.seed());
        this.order = new Random(scenario.seed());
        this.next = scenario.firstStep() + pace.healthyFirst();
    }

    /** A fault and the truth about it. */
    record Drawn(Fault fault, LiveFault truth) {}

    /** The fault that begins with the step after the given one, or null. */
    @Nullable
    Drawn before(int step) {
        if (step < next) {
            return null;
        }
        When when = When.always(next, next + pace.faulty() - 1);
        next += pace.faulty() + pace.healthy();
        for (int tries = 0; tries < kinds.size(); tries++) {
            ScenarioKind kind = deal();
            Fault fault = fault(kind, when);
            if (!LinkIdentity.concerns(fault) || new LinkIdentity(scenario).locatable(fault)) {
                return new Drawn(fault, LiveFault.of(number++, kind, fault, scenario));
            }
        }
        return null;
    }

    private ScenarioKind deal() {
        if (deck.isEmpty()) {
            deck.addAll(kinds);
            Collections.shuffle(deck, order);
        }
        return deck.removeLast();
    }

    private Fault fault(ScenarioKind kind, When when) {
        return switch (kind) {
            case COMPUTE -> new Fault.SlowClock(rank(), draw.between(1.35, 1.8), false, when);
            case THERMAL -> new Fault.SlowClock(rank(), draw.between(1.6, 1.9), true, when);
            case HBM -> new Fault.SlowMemory(rank(), draw.between(4.0, 6.0), when);
            case FAMILY -> new Fault.SlowFamily(rank(), KernelFamily.ATTENTION, draw.between(2.5, 4.0), when);
            case BACKWARD -> new Fault.SlowBackward(rank(), draw.between(1.4, 1.8), when);
            case NIC -> new Fault.SlowNetwork(new int[] {host()}, draw.between(4.0, 8.0), when);
            case NVLINK -> new Fault.SlowNvlink(host(), draw.between(3.0, 5.0), when);
            case PCIE -> new Fault.SlowCopies(loader(), draw.between(6.0, 10.0), when);
            case GC -> stall(Stall.GC, 0.02, when);
            case JIT -> stall(Stall.JIT, 0.02, when);
            case DATA -> new Fault.Stalls(Stall.DATA, loader(), pause(), 0, false, when);
            case CPU_STALL -> stall(Stall.CPU, 0.02, when);
            case CONTENTION -> new Fault.SlowLaunch(scenario.layout().ranksOn(host()), draw.between(6.0, 10.0), when);
            case CONGESTION -> new Fault.Congestion(draw.between(3.0, 5.0), when);
            case GLOBAL -> new Fault.PowerCap(draw.between(1.2, 1.4), when);
            default -> throw new IllegalArgumentException("kind is " + kind.word() + ", must be one of " + KINDS);
        };
    }

    private Fault stall(Stall stall, double fraction, When when) {
        return new Fault.Stalls(stall, rank(), pause(), fraction, false, when);
    }

    private long pause() {
        return (long) (draw.between(0.2, 0.5) * stepNanos);
    }

    /** A rank on a host that nothing happened to lately: nobody shall take the next fault for the last one again. */
    private int[] rank() {
        int[] ranks = scenario.layout().ranksOn(host());
        return new int[] {ranks[draw.below(ranks.length)]};
    }

    private int host() {
        int hosts = scenario.layout().hosts();
        if (used.size() >= (hosts + 1) / 2) {
            used.clear();
        }
        int host = draw.below(hosts);
        while (!used.add(host)) {
            host = draw.below(hosts);
        }
        return host;
    }

    /** A rank that reads input itself. */
    private int[] loader() {
        Layout layout = scenario.layout();
        while (true) {
            int rank = rank()[0];
            int stage = layout.coordinate(rank, Layout.Dimension.PP);
            boolean first =
                    !scenario.model().tensorRankZeroLoads() || layout.coordinate(rank, Layout.Dimension.TP) == 0;
            if (first && (stage == 0 || stage == layout.size(Layout.Dimension.PP) - 1)) {
                return new int[] {rank};
            }
        }
    }
}
