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

    /** So many steps beside its first one, a beginning is right. */
    private static final int SINCE_STEPS = 3;

    /**
     * What the judge says.
     *
     * @param match how right it was; null when nothing was said of a fault
     * @param fault the fault; null when there was none like it
     * @param step the step that ran when it was said
     * @param since the first step as it was said; -1 when nothing was
     */
    record Judgement(@Nullable Match match, @Nullable LiveFault fault, int step, long since) {
        /** True if it was said to have begun when it did. */
        boolean sinceRight() {
            return fault == null || since < 0 || DemoJudge.sinceRight(fault, since);
        }

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
     * @param otherKind of these, named by place and taken for another kind to the end
     * @param otherKindFirst of those named right, taken for another kind at first
     * @param otherSince of all that were named, said last with another beginning
     * @param missed of these, not named
     * @param wrong verdicts about what was not injected
     * @param medianSteps median of steps from beginning to right verdict, -1 without any
     */
    record Summary(
            int faults,
            int right,
            int otherKind,
            int otherKindFirst,
            int otherSince,
            int missed,
            int wrong,
            int medianSteps) {}

    private final Layout layout;
    private final Map<Integer, Match> said = new HashMap<>();
    private final Set<Integer> otherKindFirst = new HashSet<>();
    private final Set<Integer> otherSince = new HashSet<>();
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
            return wrong.add(i.id()) ? new Judgement(Match.WRONG, null, now.step(), i.firstStep()) : null;
        }
        if (sinceRight(best, i.firstStep())) {
            otherSince.remove(best.number());
        } else {
            otherSince.add(best.number());
        }
        Match before = said.get(best.number());
        if (before != null && before.compareTo(match) <= 0) {
            return null;
        }
        said.put(best.number(), match);
        Judgement judgement = new Judgement(match, best, now.step(), i.firstStep());
        if (match == Match.RIGHT) {
            delays.add(judgement.stepsAfter());
            if (before == Match.OTHER_KIND) {
                otherKindFirst.add(best.number());
            }
        }
        return judgement;
    }

    private static boolean sinceRight(LiveFault fault, long since) {
        return Math.abs(since - fault.firstStep()) <= SINCE_STEPS;
    }

    /** The faults that are over and of which nothing was said, each once. */
    List<Judgement> missed(DemoMoment now) {
        List<Judgement> found = new ArrayList<>();
        for (LiveFault f : now.faults()) {
            if (now.step() > f.lastStep() + PATIENCE && !said.containsKey(f.number()) && missed.add(f.number())) {
                found.add(new Judgement(null, f, now.step(), -1));
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
                otherKindFirst.size(),
                otherSince.size(),
                missed.size(),
                wrong.size(),
                sorted.isEmpty() ? -1 : sorted.get(sorted.size() / 2));
    }
}
