package dev.argus.engine;

import dev.argus.digest.KernelClasses;
import dev.argus.model.JobShape;
import dev.argus.model.KernelClass;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.PackedKernels;
import dev.argus.model.Phase;
import dev.argus.model.SideRecord;
import dev.argus.model.StepDigest;
import dev.argus.model.StreamKernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The fixed acyclic graph of detectors, declared once for all hosts:
 *
 * <pre>
 * StepDigest ----> JobSteps (L1) ---------------------------+
 *            ----> RankWork (L2, by peer set) --------------+
 *            ----> LaunchPace (L2, by attempt) -------------+
 *            ----> by group: GroupWaits (ledger) -----------+--> Diagnosis (by attempt) --> Concluded
 *                                 +--> Transfers (by kind) -+
 * KernelWindow -> by kernel: KernelShift (L3, by peer set) -+
 * StepDigest ----> Arrivals (by attempt; of records too short for steps) --------------------------> Concluded
 * SideRecord ----> SideRecords (by attempt) ---------------------------------------------------> Concluded
 * </pre>
 *
 * <p>A host takes the nodes in this order, keeps one state a node and key, feeds what a node emits to the nodes after it, and
 * at the end lets the timers of the nodes fire in the same order.
 */
public final class DetectorGraph {
    /**
     * One detector and what it takes.
     *
     * @param name name in states and notes
     * @param transform the detector
     * @param <I> record type
     * @param <S> state type
     */
    public record Node<I, S>(String name, Transform<I, S> transform) {}

    /** The optimizer is not among them: there the CPU waits for the GPU to learn the norm of the gradients. */
    private static final List<Phase> LAUNCHING = List.of(Phase.FORWARD, Phase.BACKWARD);

    private final JobShape shape;
    private final NameTable names;
    private volatile byte[] classes = {};
    private final Node<StepDigest, ?> steps;
    private final Node<StepDigest, ?> work;
    private final Node<LaunchStep, ?> launches;
    private final Node<GroupStep, ?> waits;
    private final Node<TransferPartial, ?> transfers;
    private final Node<KernelStep, ?> kernels;
    private final Node<Partial, ?> diagnosis;
    private final Node<SideRecord, ?> side;
    private final Node<StepDigest, ?> arrivals;

    /** The graph for a recording of one attempt. */
    public DetectorGraph(JobShape shape, NameTable names, Thresholds thresholds) {
        this(shape, names, thresholds, Horizon.RECORDING);
    }

    /** The graph for one attempt's shape. */
    public DetectorGraph(JobShape shape, NameTable names, Thresholds thresholds, Horizon horizon) {
        this.shape = shape;
        this.names = names;
        steps = new Node<>("steps", new JobSteps(shape, thresholds));
        work = new Node<>("work", new RankWork(shape, thresholds, horizon.live()));
        launches = new Node<>("launches", new LaunchPace(shape, thresholds));
        waits = new Node<>("waits", new GroupWaits(shape));
        transfers = new Node<>("transfers", new Transfers(thresholds));
        kernels = new Node<>("kernels", new KernelShift(shape, thresholds));
        diagnosis = new Node<>("diagnosis", new Diagnosis(shape, names, thresholds, horizon));
        side = new Node<>("side", new SideRecords(shape, names));
        arrivals = new Node<>("arrivals", new Arrivals(shape));
    }

    /** L1. */
    public Node<StepDigest, ?> steps() {
        return steps;
    }

    /** L2. */
    public Node<StepDigest, ?> work() {
        return work;
    }

    /** Launches. */
    public Node<LaunchStep, ?> launches() {
        return launches;
    }

    /** What a digest says of launches: by the launches themselves, or where they are not recorded by the phases it names, in which CPUs wait, too; nothing where it has neither. */
    public Optional<LaunchStep> launchStep(StepDigest d) {
        long span = (long) (Math.max(0, d.launchNanos()) * (double) d.kernelCount()); // an agent may say anything
        for (Phase phase : LAUNCHING) {
            span += d.launchNanos() == 0 ? Math.max(0, d.phaseSpanNanos(phase)) : 0;
        }
        return d.partial() || !d.gpu() || span <= 0 || d.kernelCount() == 0
                ? Optional.empty()
                : Optional.of(new LaunchStep(
                        d.attempt(),
                        d.rank(),
                        d.step(),
                        span,
                        d.launchNanos() > 0,
                        d.kernelCount(),
                        d.own().hostIdleNanos()));
    }

    /** The ledger. */
    public Node<GroupStep, ?> waits() {
        return waits;
    }

    /** Links. */
    public Node<TransferPartial, ?> transfers() {
        return transfers;
    }

    /** L3. */
    public Node<KernelStep, ?> kernels() {
        return kernels;
    }

    /** Causes and incidents. */
    public Node<Partial, ?> diagnosis() {
        return diagnosis;
    }

    /** What files beside traces say: who keeps a stopped job from going on, who does what. Depends on no other node. */
    public Node<SideRecord, ?> side() {
        return side;
    }

    /** Who comes late in a record too short for steps; depends on no other node. */
    public Node<StepDigest, ?> arrivals() {
        return arrivals;
    }

    /** The compute kernels of a window, streams together. Communication lasts as long as the wait: the ledger judges it. */
    public List<KernelStep> kernelSteps(KernelWindow w) {
        int n = w.kernels().size();
        List<KernelStep> list = new ArrayList<>(n);
        IntIndex places = new IntIndex(n);
        PackedKernels packed = w.kernels() instanceof PackedKernels p ? p : null;
        for (int i = 0; i < n; i++) {
            int name = packed == null ? w.kernels().get(i).name() : packed.name(i);
            if (isCompute(name)) {
                KernelStep one = packed == null ? step(w, w.kernels().get(i)) : step(w, packed, i);
                int at = places.add(name);
                if (at == list.size()) {
                    list.add(one);
                } else {
                    list.set(at, list.get(at).with(one));
                }
            }
        }
        return list;
    }

    private static KernelStep step(KernelWindow w, StreamKernel k) {
        return new KernelStep(w.attempt(), w.rank(), w.window(), k.name(), k.workItems(), List.of(k.durations()));
    }

    /** Without making its durations, which are wanted of few ranks only. */
    private static KernelStep step(KernelWindow w, PackedKernels p, int at) {
        return new KernelStep(
                w.attempt(),
                w.rank(),
                w.window(),
                p.name(at),
                p.workItems(at),
                p.count(at),
                p.sumNanos(at),
                p.alone(at));
    }

    /** Looked up by name id: 0 unknown, 1 compute, 2 anything else. Threads may find the same answer twice. */
    private boolean isCompute(int name) {
        byte[] known = classes;
        byte of = name < known.length ? known[name] : 0;
        if (of == 0) {
            of = (byte) (KernelClasses.classOf(names.name(name)) == KernelClass.COMPUTE ? 1 : 2);
            byte[] more = Arrays.copyOf(known, Math.max(known.length, name + 1));
            more[name] = of;
            classes = more;
        }
        return of == 1;
    }

    /** The collectives of a digest by group, groups unknown to the job left out. */
    public List<GroupStep> groupSteps(StepDigest d) {
        return GroupSteps.of(shape, d);
    }
}
