package dev.argus.engine;

import dev.argus.model.KernelWindow;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Drives the graph by hand: one state a node and key, partials handed on, timers at the end. */
final class GraphHarness {
    private final DetectorGraph graph;
    private final Keyed<StepDigest, ?> steps;
    private final Keyed<StepDigest, ?> work;
    private final Keyed<LaunchStep, ?> launches;
    private final Keyed<GroupStep, ?> waits;
    private final Keyed<TransferPartial, ?> transfers;
    private final Keyed<KernelStep, ?> kernels;
    private final Keyed<Partial, ?> diagnosis;
    private @Nullable Concluded concluded;

    /** What every node emitted, in order. */
    final List<Partial> partials = new ArrayList<>();

    /** What was left out, by reason. */
    final Map<String, Long> losses = new TreeMap<>();

    GraphHarness(DetectorGraph graph) {
        this.graph = graph;
        steps = Keyed.of(graph.steps());
        work = Keyed.of(graph.work());
        launches = Keyed.of(graph.launches());
        waits = Keyed.of(graph.waits());
        transfers = Keyed.of(graph.transfers());
        kernels = Keyed.of(graph.kernels());
        diagnosis = Keyed.of(graph.diagnosis());
    }

    void take(Record r) {
        if (r instanceof StepDigest d) {
            steps.take(d, out);
            work.take(d, out);
            graph.launchStep(d).ifPresent(l -> launches.take(l, out));
            graph.groupSteps(d).forEach(g -> waits.take(g, out));
        } else if (r instanceof KernelWindow k) {
            graph.kernelSteps(k).forEach(step -> kernels.take(step, out));
        } else {
            throw new IllegalArgumentException("not a record of a rank: " + r);
        }
    }

    Concluded finish() {
        for (Keyed<?, ?> node : List.of(steps, work, launches, waits, transfers, kernels, diagnosis)) {
            node.timer(out);
        }
        Concluded c = concluded;
        if (c == null) {
            throw new IllegalStateException("no conclusion was drawn");
        }
        return c;
    }

    private final Out out = new Out() {
        @Override
        public void emit(Partial partial) {
            partials.add(partial);
            switch (partial) {
                case TransferPartial p -> transfers.take(p, this);
                case Concluded c -> concluded = c;
                default -> diagnosis.take(partial, this);
            }
        }

        @Override
        public void timer(long eventNanos) {
            // All timers fire at the end.
        }

        @Override
        public void loss(String reason) {
            losses.merge(reason, 1L, Long::sum);
        }
    };

    private record Keyed<I, S>(Transform<I, S> transform, Map<Long, S> states) {
        static <I, S> Keyed<I, S> of(DetectorGraph.Node<I, S> node) {
            return new Keyed<>(node.transform(), new TreeMap<>());
        }

        void take(I record, Out out) {
            transform.onRecord(states.computeIfAbsent(transform.key(record), transform::fresh), record, out);
        }

        void timer(Out out) {
            states.values().forEach(s -> transform.onTimer(s, Long.MAX_VALUE, out));
        }
    }
}
