package dev.argus.engine;

import dev.argus.digest.KernelClasses;
import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.KernelClass;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.Phase;
import dev.argus.model.StepDigest;
import dev.argus.model.StreamKernel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

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
    private final Map<Integer, Boolean> compute = new ConcurrentHashMap<>();
    private final Node<StepDigest, ?> steps;
    private final Node<StepDigest, ?> work;
    private final Node<LaunchStep, ?> launches;
    private final Node<GroupStep, ?> waits;
    private final Node<TransferPartial, ?> transfers;
    private final Node<KernelStep, ?> kernels;
    private final Node<Partial, ?> diagnosis;

    /** The graph for one attempt's shape. */
    public DetectorGraph(JobShape shape, NameTable names, Thresholds thresholds) {
        this.shape = shape;
        this.names = names;
        steps = new Node<>("steps", new JobSteps(thresholds));
        work = new Node<>("work", new RankWork(shape, thresholds));
        launches = new Node<>("launches", new LaunchPace(shape, thresholds));
        waits = new Node<>("waits", new GroupWaits(shape));
        transfers = new Node<>("transfers", new Transfers(thresholds));
        kernels = new Node<>("kernels", new KernelShift(shape, thresholds));
        diagnosis = new Node<>("diagnosis", new Diagnosis(shape, names, thresholds));
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

    /** What a digest says of launches; nothing where the trace names no phases. */
    public Optional<LaunchStep> launchStep(StepDigest d) {
        long span = 0;
        for (Phase phase : LAUNCHING) {
            span += Math.max(0, d.phaseSpanNanos(phase));
        }
        return d.partial() || !d.gpu() || span == 0 || d.kernelCount() == 0
                ? Optional.empty()
                : Optional.of(new LaunchStep(
                        d.attempt(),
                        d.rank(),
                        d.step(),
                        span,
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

    /** The compute kernels of a window, streams together. Communication lasts as long as the wait: the ledger judges it. */
    public List<KernelStep> kernelSteps(KernelWindow w) {
        Map<Integer, KernelStep> byName =
                LinkedHashMap.newLinkedHashMap(w.kernels().size());
        for (StreamKernel k : w.kernels()) {
            if (isCompute(k.name())) {
                KernelStep one = new KernelStep(
                        w.attempt(), w.rank(), w.window(), k.name(), k.workItems(), List.of(k.durations()));
                byName.merge(k.name(), one, KernelStep::with);
            }
        }
        return List.copyOf(byName.values());
    }

    private boolean isCompute(int name) {
        return compute.computeIfAbsent(name, id -> KernelClasses.classOf(names.name(id)) == KernelClass.COMPUTE);
    }

    /** The collectives of a digest by group, groups unknown to the job left out. */
    public List<GroupStep> groupSteps(StepDigest d) {
        Map<Integer, List<CollectiveStat>> byGroup = new LinkedHashMap<>();
        Map<Integer, Integer> groupOf = new HashMap<>();
        for (CollectiveStat c : d.collectives()) {
            int group = groupOf.computeIfAbsent(c.group(), id -> shape.groupIndex(d.rank(), id));
            if (group >= 0) {
                byGroup.computeIfAbsent(group, g -> new ArrayList<>()).add(c);
            }
        }
        List<GroupStep> list = new ArrayList<>();
        byGroup.forEach((group, collectives) ->
                list.add(new GroupStep(d.attempt(), group, d.rank(), d.step(), List.copyOf(collectives))));
        return list;
    }
}
