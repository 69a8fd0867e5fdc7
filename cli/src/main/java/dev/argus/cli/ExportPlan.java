package dev.argus.cli;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Level;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Topology;
import dev.argus.model.TraceFacts;
import dev.argus.model.Verdict;
import dev.argus.trace.export.TimelineCut;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What of a diagnosed job is worth looking at: the suspects of the incidents and some of their peers, around the start of the most costly
 * incident; of a healthy job some ranks in the middle.
 *
 * @param cut what to keep
 * @param words the same in words
 */
record ExportPlan(TimelineCut cut, String words) {
    /** Dimensions over which a model is spread: ranks apart along them do other work. */
    private static final Set<String> MODEL = Set.of("tp", "cp", "ep", "pp", Topology.unnamed(1));

    private static final int MAX_SUSPECTS = 8;
    private static final int MAX_PEERS = 4;
    private static final int MAX_RANKS_WITHOUT = 8;

    /** Steps after the first affected one; the one before it is shown too. */
    private static final int STEPS_AFTER = 2;

    static ExportPlan of(Verdict verdict, ExportArguments arguments) {
        if (arguments.all()) {
            return new ExportPlan(TimelineCut.ALL, "all ranks and steps");
        }
        List<Incident> worth = verdict.incidents().isEmpty() ? standingOut(verdict) : verdict.incidents();
        Incident focus =
                worth.stream().filter(i -> i.firstStep() >= 0).findFirst().orElse(null);
        int attempt = focus != null
                ? focus.attempt()
                : verdict.traces().stream().mapToInt(TraceFacts::attempt).max().orElse(0);
        RankSet asked = arguments.ranks();
        RankSet ranks =
                asked != null ? asked : worth.isEmpty() ? some(verdict, attempt) : suspects(verdict, worth, attempt);
        // A rank whose number is not known cannot be chosen by it.
        boolean numbered = verdict.traces().stream().anyMatch(f -> f.rank() >= 0);
        RankSet kept = numbered || asked != null ? ranks : null;
        ExportArguments.Steps steps = steps(verdict.job(), focus, arguments.steps());
        String why = asked != null && arguments.steps() != null
                ? "as asked"
                : worth.isEmpty() ? "no incident" : worth.getFirst().kind().text();
        return new ExportPlan(
                cut(attempt, kept, steps), why + ": " + words(kept, asked == null && !worth.isEmpty(), steps));
    }

    /** What was asked for, where no diagnosis can say what is worth looking at. */
    static ExportPlan undiagnosed(ExportArguments arguments, String failure) {
        return new ExportPlan(
                cut(-1, arguments.ranks(), arguments.steps()),
                "not diagnosed (" + failure + "): " + words(arguments.ranks(), false, arguments.steps()));
    }

    private static TimelineCut cut(int attempt, @Nullable RankSet ranks, ExportArguments.@Nullable Steps steps) {
        return new TimelineCut(
                attempt,
                ranks,
                steps == null ? Long.MIN_VALUE : steps.first(),
                steps == null ? Long.MAX_VALUE : steps.last(),
                Long.MIN_VALUE,
                Long.MAX_VALUE);
    }

    private static String words(@Nullable RankSet ranks, boolean chosen, ExportArguments.@Nullable Steps steps) {
        String who = ranks == null ? "all files" : ranks(ranks) + (chosen ? " (suspects and peers)" : "");
        return who + (steps == null ? ", all steps" : ", steps " + Math.max(0, steps.first()) + " to " + steps.last());
    }

    private static String ranks(RankSet ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ") + ranks;
    }

    /** What can be chosen: {@code ranks 0-15, steps 20 to 28}. */
    static String available(Verdict verdict) {
        RankSet ranks =
                RankSet.of(verdict.traces().stream().mapToInt(TraceFacts::rank).filter(r -> r >= 0));
        return (ranks.isEmpty() ? "no numbered rank" : ranks(ranks))
                + (verdict.job().firstStep() < 0
                        ? ", no steps"
                        : ", steps " + verdict.job().firstStep() + " to "
                                + verdict.job().lastStep());
    }

    /** The steps asked for; else those around the beginning of an incident, or in the middle; null for all. */
    private static ExportArguments.@Nullable Steps steps(
            Verdict.Job job, @Nullable Incident focus, ExportArguments.@Nullable Steps asked) {
        if (asked != null || job.firstStep() < 0) {
            return asked;
        }
        long middle = job.firstStep() + (job.lastStep() - job.firstStep()) / 2;
        return focus == null
                ? new ExportArguments.Steps(middle - 1, middle + 1)
                : new ExportArguments.Steps(
                        focus.firstStep() - 1,
                        Math.max(focus.firstStep(), Math.min(focus.lastStep(), focus.firstStep() + STEPS_AFTER)));
    }

    /** Where stacks alone tell who is not where all others wait, that is who to look at. */
    private static List<Incident> standingOut(Verdict verdict) {
        return verdict.observations().stream()
                .filter(o -> o.levels().contains(Level.L5) && !o.ranks().isEmpty())
                .toList();
    }

    private static RankSet suspects(Verdict verdict, List<Incident> worth, int attempt) {
        List<Incident> incidents =
                worth.stream().filter(i -> i.attempt() == attempt).toList();
        RankSet read = read(verdict, attempt);
        RankSet suspects = RankSet.of(incidents.stream()
                .flatMapToInt(i -> IntStream.concat(slowGroups(i, read), i.ranks().stream()))
                .distinct()
                .limit(MAX_SUSPECTS));
        return suspects.isEmpty()
                ? some(verdict, attempt)
                : suspects.union(peers(verdict, incidents, suspects, attempt));
    }

    /** Of a link its slow groups, each from end to end: who waits for the transfer shows it, whoever is behind the link. */
    private static IntStream slowGroups(Incident i, RankSet read) {
        boolean link = EnumSet.of(Scope.PAIR, Scope.RAIL, Scope.SWITCH, Scope.NVLINK_DOMAIN)
                        .contains(i.scope())
                || i.kind() == IncidentKind.LINK_DEGRADED
                || i.kind() == IncidentKind.NVLINK_DEGRADED
                || i.kind() == IncidentKind.FABRIC_CONGESTION;
        if (!link) {
            return IntStream.empty();
        }
        List<RankSet> groups = i.groups().stream()
                .map(g -> g.ranks().intersect(read))
                .filter(g -> g.size() > 1)
                .toList();
        return groups.stream().flatMapToInt(g -> IntStream.concat(i.ranks().intersect(g).stream(), g.stream()));
    }

    /** Ranks beside the suspects: of the same data-parallel group or one that is not named, which do the same work; else of the groups the incidents name. */
    private static RankSet peers(Verdict verdict, List<Incident> incidents, RankSet suspects, int attempt) {
        RankSet near = RankSet.EMPTY;
        Topology topology = verdict.job().topology();
        for (int rank : suspects.toArray()) {
            for (String name : topology.order()) {
                if (rank < topology.worldSize() && !MODEL.contains(name)) {
                    near = near.union(topology.group(rank, name));
                }
            }
        }
        if (near.minus(suspects).isEmpty()) {
            for (Incident i : incidents) {
                for (ParallelGroup group : i.groups()) {
                    near = near.union(group.ranks());
                }
            }
        }
        RankSet read = read(verdict, attempt);
        RankSet others = (near.minus(suspects).isEmpty() ? read : near.intersect(read)).minus(suspects);
        int of = suspects.get(0);
        return RankSet.of(others.stream()
                .boxed()
                .sorted(Comparator.comparingInt(r -> Math.abs(r - of)))
                .limit(MAX_PEERS)
                .toList());
    }

    private static RankSet some(Verdict verdict, int attempt) {
        return RankSet.of(read(verdict, attempt).stream().limit(MAX_RANKS_WITHOUT));
    }

    private static RankSet read(Verdict verdict, int attempt) {
        return RankSet.of(verdict.traces().stream()
                .filter(f -> f.attempt() == attempt && f.rank() >= 0)
                .mapToInt(TraceFacts::rank));
    }
}
