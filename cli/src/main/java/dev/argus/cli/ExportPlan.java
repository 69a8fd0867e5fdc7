package dev.argus.cli;

import dev.argus.model.Incident;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.model.TraceFacts;
import dev.argus.model.Verdict;
import dev.argus.trace.export.TimelineCut;
import java.util.Comparator;
import java.util.List;

/**
 * What of a diagnosed job is worth looking at: the suspects of the incidents and some of their peers, around the start of the most costly
 * incident; of a healthy job some ranks in the middle.
 *
 * @param cut what to keep
 * @param words the same in words
 */
record ExportPlan(TimelineCut cut, String words) {
    private static final int MAX_SUSPECTS = 8;
    private static final int MAX_PEERS = 4;
    private static final int MAX_RANKS_WITHOUT = 8;

    /** Steps after the first affected one; the one before it is shown too. */
    private static final int STEPS_AFTER = 2;

    static ExportPlan of(Verdict verdict, ExportArguments arguments) {
        if (arguments.all()) {
            return new ExportPlan(TimelineCut.ALL, "all ranks and steps");
        }
        Incident focus = verdict.incidents().stream()
                .filter(i -> i.firstStep() >= 0)
                .findFirst()
                .orElse(null);
        int attempt = focus != null
                ? focus.attempt()
                : verdict.traces().stream().mapToInt(TraceFacts::attempt).max().orElse(0);
        Verdict.Job job = verdict.job();
        long middle = job.firstStep() + (job.lastStep() - job.firstStep()) / 2;
        long first = focus == null ? middle - 1 : focus.firstStep() - 1;
        long last = focus == null
                ? middle + 1
                : Math.max(focus.firstStep(), Math.min(focus.lastStep(), focus.firstStep() + STEPS_AFTER));
        if (job.firstStep() < 0) {
            first = Long.MIN_VALUE;
            last = Long.MAX_VALUE;
        }
        String why = focus == null ? "no incident" : focus.kind().text();
        RankSet ranks = arguments.ranks();
        if (ranks == null) {
            ranks = focus == null ? some(verdict, attempt) : suspects(verdict, attempt);
            why += focus == null ? "" : ", suspects and peers";
        }
        ExportArguments.Steps steps = arguments.steps();
        if (steps != null) {
            first = steps.first();
            last = steps.last();
        }
        // A rank whose number is not known cannot be chosen by it.
        boolean numbered = verdict.traces().stream().anyMatch(f -> f.rank() >= 0);
        RankSet kept = numbered || arguments.ranks() != null ? ranks : null;
        String words = why + ": " + (kept == null ? "all files" : "ranks " + kept)
                + (first == Long.MIN_VALUE ? ", all steps" : ", steps " + Math.max(0, first) + " to " + last);
        return new ExportPlan(new TimelineCut(attempt, kept, first, last, Long.MIN_VALUE, Long.MAX_VALUE), words);
    }

    private static RankSet suspects(Verdict verdict, int attempt) {
        List<Incident> incidents =
                verdict.incidents().stream().filter(i -> i.attempt() == attempt).toList();
        int[] named = incidents.stream()
                .flatMapToInt(i -> i.ranks().stream())
                .distinct()
                .limit(MAX_SUSPECTS)
                .toArray();
        if (named.length == 0) {
            return some(verdict, attempt);
        }
        RankSet suspects = RankSet.of(named);
        return suspects.union(peers(verdict, incidents, suspects, attempt));
    }

    /** Ranks beside the suspects: of the same data-parallel group, which do the same work; else of the groups the incidents name. */
    private static RankSet peers(Verdict verdict, List<Incident> incidents, RankSet suspects, int attempt) {
        RankSet near = RankSet.EMPTY;
        Topology topology = verdict.job().topology();
        for (int rank : suspects.toArray()) {
            if (topology.size("dp") > 1 && rank < topology.worldSize()) {
                near = near.union(topology.group(rank, "dp"));
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
                .mapToInt(Integer::intValue)
                .toArray());
    }

    private static RankSet some(Verdict verdict, int attempt) {
        return RankSet.of(
                read(verdict, attempt).stream().limit(MAX_RANKS_WITHOUT).toArray());
    }

    private static RankSet read(Verdict verdict, int attempt) {
        return RankSet.of(verdict.traces().stream()
                .filter(f -> f.attempt() == attempt && f.rank() >= 0)
                .mapToInt(TraceFacts::rank)
                .distinct()
                .toArray());
    }
}
