package dev.argus.hostlocal;

import dev.argus.engine.Concluded;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.GroupStep;
import dev.argus.engine.KernelStep;
import dev.argus.engine.LaunchStep;
import dev.argus.engine.Out;
import dev.argus.engine.Partial;
import dev.argus.engine.TransferPartial;
import dev.argus.model.KernelWindow;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs the graph of detectors over the records of one attempt in this process.
 *
 * <p>Used by one thread. The result does not depend on the order of records within the lateness the detectors allow.
 */
public final class GraphRunner {
    private final DetectorGraph graph;
    private final KeyedNode<StepDigest, ?> steps;
    private final KeyedNode<StepDigest, ?> work;
    private final KeyedNode<LaunchStep, ?> launches;
    private final KeyedNode<GroupStep, ?> waits;
    private final KeyedNode<TransferPartial, ?> transfers;
    private final KeyedNode<KernelStep, ?> kernels;
    private final KeyedNode<Partial, ?> diagnosis;
    private final List<Concluded> concluded = new ArrayList<>();
    private final Map<String, Long> losses = new TreeMap<>();
    private final Out out = new Router();

    /** A runner over fresh states. */
    public GraphRunner(DetectorGraph graph) {
        this.graph = graph;
        steps = KeyedNode.of(graph.steps());
        work = KeyedNode.of(graph.work());
        launches = KeyedNode.of(graph.launches());
        waits = KeyedNode.of(graph.waits());
        transfers = KeyedNode.of(graph.transfers());
        kernels = KeyedNode.of(graph.kernels());
        diagnosis = KeyedNode.of(graph.diagnosis());
    }

    /** Takes one step of one rank. */
    public void take(StepDigest digest) {
        steps.take(digest, out);
        work.take(digest, out);
        graph.launchStep(digest).ifPresent(l -> launches.take(l, out));
        for (GroupStep g : graph.groupSteps(digest)) {
            waits.take(g, out);
        }
    }

    /** Takes the kernels of one rank in one step. */
    public void take(KernelWindow window) {
        if (window.lost() > 0) {
            losses.merge("kernel-without-room", window.lost(), Long::sum);
        }
        for (KernelStep k : graph.kernelSteps(window)) {
            kernels.take(k, out);
        }
    }

    /** The input has ended: every detector gives what it has, in the order of the graph. */
    public List<Concluded> finish() {
        for (KeyedNode<?, ?> node : List.of(steps, work, launches, waits, transfers, kernels, diagnosis)) {
            node.timer(Long.MAX_VALUE, out);
        }
        return List.copyOf(concluded);
    }

    /** What detectors left out, by reason. */
    Map<String, Long> losses() {
        return losses;
    }

    /** All states, by name of the detector. */
    Map<String, byte[]> snapshot() {
        Map<String, byte[]> all = new TreeMap<>();
        for (KeyedNode<?, ?> node : List.of(steps, work, launches, waits, transfers, kernels, diagnosis)) {
            all.put(node.name(), node.snapshot());
        }
        return all;
    }

    /** Takes all states up again. */
    void restore(Map<String, byte[]> snapshot) {
        for (KeyedNode<?, ?> node : List.of(steps, work, launches, waits, transfers, kernels, diagnosis)) {
            byte[] bytes = snapshot.get(node.name());
            if (bytes == null) {
                throw new IllegalArgumentException("snapshot without " + node.name() + ": it has " + snapshot.keySet());
            }
            node.restore(bytes);
        }
    }

    private final class Router implements Out {
        @Override
        public void emit(Partial partial) {
            switch (partial) {
                case TransferPartial p -> transfers.take(p, this);
                case Concluded c -> concluded.add(c);
                default -> diagnosis.take(partial, this);
            }
        }

        @Override
        public void timer(long eventNanos) {
            // A folder of traces has an end: every timer fires there.
        }

        @Override
        public void loss(String reason) {
            losses.merge(reason, 1L, Long::sum);
        }
    }
}
