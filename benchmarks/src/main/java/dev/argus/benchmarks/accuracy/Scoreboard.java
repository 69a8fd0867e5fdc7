package dev.argus.benchmarks.accuracy;

import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import dev.argus.simulator.AcceptedKinds;
import dev.argus.simulator.FaultTruth;
import dev.argus.simulator.Layout;
import dev.argus.simulator.Truth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The rules of the scoreboard (field notes, section 5). A fault is hit by an alarm that names one of its acceptable suspects and
 * not too many ranks, min(8, max(1, world / 4)) unless more are at fault; exactly, when it names no innocent. A fault of
 * everybody is hit by an alarm of its kind that names nobody, or at least half. Steps are right inside the fault's, one of
 * tolerance, over half of them (a third of a ramp). An alarm that hits no fault is false.
 *
 * <p>One departure: for a fault that is not strong an observation of the right kind is as good as an alarm, and saying nothing
 * is a miss. The scoreboard draws the line at 1.5 % of the step and forgives silence below.
 */
public final class Scoreboard {
    private static final int MOST_RANKS = 8;

    /** Observations come after all alarms. */
    private static final int OBSERVED = 1000;

    private final Layout layout;
    private final boolean strong;
    private final Truth truth;
    private final Answer answer;
    private final Set<FaultTruth> observed = new HashSet<>();
    private final Set<Incident> used = new HashSet<>();
    private final Set<Incident> right = new HashSet<>();

    private Scoreboard(Layout layout, boolean strong, Truth truth, Answer answer) {
        this.layout = layout;
        this.strong = strong;
        this.truth = truth;
        this.answer = answer;
    }

    /** Holds an answer against the truth about a job; where its faults are strong, observations do not count. */
    public static Score score(Layout layout, boolean strong, Truth truth, Answer answer) {
        return new Scoreboard(layout, strong, truth, answer).score();
    }

    /** The alarms that name a fault and no innocent, in order. */
    static List<Incident> naming(Layout layout, Truth truth, FaultTruth fault, Answer answer) {
        return new Scoreboard(layout, true, truth, answer)
                .matches(fault).stream()
                        .filter(m -> m.innocents == 0)
                        .map(Match::said)
                        .toList();
    }

    private Score score() {
        List<FaultScore> faults = new ArrayList<>();
        boolean first = true;
        double costliest = -1;
        for (FaultTruth fault : truth.faults()) {
            List<Match> matches = matches(fault);
            faults.add(best(fault, matches));
            if (fault.nanos() > costliest) {
                costliest = fault.nanos();
                first = leads(matches);
            }
        }
        List<Incident> wrong =
                answer.incidents().stream().filter(i -> !used.contains(i)).toList();
        return new Score(List.copyOf(faults), wrong, first, findings());
    }

    /** One of what was said that names a fault. */
    private record Match(Incident said, RankSet named, int innocents, boolean kind, boolean steps, int position) {
        static final Comparator<Match> BETTER = Comparator.comparing((Match m) -> m.innocents == 0)
                .thenComparing(Match::kind)
                .thenComparing(Match::steps)
                .thenComparingInt(m -> -m.named.size())
                .thenComparingInt(m -> -m.position);
    }

    private List<Match> matches(FaultTruth fault) {
        List<Match> found = new ArrayList<>();
        int position = 0;
        for (Incident i : answer.incidents()) {
            match(fault, i, position++, found);
        }
        found.forEach(m -> used.add(m.said));
        for (Incident o : answer.observations()) {
            boolean allowed = fault.alsoAcceptable().contains(o.kind().text())
                    || (o.kind().isIncident() && kindRight(fault, o));
            if (allowed) {
                match(fault, o, OBSERVED + position++, found);
            }
        }
        found.stream().filter(m -> m.innocents == 0 && m.kind).forEach(m -> right.add(m.said));
        List<Match> counted = found.stream()
                .filter(m -> m.position < OBSERVED || mayBeObserved(fault, m.said))
                .toList();
        if (counted.isEmpty() && !found.isEmpty()) {
            observed.add(fault);
        }
        return counted;
    }

    private boolean mayBeObserved(FaultTruth fault, Incident observation) {
        return !strong
                || (!observation.kind().isIncident()
                        && fault.alsoAcceptable().contains(observation.kind().text()));
    }

    private void match(FaultTruth fault, Incident said, int position, List<Match> to) {
        RankSet named = named(said);
        boolean kind = kindRight(fault, said);
        int innocents = 0;
        if (fault.scope().equals("ranks")) {
            int suspects = fault.suspects().size();
            int cap = Math.max(mostRanks(layout), suspects);
            boolean everybody = named.size() >= layout.world() && layout.world() > suspects;
            if (named.stream().noneMatch(fault.suspects()::contains) || named.size() > cap || everybody) {
                return;
            }
            innocents = (int) named.stream().filter(r -> blameless(fault, r)).count();
        } else if (!kind || (fault.scope().equals("global") && !whole(named))) {
            return;
        }
        to.add(new Match(said, named, innocents, kind, stepsRight(fault, said), position));
    }

    /** Ranks that one accusation may name, unless more are at fault. */
    static int mostRanks(Layout layout) {
        return Math.min(MOST_RANKS, Math.max(1, layout.world() / 4));
    }

    private boolean blameless(FaultTruth fault, int rank) {
        return truth.mustNotBlame().isEmpty()
                ? !fault.suspects().contains(rank)
                : truth.mustNotBlame().contains(rank);
    }

    private boolean whole(RankSet named) {
        return named.isEmpty() || 2 * named.size() >= layout.world();
    }

    private RankSet named(Incident said) {
        if (!said.ranks().isEmpty()) {
            return said.ranks();
        }
        int[] ranks = IntStream.range(0, layout.hosts())
                .filter(h -> said.hosts().contains(layout.hostName(h)))
                .flatMap(h -> IntStream.of(layout.ranksOn(h)))
                .toArray();
        return RankSet.of(ranks);
    }

    private static boolean kindRight(FaultTruth fault, Incident said) {
        return AcceptedKinds.accepts(fault.fault().kind(), fault.alsoAcceptable(), said.kind());
    }

    private static boolean stepsRight(FaultTruth fault, Incident said) {
        long from = said.firstStep();
        long to = said.lastStep();
        if (from < 0 || from < fault.firstStep() - 1 || to > fault.lastStep() + 1) {
            return false;
        }
        double need =
                (fault.lastStep() - fault.firstStep() + 1) / (fault.fault().ramp() ? 3.0 : 2.0);
        return to - from + 1 >= need;
    }

    private FaultScore best(FaultTruth fault, List<Match> matches) {
        FaultScore none = new FaultScore(fault, null, RankSet.EMPTY, 0, false, false, observed.contains(fault));
        return matches.stream()
                .max(Match.BETTER)
                .map(m -> new FaultScore(fault, m.said, m.named, m.innocents, m.kind, m.steps, false))
                .orElse(none);
    }

    private boolean leads(List<Match> matches) {
        return answer.incidents().isEmpty()
                ? !matches.isEmpty()
                : matches.stream().anyMatch(m -> m.position == 0);
    }

    private List<Score.Finding> findings() {
        List<Score.Finding> list = new ArrayList<>();
        for (Incident i : answer.incidents()) {
            list.add(new Score.Finding(i.confidence(), right.contains(i)));
        }
        for (Incident o : answer.observations()) {
            if (o.kind().isIncident()) {
                list.add(new Score.Finding(o.confidence(), right.contains(o)));
            }
        }
        return List.copyOf(list);
    }
}
