package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Observations about steps that took longer for the whole job: by name where all ranks did the same thing. */
final class JobEvents {
    private final Diagnosis.State state;
    private final List<Suspect> suspects;
    private final Function<Suspect, Incident> writer;

    JobEvents(Diagnosis.State state, List<Suspect> suspects, Function<Suspect, Incident> writer) {
        this.state = state;
        this.suspects = suspects;
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
            Suspect s = new Suspect(f.kind(), Scope.JOB, RankSet.EMPTY, "");
            s.observation = true;
            for (int i = 0; i < f.steps().length; i++) {
                boolean mine = f.kind() != IncidentKind.TRANSIENT || !explained.contains(f.steps()[i]);
                if (mine) {
                    s.claims.put(f.steps()[i], f.excessNanos()[i]);
                }
            }
            if (s.claims.isEmpty()) {
                continue;
            }
            s.costNanos = s.totalClaim();
            s.activeSteps = s.claims.size();
            s.levels.add(Level.L1);
            long[] steps = steps(s);
            long every = f.kind() == IncidentKind.TRANSIENT ? Rhythm.of(steps) : -1;
            int times = Rhythm.times(steps).size();
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
                    (f.typicalNanos() + f.excessNanos()[longest(f)]) / 1e6,
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
            list.add(writer.apply(s));
        }
        return list;
    }

    private static long[] steps(Suspect s) {
        return s.claims.keySet().stream().mapToLong(step -> step).sorted().toArray();
    }

    private static int longest(StepFinding f) {
        int at = 0;
        for (int i = 1; i < f.excessNanos().length; i++) {
            at = f.excessNanos()[i] > f.excessNanos()[at] ? i : at;
        }
        return at;
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
