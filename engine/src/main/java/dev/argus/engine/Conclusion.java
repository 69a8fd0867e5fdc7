package dev.argus.engine;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Draws the conclusion of one attempt from the findings of all levels. */
final class Conclusion {
    private final Diagnosis.State state;
    private final JobShape shape;
    private final NameTable names;
    private final Thresholds thresholds;

    Conclusion(Diagnosis.State state, JobShape shape, NameTable names, Thresholds thresholds) {
        this.state = state;
        this.shape = shape;
        this.names = names;
        this.thresholds = thresholds;
    }

    Concluded draw() {
        Set<Long> events = eventSteps();
        JobTimes times = new JobTimes(state.references);
        List<Suspect> suspects = new ArrayList<>();
        suspects.addAll(new RankSuspects(state, shape, names, thresholds, events, times).find());
        new LaunchSuspects(state, shape, events, times).join(suspects);
        new ShiftSuspects(state, shape, events, times).join(suspects);
        suspects.addAll(new KernelSuspects(state, shape, names, thresholds, events, times).find(suspects));
        suspects.addAll(new LinkSuspects(state.transfers, shape, times, events).find());
        suspects.addAll(new MissingSuspects(state.transfers, shape, times, events).find(suspects));
        suspects.addAll(new JobSuspects(state, shape, thresholds).find());
        CostModel cost = new CostModel(times, events);
        cost.price(suspects);
        double measured = times.measuredNanos();
        IncidentWriter writer = new IncidentWriter(state.attempt, shape, stepTimes(), measured, thresholds);
        List<Incident> incidents = new ArrayList<>();
        List<Incident> observations = new ArrayList<>();
        double claimed = 0;
        for (Suspect s : suspects) {
            Incident incident = writer.write(s);
            boolean act = s.kind.isIncident()
                    && !s.observation
                    && incident.cost().stepRatio() >= thresholds.incidentFloorRatio();
            (act ? incidents : observations).add(incident);
            claimed += s.standingNanos > 0 ? 0 : s.costNanos;
        }
        List<Incident> jobEvents = new JobEvents(state, suspects, writer).observe();
        observations.addAll(jobEvents);
        for (Incident e : jobEvents) {
            claimed += e.cost().stepRatio() * measured;
        }
        Comparator<Incident> costly = Comparator.comparingDouble(
                        (Incident i) -> -i.cost().stepRatio())
                .thenComparing(Incident::id);
        incidents.sort(costly);
        observations.sort(costly);
        return new Concluded(
                state.attempt,
                List.copyOf(incidents),
                List.copyOf(observations),
                notes(),
                cost.lostNanos(suspects),
                claimed,
                measured);
    }

    /** Steps in which the whole job did something else than training. */
    private Set<Long> eventSteps() {
        Set<Long> steps = new HashSet<>();
        for (StepFinding f : state.steps) {
            if (f.kind() != IncidentKind.TRANSIENT) {
                for (long s : f.steps()) {
                    steps.add(s);
                }
            }
        }
        return steps;
    }

    private NavigableMap<Long, long[]> stepTimes() {
        NavigableMap<Long, long[]> map = new TreeMap<>();
        for (StepTimes t : state.times) {
            for (int i = 0; i < t.steps().length; i++) {
                map.put(t.steps()[i], new long[] {t.startNanos()[i], t.endNanos()[i]});
            }
        }
        return map;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (state.ledger.isEmpty() && shape.ranks().size() > 1) {
            notes.add("ledger: no collectives could be matched across ranks, so waits have no owner");
        }
        return notes;
    }
}
