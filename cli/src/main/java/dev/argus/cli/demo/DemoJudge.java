package dev.argus.cli.demo;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.simulator.Layout;
import dev.argus.simulator.LiveFault;
import dev.argus.simulator.LiveFault.Match;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds what is said against what was injected. Pure; one thread. State: one entry a fault. */
final class DemoJudge {
    /** What was said of a fault may touch so many steps around it. */
    private static final int AROUND = 1;

    /** A fault is missed when nothing was said of it so many steps after its last one. */
    private static final int PATIENCE = 6;

    /**
     * What the judge says.
     *
     * @param match how right it was; null when nothing was said of a fault
     * @param fault the fault; null when there was none like it
     * @param step the step that ran when it was said
     */
    record Judgement(@Nullable Match match, @Nullable LiveFault fault, int step) {
        /** Steps from the beginning of the fault to the verdict. */
        int stepsAfter() {
            return fault == null ? 0 : step - fault.firstStep();
        }
    }

    /**
     * All in all.
     *
     * @param faults faults judged
     * @param right of these, named right
     * @param otherKind of these, named by place and taken for another kind
     * @param missed of these, not named
     * @param wrong verdicts about what was not injected
     * @param medianSteps median of steps from beginning to right verdict, -1 without any
     */
    record Summary(int faults, int right, int otherKind, int missed, int wrong, int medianSteps) {}

    private final Layout layout;
    private final Map<Integer, Match> said = new HashMap<>();
    private final Set<Integer> missed = new HashSet<>();
    private final Set<String> wrong = new HashSet<>();
    private final List<Integer> delays = new ArrayList<>();

    DemoJudge(Layout layout) {
        this.layout = layout;
    }

    /** Judges a change; null when it claims nothing, or nothing that was not judged before. */
    @Nullable
    Judgement judge(IncidentChange change, DemoMoment now) {
        Incident i = change.incident();
        if (change.kind() != IncidentChange.Kind.OPENED && change.kind() != IncidentChange.Kind.CHANGED) {
            return null;
        }
        LiveFault best = null;
        Match match = Match.WRONG;
        for (LiveFault f : now.faults()) {
            boolean when = i.lastStep() >= f.firstStep() - AROUND && i.firstStep() <= f.lastStep() + AROUND;
            Match m = when ? f.match(i, layout) : Match.WRONG;
            if (m.compareTo(match) < 0) {
                match = m;
                best = f;
            }
        }
        if (best == null) {
            return wrong.add(i.id()) ? new Judgement(Match.WRONG, null, now.step()) : null;
        }
        Match before = said.get(best.number());
        if (before != null && before.compareTo(match) <= 0) {
            return null;
        }
        said.put(best.number(), match);
        Judgement judgement = new Judgement(match, best, now.step());
        if (match == Match.RIGHT) {
            delays.add(judgement.stepsAfter());
        }
        return judgement;
    }

    /** The faults that are over and of which nothing was said, each once. */
    List<Judgement> missed(DemoMoment now) {
        List<Judgement> found = new ArrayList<>();
        for (LiveFault f : now.faults()) {
            if (now.step() > f.lastStep() + PATIENCE && !said.containsKey(f.number()) && missed.add(f.number())) {
                found.add(new Judgement(null, f, now.step()));
            }
        }
        return found;
    }

    /** All in all. */
    Summary summary() {
        List<Integer> sorted = delays.stream().sorted().toList();
        return new Summary(
                said.size() + missed.size(),
                delays.size(),
                said.size() - delays.size(),
                missed.size(),
                wrong.size(),
                sorted.isEmpty() ? -1 : sorted.get(sorted.size() / 2));
    }
}
