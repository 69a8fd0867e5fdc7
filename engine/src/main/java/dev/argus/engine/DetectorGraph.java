package dev.argus.engine;

import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.KernelSummary;
import dev.argus.model.NameTable;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fixed acyclic graph of detectors, declared once for all hosts:
 *
 * <pre>
 * StepDigest ----> JobSteps (L1) ---------------------------+
 *            ----> RankWork (L2, by peer set) --------------+
 *            ----> by group: GroupWaits (ledger) -----------+--> Diagnosis (by attempt) --> Concluded
 *                                 +--> Transfers (by kind) -+
 * KernelSummary -> KernelShift (L3, by peer set and kernel) +
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

    private final JobShape shape;
    private final Node<StepDigest, ?> steps;
    private final Node<StepDigest, ?> work;
    private final Node<GroupStep, ?> waits;
    private final Node<TransferPartial, ?> transfers;
    private final Node<KernelSummary, ?> kernels;
    private final Node<Partial, ?> diagnosis;

    /** The graph for one attempt's shape. */
    public DetectorGraph(JobShape shape, NameTable names, Thresholds thresholds) {
        this.shape = shape;
        steps = new Node<>("steps", new JobSteps(thresholds));
        work = new Node<>("work", new RankWork(shape, thresholds));
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

    /** The ledger. */
    public Node<GroupStep, ?> waits() {
        return waits;
    }

    /** Links. */
    public Node<TransferPartial, ?> transfers() {
        return transfers;
    }

    /** L3. */
    public Node<KernelSummary, ?> kernels() {
        return kernels;
    }

    /** Causes and incidents. */
    public Node<Partial, ?> diagnosis() {
        return diagnosis;
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
