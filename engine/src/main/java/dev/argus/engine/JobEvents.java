package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Observations about steps that took longer for the whole job: by name where all ranks did the same thing. */
final class JobEvents {
    private final Diagnosis.State state;
    private final List<Suspect> suspects;
    private final boolean live;
    private final Function<Suspect, Incident> writer;

    /** @param live of a job that goes on, long steps that lie apart are observed apart */
    JobEvents(Diagnosis.State state, List<Suspect> suspects, boolean live, Function<Suspect, Incident> writer) {
        this.state = state;
        this.suspects = suspects;
        this.live = live;
        this.writer = writer;
    }

    List<Incident> observe() {
        Set<Long> explained = new HashSet<>();
        for (Suspect s : suspects) {
            // Whoever writes a checkpoint alone is waited for by all: these steps are that checkpoint's.
            if (s.kind.isIncident() || s.kind == IncidentKind.CHECKPOINT) {
                s.disturbed().forEach(step -> {
                    explained.add(step);
                    explained.add(step + 1);
                });
            }
        }
        List<Incident> list = new ArrayList<>();
        for (StepFinding f : state.steps) {
            boolean untold = f.kind() == IncidentKind.TRANSIENT;
            TreeMap<Long, Double> excess = new TreeMap<>();
            for (int i = 0; i < f.steps().length; i++) {
                long step = f.steps()[i];
                if (!untold || !(explained.contains(step) || toldBefore(step))) {
                    excess.put(step, f.excessNanos()[i]);
                }
            }
            List<Long> steps = List.copyOf(excess.keySet());
            long every = untold ? Rhythm.of(array(steps)) : -1;
            List<List<Long>> times =
                    live && untold && every < 0 ? QuietTimes.split(steps, step -> new long[] {step}) : List.of(steps);
            times.stream().filter(t -> !t.isEmpty()).forEach(t -> list.add(writer.apply(suspect(f, t, excess, every))));
        }
        return list;
    }

    /** True in the steps of an incident of a job that goes on that is over, and of which nobody speaks any more: links are forgotten earlier than steps. */
    private boolean toldBefore(long step) {
        return live
                && state.register.lives().stream()
                        .anyMatch(l -> l.raised()
                                && l.said() < state.register.conclusions()
                                && l.firstStep() <= step
                                && l.lastStep() + 1 >= step);
    }

    private static Suspect suspect(StepFinding f, List<Long> of, Map<Long, Double> excess, long every) {
        Suspect s = new Suspect(f.kind(), Scope.JOB, RankSet.EMPTY, "");
        s.observation = true;
        of.forEach(step -> s.claims.put(step, excess.getOrDefault(step, 0.0)));
        s.costNanos = s.totalClaim();
        s.activeSteps = s.claims.size();
        s.levels.add(Level.L1);
        int times = Rhythm.times(array(of)).size();
        s.what = every > 0
                ? "paused on all ranks at once every " + every + " steps, " + times + " times"
                : what(f.kind(), s.claims.size());
        s.why = every > 0
                ? "These steps are longer than the typical one for all ranks alike, and come as regularly as what a job does on purpose, such as a checkpoint or an evaluation; nothing in the data marks them as one."
                : f.kind() == IncidentKind.TRANSIENT
                        ? "These steps are longer than the typical one, by the median over the ranks read, and nothing in the data says why."
                        : "All ranks did the same in these steps; they are kept out of what is normal.";
        s.advice = f.kind() == IncidentKind.CHECKPOINT
                ? "If this is too much, write checkpoints less often or beside the training."
                : every > 0
                        ? "If these are checkpoints and take too much, write them less often or beside the training; a range called checkpoint around them would name them."
                        : f.kind() == IncidentKind.TRANSIENT
                                ? "Nothing to act on yet: record more ranks or stacks if it goes on."
                                : "No action needed.";
        s.evidence.add(new Evidence(
                "longest of these steps",
                (f.typicalNanos() + Collections.max(s.claims.values())) / 1e6,
                "ms",
                "typical step of " + Say.time(f.typicalNanos()),
                Double.NaN));
        if (every > 0) {
            s.evidence.add(new Evidence(
                    Evidence.PERIOD,
                    every,
                    "steps",
                    "the same from each of " + times + " times to the next",
                    Double.NaN));
        }
        return s;
    }

    private static long[] array(List<Long> steps) {
        return steps.stream().mapToLong(step -> step).toArray();
    }

    private static String what(IncidentKind kind, int steps) {
        String times = steps == 1 ? "once" : steps + " times";
        return switch (kind) {
            case CHECKPOINT -> "wrote a checkpoint " + times;
            case EVALUATION -> "evaluated " + times;
            case WARMUP -> "warmed up for " + (steps == 1 ? "one step" : steps + " steps");
            default -> "had " + (steps == 1 ? "a long step" : steps + " long steps");
        };
    }
}
