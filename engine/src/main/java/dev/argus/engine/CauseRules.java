package dev.argus.engine;

import dev.argus.digest.StallWords;
import dev.argus.model.CollectiveOp;
import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.SpanKind;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * From a finding about own work to a cause: which signals it needs, and what it says when they are missing.
 *
 * <p>Work first: a rank that does more (threads launched, bytes copied) is not sick. Then kernels: arithmetic-bound ones slow
 * means the clock, memory-bound ones alone means HBM, some of a family means the kernel. Gaps: what the CPU was doing in them, if the
 * trace tells; before the step's first input copy it is the data; else it stays a stall of the CPU, for nothing says more.
 */
final class CauseRules {
    /** More work explains the time when it explains at least half of the excess. */
    private static final double EXPLAINED = 0.5;

    /** What the CPU was doing decides only when it lay over this share of the gaps. */
    private static final double COVER_SHARE = 0.5;

    /** What is so much slower because of its model is seen on each of them. */
    private static final double SEEN_ON_ALL = 0.08;

    /** And of this share of the size. */
    private static final double LIKE_SHARE = 0.4;

    private static final String[] PHASES = {"forward", "backward", "optimizer"};

    private static final String[] PASSES = {"forward pass", "backward pass", "optimizer"};

    /** A phase is longer than that of the peers from this excess on. */
    private static final double LONGER_PHASE = 0.02;

    /** A phase is alone in being longer where the others are longer by at most this share of it. */
    private static final double OTHER_PHASE = 0.2;

    /** Place of the loading of data behind the phases. */
    private static final int LOADING = 3;

    /** Loading that takes up to so many times as long as the peers' is no stall. */
    private static final double SAME_LOADING = 1.2;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final NameTable names;
    private final Thresholds t;

    CauseRules(Diagnosis.State state, JobShape shape, NameTable names, Thresholds thresholds) {
        this.state = state;
        this.shape = shape;
        this.names = names;
        this.t = thresholds;
    }

    Suspect suspect(WorkFinding f, Scope scope, RankSet ranks, String host) {
        Suspect s = switch (f.component()) {
            case COMPUTE -> compute(f, scope, ranks, host);
            case COPY -> copy(f, scope, ranks, host);
            case GAP -> gap(f, scope, ranks, host);
            case CPU_WAIT -> cpuWait(f, scope, ranks, host);
        };
        double threshold = f.thresholdNanos() / 1e6;
        s.evidence.addFirst(new Evidence(
                label(f) + ", above the peers, mean of " + Say.steps(f.firstStep(), f.lastStep()),
                f.meanNanos() / 1e6,
                "ms",
                "median of " + f.peers() + " ranks (" + peers(f) + ")",
                threshold));
        return s;
    }

    private String peers(WorkFinding f) {
        return f.peerSet() >= 0 ? shape.peerLabels().get(f.peerSet()) : "all";
    }

    private static String label(WorkFinding f) {
        return switch (f.component()) {
            case COMPUTE -> f.gpu() ? "compute time" : "time in its phases outside collectives";
            case COPY -> "time in copies";
            case GAP -> f.gpu() ? "idle gaps" : "time waiting for data, or away from training";
            case CPU_WAIT -> "time ready to run without a CPU";
        };
    }

    private Suspect compute(WorkFinding f, Scope scope, RankSet ranks, String host) {
        KernelEvidence kernels = new KernelEvidence(f, state.kernels, state.shares, shape, names);
        IncidentKind kind;
        String how;
        if (explains(f.exchangeRatio(), f) && !kernels.attentionToo(1 + EXPLAINED * (f.ratio() - 1))) {
            kind = IncidentKind.EXPERT_IMBALANCE;
            how = "its experts get " + Say.times(f.exchangeRatio()) + " the tokens";
        } else if (explains(f.workRatio(), f)) {
            kind = IncidentKind.RANK_ASYMMETRY;
            how = "it launches " + Say.times(f.workRatio()) + " the threads of its peers";
        } else if (explains(f.kernelsRatio(), f)) {
            kind = IncidentKind.RANK_ASYMMETRY;
            how = "it runs " + Say.times(f.kernelsRatio()) + " the kernels of its peers";
        } else if (otherHardware(f)) {
            kind = IncidentKind.HETEROGENEOUS_HARDWARE;
            how = "it is a " + shape.gpuModels().get(f.rank()) + ", and peers that are not are faster";
        } else if (!f.gpu() && f.coverKind() == SpanKind.SCHEDULER) {
            // Who fights for CPUs is slow in ways the system does not count, too: caches are cold, cores are shared.
            kind = IncidentKind.HOST_CONTENTION;
            how = "it was ready to run and had no CPU for " + Say.time(f.coverRatio() * f.meanNanos()) + " a step";
        } else if (!f.gpu()) {
            kind = IncidentKind.STRAGGLER;
            how = mostlyIn(f);
        } else if (kernels.expertsAlone() && !tokensKnown(state)) {
            kind = IncidentKind.EXPERT_IMBALANCE;
            how = "its expert kernels alone, and nothing tells how many tokens they had";
        } else {
            kind = kernels.kind(f.ramp());
            how = how(kernels, kind, f.ramp());
        }
        Suspect s = new Suspect(kind, scope, ranks, host);
        s.what = (f.gpu() ? "computes " : "works ") + Say.times(f.ratio()) + " as long as its peers"
                + (f.gpu() ? inOnePhase(f) : "")
                + (how.isEmpty() ? "" : ": " + how);
        s.why = "Own compute is time on one clock, without any wait for others: "
                + Say.time(f.meanNanos()) + " a step more than the median of " + f.peers() + " ranks ("
                + peers(f) + "), " + Say.time(f.thresholdNanos()) + " demanded"
                + (f.ownHistory() ? "; at other steps the rank was like its peers" : "; at all steps seen") + ".";
        s.advice = !f.gpu() && kind == IncidentKind.STRAGGLER
                ? "Look at the stacks of this rank, at its share of the data, and at the CPUs it runs on."
                : advice(kind)
                        + (kind == IncidentKind.KERNEL_STRAGGLER
                                        && f.gpu()
                                        && !inOnePhase(f).isEmpty()
                                ? " They are slow in one phase alone: look also at what this rank does there that its peers do not."
                                : "");
        if (!kernels.slow.isEmpty()) {
            s.levels.add(Level.L3);
        }
        kernels.describe(s, t.kernelRatio());
        phases(f, s);
        if (kind == IncidentKind.HOST_CONTENTION) {
            s.evidence.add(new Evidence(
                    "time ready to run without a CPU, mean of a step",
                    f.coverRatio() * f.meanNanos() / 1e6,
                    "ms",
                    "what the rank exceeds its peers by",
                    f.meanNanos() / 1e6));
        }
        if (Math.abs(f.workRatio() - 1) > 0.005) {
            s.evidence.add(new Evidence("threads launched", f.workRatio(), "x", "median of its peers", 1.01));
        }
        return s;
    }

    /** True if exchanges of uneven size were seen: their bytes tell the tokens of each rank. */
    static boolean tokensKnown(Diagnosis.State state) {
        return state.transfers.stream().anyMatch(f -> f.op() == CollectiveOp.ALL_TO_ALL_V);
    }

    /** True if the rank does so much more that it explains most of the time. */
    private static boolean explains(double workRatio, WorkFinding f) {
        return workRatio > 1.01 && workRatio - 1 >= EXPLAINED * (f.ratio() - 1);
    }

    /**
     * True if the rank's GPU is of another model than those of its peers, and that explains what is seen: for as long as was seen, and on the others of its model as well. Of a few, each of which would be seen,
     * half are enough; of most of the peers all. A model that nobody else has is never told from its GPU.
     */
    private boolean otherHardware(WorkFinding f) {
        String own = shape.gpuModels().getOrDefault(f.rank(), "");
        if (own.isEmpty() || f.peerSet() < 0 || f.ownHistory()) {
            return false;
        }
        RankSet peers = shape.peerSets().get(f.peerSet());
        int[] alike =
                peers.stream().filter(r -> own.equals(shape.gpuModels().get(r))).toArray();
        if (alike.length == peers.size()) {
            return false;
        }
        boolean most = 2 * alike.length > peers.size();
        if (!most && (alike.length < 2 || f.ratio() - 1 < SEEN_ON_ALL)) {
            return true;
        }
        Set<Integer> slow = new HashSet<>();
        for (WorkFinding o : state.work) {
            boolean meanwhile = o.firstStep() <= f.lastStep() && o.lastStep() >= f.firstStep();
            boolean like = most || o.meanNanos() >= LIKE_SHARE * f.meanNanos();
            if (o.component() == OwnComponent.COMPUTE && o.peerSet() == f.peerSet() && meanwhile && like) {
                slow.add(o.rank());
            }
        }
        long with = Arrays.stream(alike).filter(slow::contains).count();
        return most ? with == alike.length : 2 * with > alike.length;
    }

    private static String how(KernelEvidence kernels, IncidentKind kind, boolean ramp) {
        if (kernels.slow.isEmpty()) {
            return "no single kernel stands out";
        }
        boolean one = kind == IncidentKind.KERNEL_STRAGGLER && kernels.slow.size() == 1;
        return kernels.words(kind)
                + (one ? " takes " + Say.times(kernels.ratio(kernels.slow.getFirst())) + " as long" : "")
                + (ramp && kind == IncidentKind.THERMAL_DRIFT ? ", growing from step to step" : "");
    }

    private static String mostlyIn(WorkFinding f) {
        int worst = -1;
        for (int i = 0; i < PHASES.length; i++) {
            double ratio = f.phaseRatios()[i];
            if (ratio > 1.02 && (worst < 0 || ratio > f.phaseRatios()[worst])) {
                worst = i;
            }
        }
        return worst < 0 ? "" : "most of it in its " + PHASES[worst];
    }

    /** Where the time lies, if the phases say that it lies in one of them alone: that is no matter of the GPU as a whole, nor of one kernel. */
    private static String inOnePhase(WorkFinding f) {
        int most = -1;
        double longest = 0;
        double next = 0;
        int known = 0;
        for (int i = 0; i < PHASES.length; i++) {
            double more = f.phaseRatios()[i] - 1;
            known += Double.isNaN(more) ? 0 : 1;
            if (more > longest) {
                next = longest;
                longest = more;
                most = i;
            } else if (more > next) {
                next = more;
            }
        }
        boolean covers = longest >= f.ratio() - 1; // what lies in a part alone is a larger share of it than of all
        return known < 2 || !covers || longest <= LONGER_PHASE || next > OTHER_PHASE * longest
                ? ""
                : ", all of it in its " + PASSES[most];
    }

    private static void phases(WorkFinding f, Suspect s) {
        for (int i = 0; i < PHASES.length; i++) {
            double ratio = f.phaseRatios()[i];
            if (!Double.isNaN(ratio) && ratio > 1.02) {
                s.evidence.add(new Evidence("own work in " + PHASES[i], ratio, "x", "median of its peers", Double.NaN));
            }
        }
    }

    private Suspect copy(WorkFinding f, Scope scope, RankSet ranks, String host) {
        boolean more = f.bytesRatio() > 1.02 && f.bytesRatio() - 1 >= EXPLAINED * (f.ratio() - 1);
        Suspect s = new Suspect(more ? IncidentKind.RANK_ASYMMETRY : IncidentKind.PCIE_DEGRADED, scope, ranks, host);
        s.what = "spends " + Say.times(f.ratio()) + " as long as its peers in copies"
                + (more ? ": it copies " + Say.times(f.bytesRatio()) + " the bytes" : " of the same bytes");
        s.why = "Copies that nothing else covers take " + Say.time(f.meanNanos()) + " a step more than the median of "
                + f.peers() + " ranks (" + peers(f) + ").";
        s.advice = advice(s.kind, s.scope);
        s.evidence.add(new Evidence("bytes copied to the device", f.bytesRatio(), "x", "median of its peers", 1.02));
        return s;
    }

    /** Of pauses that belong together, the longest of the cause that has most of their time: by chance one of them lies where something else is called. */
    WorkFinding typical(List<WorkFinding> pauses) {
        Map<IncidentKind, Double> byKind = new EnumMap<>(IncidentKind.class);
        Map<IncidentKind, WorkFinding> longest = new EnumMap<>(IncidentKind.class);
        for (WorkFinding f : pauses) {
            IncidentKind kind = suspect(f, Scope.JOB, RankSet.EMPTY, "").kind;
            byKind.merge(kind, f.totalNanos(), Double::sum);
            longest.merge(kind, f, (a, b) -> b.totalNanos() > a.totalNanos() ? b : a);
        }
        IncidentKind most =
                Collections.max(byKind.entrySet(), Map.Entry.comparingByValue()).getKey();
        return Objects.requireNonNull(longest.get(most));
    }

    /** True if it is known that the CPU collected garbage or compiled meanwhile: what all do, or one after the other, when they do it. */
    boolean collectsOrCompiles(WorkFinding pause) {
        IncidentKind kind = suspect(pause, Scope.JOB, RankSet.EMPTY, "").kind;
        return kind == IncidentKind.JIT_STALL || kind == IncidentKind.GC_PAUSE;
    }

    private Suspect gap(WorkFinding f, Scope scope, RankSet ranks, String host) {
        boolean peers = scope != Scope.JOB; // of all ranks no peer tells what is usual
        String cover = f.cover() < 0 || (peers && loadsAsUsual(f)) ? "" : names.name(f.cover());
        String known = f.coverRatio() >= COVER_SHARE ? cover : "";
        IncidentKind kind = f.gpu() ? gapKind(f, scope, known) : awayKind(known);
        boolean stalls = kind == IncidentKind.CPU_STALL || kind == IncidentKind.DATA_STALL;
        if (stalls && loadsAlone(f) && !launchesSlowly(f)) {
            kind = IncidentKind.RANK_ASYMMETRY;
        }
        kind = FirstRank.kind(f, kind, cover);
        Suspect s = new Suspect(kind, scope, ranks, host);
        s.observation = !kind.isIncident();
        String many = f.active() < f.steps().length || f.active() > 1 ? " a step" : "";
        String often = f.active() < f.steps().length ? " in " + f.active() + " of " + f.steps().length + " steps" : "";
        String idle = scope == Scope.HOST ? "leaves its GPUs idle for " : "leaves its GPU idle for ";
        String away = kind == IncidentKind.DATA_STALL ? "waits for data for " : "is away from training for ";
        s.what = (f.gpu() ? idle : away) + Say.time(f.meanNanos()) + many
                + " more than its peers" + often
                + (cover.isEmpty() ? "" : (scope == Scope.HOST ? ", mostly in " : in(f)) + StallWords.shown(cover));
        s.why = f.gpu() ? whyIdle(f, cover) : "Its phases take as long as those of its peers without that time.";
        s.advice = advice(kind, s.scope);
        if (f.gpu()) {
            s.evidence.add(new Evidence(
                    "share of the gaps after which the CPU launched late",
                    100 * f.hostLateRatio(),
                    "%",
                    "",
                    Double.NaN));
        }
        if (f.coverKind() == SpanKind.PYTHON && !cover.isEmpty()) {
            s.levels.add(Level.L5);
        }
        return s;
    }

    private static String in(WorkFinding f) {
        return f.gpu() ? ", while its CPU was in " : ", in ";
    }

    private static String whyIdle(WorkFinding f, String cover) {
        return "The kernels have normal durations; the time is in gaps"
                + (f.hostLateRatio() > 0.5 ? ", and the work after them was launched late by the CPU" : "")
                + (f.inputRatio() > 0.5 ? ", before the first copy of the step's input to the device" : "")
                + (cover.isEmpty() ? ". No stack tells what the CPU did." : ".");
    }

    /**
     * The gap lies over the loading of data, but that takes no longer than on its peers: it is seen because the CPU was late before.
     * Its peers load behind a queue of launches.
     */
    private boolean loadsAsUsual(WorkFinding f) {
        return f.phaseRatios()[LOADING] < SAME_LOADING
                && gapKind(f, Scope.RANK, names.name(f.cover())) == IncidentKind.DATA_STALL;
    }

    /** The only rank among its peers that loads data copies more than they, and that is its part. */
    boolean copiesForItsGroup(WorkFinding f) {
        return f.bytesRatio() > 2 && loadsAlone(f);
    }

    /** A rank that always loads the data for its tensor-parallel group, without a peer that does the same, cannot be compared. */
    private boolean loadsAlone(WorkFinding f) {
        return !f.ownHistory()
                && f.peerSet() >= 0
                && shape.loadsForOthers(f.rank())
                && shape.peerSets().get(f.peerSet()).stream().noneMatch(r -> r != f.rank() && shape.loadsForOthers(r));
    }

    private Suspect cpuWait(WorkFinding f, Scope scope, RankSet ranks, String host) {
        Suspect s = new Suspect(IncidentKind.HOST_CONTENTION, scope, ranks, host);
        s.what = "was ready to run and had no CPU for " + Say.time(f.meanNanos()) + " a step more than its peers";
        s.why = "The system counts how long the main thread could have run and did not, because others had the CPUs: "
                + Say.time(f.meanNanos()) + " a step more than the lower third of " + f.peers() + " ranks (" + peers(f)
                + "); what it does when it runs takes no longer than before.";
        s.advice = advice(s.kind, s.scope);
        return s;
    }

    /** What keeps a rank without GPU from training: by what it was seen in, else it waits for data. */
    private static IncidentKind awayKind(String cover) {
        IncidentKind named = StallWords.of(cover);
        return named == null ? IncidentKind.DATA_STALL : named;
    }

    private IncidentKind gapKind(WorkFinding f, Scope scope, String cover) {
        IncidentKind named = StallWords.of(cover);
        if (named != null) {
            return named;
        }
        if (scope == Scope.HOST) {
            return IncidentKind.HOST_CONTENTION;
        }
        boolean loads = scope == Scope.JOB || !(f.phaseRatios()[LOADING] < SAME_LOADING);
        if (f.inputRatio() > 0.5 && loads && !launchesSlowly(f) && !inPhase(cover)) {
            return IncidentKind.DATA_STALL;
        }
        return IncidentKind.CPU_STALL;
    }

    /** True if the CPU was late with more than the input. */
    private boolean launchesSlowly(WorkFinding f) {
        return state.launches.stream()
                .anyMatch(l -> l.rank() == f.rank() && l.firstStep() <= f.lastStep() && l.lastStep() >= f.firstStep());
    }

    private static boolean inPhase(String cover) {
        String c = cover.toLowerCase(Locale.ROOT);
        return c.contains("forward") || c.contains("backward") || c.contains("optimizer");
    }

    /** What to do about a kind of trouble of somebody, or of all. */
    static String advice(IncidentKind kind, Scope scope) {
        if (scope != Scope.JOB) {
            return advice(kind);
        }
        return switch (kind) {
            case DATA_STALL ->
                "Look at what the data loaders of all ranks share: storage, file system, network; then at the number of their workers.";
            case CPU_STALL ->
                "Record CPU stacks on some ranks (py-spy dump, or Argus' own) while it happens; a checkpoint or an evaluation that nothing marks looks the same.";
            default -> advice(kind);
        };
    }

    static String advice(IncidentKind kind) {
        return switch (kind) {
            case COMPUTE_STRAGGLER ->
                "Look at clocks, power and throttle reasons of this GPU; if they are normal run a compute test on it, and drain"
                        + " it if it stays slow.";
            case THERMAL_DRIFT ->
                "Look at temperature, fans and throttle reasons of this GPU; drain it before it gets slower.";
            case MEMORY_BANDWIDTH_STRAGGLER ->
                "Look at ECC and row-remapping counters of this GPU and run a memory bandwidth test; replace it if it fails.";
            case KERNEL_STRAGGLER ->
                "Compare library versions and autotuning results of this rank with its peers'; run the kernel alone on this GPU.";
            case STRAGGLER -> "Record kernels or stacks on this rank to learn why it is late.";
            case PCIE_DEGRADED ->
                "Look at PCIe width and speed of this GPU (nvidia-smi -q) and at what else uses the bus.";
            case DATA_STALL ->
                "Look at the data loader of this rank: its workers, the shard it reads, the storage behind it.";
            case JIT_STALL ->
                "Warm the compiler's cache up before training, or pin shapes so that nothing is compiled again.";
            case GC_PAUSE -> "Switch automatic garbage collection off and collect on all ranks at the same step.";
            case CPU_STALL -> "Record CPU stacks on this rank (py-spy dump, or Argus' own) while it happens.";
            case HOST_CONTENTION ->
                "Look at CPU load, pinning and other processes of this host; move them away or drain the host.";
            case LINK_DEGRADED ->
                "Look at the network interfaces of this host: link speed, error counters, cables; drain it if they are bad.";
            case NVLINK_DEGRADED -> "Look at NVLink state and error counters of this host (nvidia-smi nvlink -s).";
            case FABRIC_CONGESTION -> "Nobody to accuse in this job: look at switches and at other jobs on the fabric.";
            case GLOBAL_SLOWDOWN ->
                "All ranks slowed down together: look at power capping, cooling and what changed at this step.";
            case REGRESSION ->
                "Compare the versions named with those of the attempt before; go back to them, or measure each change alone.";
            case PIPELINE_BUBBLE ->
                "Look at what the hosts of this stage share: power caps, clocks, cooling, placement; then at its split of the model.";
            case STAGE_IMBALANCE -> "Move layers away from the long stage; no GPU is at fault.";
            case RANK_ASYMMETRY, WORKLOAD_IMBALANCE, EXPERT_IMBALANCE, SEQUENCE_LENGTH_VARIATION ->
                "The work is uneven, no GPU is at fault: balance the work if the cost matters.";
            default -> "No action needed.";
        };
    }
}
