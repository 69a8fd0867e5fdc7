package dev.argus.engine;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Draws the conclusion of one attempt from the findings of all levels. */
final class Conclusion {
    /** What was seen in fewer steps is a hiccup, unless it costs much, and never critical in a job that goes on. */
    static final int LASTING_STEPS = 3;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final NameTable names;
    private final Thresholds thresholds;
    private final Horizon horizon;

    Conclusion(Diagnosis.State state, JobShape shape, NameTable names, Thresholds thresholds, Horizon horizon) {
        this.state = state;
        this.shape = shape;
        this.names = names;
        this.thresholds = thresholds;
        this.horizon = horizon;
    }

    /** @param out does pieces of the search, at the same time where it can */
    Concluded draw(Out out) {
        Set<Long> events = eventSteps();
        JobTimes times = new JobTimes(state.references);
        List<Suspect> found = find(events, times, out);
        CostModel cost = new CostModel(times, events);
        cost.price(found);
        double measured = times.measuredNanos();
        Map<Suspect, IncidentRegister.Life> lives = state.register.known(found);
        List<Suspect> suspects =
                horizon.live() ? Spells.joined(found, s -> act(s, lives.get(s), measured, times)) : found;
        IncidentWriter writer =
                new IncidentWriter(state.attempt, shape, stepTimes(), times::measuredNanos, horizon.live());
        List<Incident> incidents = new ArrayList<>();
        List<Incident> observations = new ArrayList<>();
        double claimed = 0;
        Map<Suspect, IncidentRegister.Life> known =
                suspects.size() < found.size() ? state.register.known(suspects) : lives;
        for (Suspect s : suspects) {
            IncidentRegister.Life before = known.get(s);
            boolean act = act(s, before, measured, times);
            IncidentRegister.Life life =
                    state.register.note(s, before, writer.id(s), writer.since(s), act, settled(times));
            boolean again = before != null && (before.raised() || !act); // an observation before it was not heard
            Incident incident = writer.write(s, act, life, again);
            (act ? incidents : observations).add(incident);
            claimed += s.standingNanos > 0 ? 0 : s.costNanos;
        }
        List<Incident> jobEvents = new JobEvents(
                        state,
                        suspects,
                        horizon.live(),
                        s -> write(s, false, state.register.known(List.of(s)).get(s), writer, settled(times)))
                .observe();
        observations.addAll(jobEvents);
        for (Incident e : jobEvents) {
            claimed += e.cost().stepRatio() * measured;
        }
        incidents.sort(Concluded.COSTLY);
        observations.sort(Concluded.COSTLY);
        return new Concluded(
                state.attempt,
                List.copyOf(incidents),
                List.copyOf(observations),
                notes(),
                cost.lostNanos(suspects),
                claimed,
                measured,
                cost.quietSteps(suspects),
                pace(times));
    }

    /** The last step whose price is settled: as far from where it is forgotten as from the newest, whose price the next steps may change. */
    private long settled(JobTimes times) {
        return horizon.live() ? times.newest() - horizon.steps() / 2 : Long.MIN_VALUE;
    }

    private List<Suspect> find(Set<Long> events, JobTimes times, Out out) {
        List<Suspect> suspects = new ArrayList<>();
        suspects.addAll(new RankSuspects(state, shape, names, thresholds, events, times, horizon.live()).find());
        new LaunchSuspects(state, shape, events, times, horizon.live()).join(suspects);
        new ShiftSuspects(state, shape, events, times).join(suspects);
        suspects.addAll(new KernelSuspects(state, shape, names, thresholds, events, times).find(suspects));
        suspects.addAll(new LinkSuspects(state.transfers, shape, times, events, looks()).find(out));
        suspects.addAll(new MissingSuspects(state.transfers, shape, times, events).find(suspects));
        suspects.addAll(new SlowStages(state, shape, names).find(suspects));
        suspects.addAll(new JobSuspects(state, shape, thresholds).find(suspects));
        return suspects;
    }

    private Pace pace(JobTimes times) {
        NavigableMap<Long, long[]> steps = stepTimes();
        return Pace.of(
                state.references.stream().toList(),
                times,
                steps.isEmpty() ? 0 : steps.firstEntry().getValue()[0],
                steps.isEmpty() ? 0 : steps.lastEntry().getValue()[1]);
    }

    private Incident write(
            Suspect s, boolean act, IncidentRegister.@Nullable Life before, IncidentWriter writer, long settled) {
        IncidentRegister.Life life = state.register.note(s, before, writer.id(s), writer.since(s), act, settled);
        return writer.write(s, act, life, before != null);
    }

    /** Conclusions drawn, this one among them: each could have been the one that chance picks. */
    private long looks() {
        return state.register.conclusions() + 1;
    }

    /**
     * True when an operator should act: it costs its share of the steps measured; half of that where it was raised before. Of a job that goes on
     * what lasts must cost its share of the steps since it began, so that it is said soon; what is over, or was seen in one or two steps, of the
     * whole horizon: every job has hiccups, and nobody can mend them. What was seen in the newest step only may be one half of a moment of all ({@link CommonMoments}): the next step tells.
     */
    private boolean act(Suspect s, IncidentRegister.@Nullable Life before, double measured, JobTimes times) {
        boolean raised = before != null && before.raised();
        double floor = thresholds.incidentFloorRatio() * (raised ? IncidentRegister.KEEP_SHARE : 1);
        if (horizon.live() && !raised && s.claims.size() < LASTING_STEPS && s.lastStep() >= times.newest()) {
            return false;
        }
        double of = horizon.live() ? liveNanos(s, raised, times) : measured;
        return s.kind.isIncident() && !s.observation && of > 0 && s.costNanos >= floor * of;
    }

    private double liveNanos(Suspect s, boolean raised, JobTimes times) {
        long since = times.newest() - s.firstStep() + 1;
        boolean lasts = s.activeSteps >= LASTING_STEPS
                && (raised || s.lastStep() > times.newest() - IncidentRegister.HOLD_STEPS);
        return times.typicalNanos() * (lasts ? Math.min(horizon.steps(), since) : horizon.steps());
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
        state.untold.forEach(u -> notes.add(u.note()));
        return notes;
    }
}
