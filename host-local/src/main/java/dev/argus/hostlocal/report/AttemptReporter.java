package dev.argus.hostlocal.report;

import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Out;
import dev.argus.engine.Partial;
import dev.argus.engine.StepFinding;
import dev.argus.engine.Thresholds;
import dev.argus.engine.Transform;
import dev.argus.engine.WaitPairs;
import dev.argus.hostlocal.report.AttemptReport.StepEvent;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the report of one attempt, after it has been judged: takes its steps once more, in ascending order, and for a few of them the kernels of
 * a few ranks. Cost: one pass over the digests; footprint: what {@link HeatMap} and {@link KernelPicture} state.
 */
public final class AttemptReporter {
    /** Incidents whose kernels are shown. */
    private static final int MOST_INCIDENTS = 4;

    private final JobShape shape;
    private final StepSeries.Builder series;
    private final HeatMapBuilder heat;
    private final WaitPairs pairs;
    private final WaitTableBuilder waits;
    private final Events<?> events;
    private final List<KernelPictureBuilder> kernels = new ArrayList<>();

    /**
     * Prepares.
     *
     * @param shape the attempt
     * @param names names of kernels and groups
     * @param thresholds as the attempt was judged by
     * @param said its incidents and observations, incidents first
     * @param steps the steps that will come, ascending
     */
    public AttemptReporter(JobShape shape, NameTable names, Thresholds thresholds, List<Incident> said, long[] steps) {
        this.shape = shape;
        DetectorGraph graph = new DetectorGraph(shape, names, thresholds);
        series = new StepSeries.Builder(shape, steps.length);
        RankSet suspects = said.stream()
                .filter(i -> i.kind().isIncident())
                .map(Incident::ranks)
                .reduce(RankSet.EMPTY, RankSet::union);
        heat = new HeatMapBuilder(shape, suspects, steps.length);
        pairs = new WaitPairs(shape, graph);
        waits = new WaitTableBuilder(shape, suspects);
        events = new Events<>(graph.steps().transform());
        said.stream()
                .filter(KernelPictureBuilder::concerns)
                .limit(MOST_INCIDENTS)
                .forEach(i -> kernels.add(new KernelPictureBuilder(i, shape, names, steps)));
    }

    /** Takes one step of all ranks that have it. */
    public void step(long step, List<StepDigest> digests) {
        series.add(step, digests);
        heat.add(step, digests);
        pairs.tell(digests, waits);
        digests.forEach(events::take);
    }

    /** Ranks whose kernels are wanted in a step; mostly none. */
    public RankSet kernelRanks(long step) {
        return kernels.stream().map(k -> k.wanted(step)).reduce(RankSet.EMPTY, RankSet::union);
    }

    /** Takes the kernels of a rank in one step that is not cut. */
    public void kernels(KernelWindow window) {
        kernels.forEach(k -> k.take(window));
    }

    /** The report. */
    public AttemptReport build() {
        return new AttemptReport(
                shape.attempt(),
                List.copyOf(shape.peerLabels()),
                series.build(),
                events.finish(),
                heat.build(),
                waits.build(),
                kernels.stream().flatMap(k -> k.build().stream()).toList());
    }

    /** The detector of steps, alone: it names checkpoints, evaluations and warm-up step by step, and incidents say only where they begin and end. */
    private static final class Events<S> implements Out {
        private final Transform<StepDigest, S> transform;
        private final Map<Long, S> states = new HashMap<>();
        private final Map<IncidentKind, List<Long>> steps = new HashMap<>();

        Events(Transform<StepDigest, S> transform) {
            this.transform = transform;
        }

        void take(StepDigest d) {
            long key = transform.key(d);
            transform.onRecord(states.computeIfAbsent(key, transform::fresh), d, this);
        }

        List<StepEvent> finish() {
            states.values().forEach(s -> transform.onTimer(s, Long.MAX_VALUE, this));
            List<StepEvent> events = new ArrayList<>();
            steps.forEach((kind, list) -> {
                long[] sorted =
                        list.stream().mapToLong(s -> s).sorted().distinct().toArray();
                for (int i = 0; i < sorted.length; ) {
                    int j = i;
                    while (j + 1 < sorted.length && sorted[j + 1] == sorted[j] + 1) {
                        j++;
                    }
                    events.add(new StepEvent(kind.text(), sorted[i], sorted[j]));
                    i = j + 1;
                }
            });
            events.sort(Comparator.comparingLong(StepEvent::firstStep).thenComparing(StepEvent::kind));
            return List.copyOf(events.subList(0, Math.min(AttemptReport.MOST_EVENTS, events.size())));
        }

        @Override
        public void emit(Partial partial) {
            if (partial instanceof StepFinding f) {
                for (long step : f.steps()) {
                    steps.computeIfAbsent(f.kind(), k -> new ArrayList<>()).add(step);
                }
            }
        }

        @Override
        public void timer(long eventNanos) {
            // The recording has an end.
        }

        @Override
        public void loss(String reason) {
            // Counted when the attempt was judged.
        }
    }
}
