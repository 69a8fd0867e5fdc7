package dev.argus.cli.text;

import dev.argus.model.DataProblem;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import dev.argus.model.Topology;
import dev.argus.model.TraceFacts;
import dev.argus.model.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the data is, what is wrong with it, what was checked. */
final class DataText {
    private static final int MOST_LINES = 20;

    /** Less lost time than this without a cause is what every job has, and nothing to worry about. */
    private static final double LEAST_UNATTRIBUTED_RATIO = 0.01;

    /** Problems with what the user asked for, or gave beside the traces. */
    private static final Set<String> ASKED_FOR = Set.of("topology", "foreign-dumps", "duplicate-rank");

    private DataText() {}

    /** {@code 63 of 64 ranks read; steps 21 to 28}. */
    static String coverage(Verdict verdict) {
        String ranks = isLog(verdict) ? "the job's log, no rank by itself" : ranksRead(verdict.quality());
        return ranks + "; "
                + Numbers.steps(verdict.job().firstStep(), verdict.job().lastStep());
    }

    /** {@code 63 of 64 ranks read}. */
    static String ranksRead(Verdict.Quality quality) {
        if (quality.ranksExpected() <= 0 && quality.ranksRead() <= 0) {
            return "no file tells a rank";
        }
        if (quality.ranksExpected() <= 0) {
            return Numbers.count(quality.ranksRead(), "rank") + " read";
        }
        return Numbers.grouped(quality.ranksRead()) + " of " + Numbers.count(quality.ranksExpected(), "rank") + " read";
    }

    /** Size, layout and pace of the job. */
    static String job(Verdict.Job job) {
        if (job.ranks() <= 0) {
            return "size and topology not known";
        }
        String text = Numbers.count(job.ranks(), "rank");
        text += job.hosts() > 0 ? " on " + Numbers.count(job.hosts(), "host") : "";
        Topology topology = job.topology();
        if (topology.dimensions().isEmpty()) {
            text += "; topology not known";
        } else {
            String sizes = topology.dimensions().stream()
                    .map(dimension -> SafeText.of(dimension.name(), 16) + "=" + dimension.size())
                    .collect(Collectors.joining(","));
            boolean unnamed =
                    topology.dimensions().stream().anyMatch(d -> d.name().matches("dim[1-9]"));
            text += "; topology " + sizes + " (from: " + SafeText.of(topology.source())
                    + (unnamed
                            ? "; what the traces name no dimension of is dim with its place: --topology names it"
                            : "")
                    + ")";
        }
        return job.medianStepNanos() > 0 ? text + "; median step " + Numbers.duration(job.medianStepNanos()) : text;
    }

    /** True if no file has steps or kernels, so that silence says nothing. */
    static boolean withoutTimelines(Verdict verdict) {
        return has(verdict, "no-traces");
    }

    /** True if a log of iterations is all there is to judge. */
    static boolean isLog(Verdict verdict) {
        return has(verdict, "log-only");
    }

    private static boolean has(Verdict verdict, String kind) {
        return verdict.quality().problems().stream()
                .anyMatch(problem -> problem.kind().equals(kind));
    }

    /** What changes the meaning of all the rest, and is said on the card: what was asked for and not done. */
    static List<String> warnings(Verdict verdict) {
        return verdict.quality().problems().stream()
                .filter(problem -> ASKED_FOR.contains(problem.kind()))
                .map(problem -> SafeText.sentence(problem.detail()))
                .toList();
    }

    /** True if something could not be read or trusted, so that silence is no proof of health. */
    static boolean hasGaps(Verdict verdict) {
        Verdict.Quality quality = verdict.quality();
        return quality.ranksRead() < quality.ranksExpected()
                || !quality.problems().isEmpty();
    }

    /** True if no rank has a peer, so that nothing can be said about any. */
    static boolean nothingToCompare(Verdict verdict) {
        Verdict.Quality quality = verdict.quality();
        RankSet alone = quality.problems().stream()
                .filter(problem -> problem.kind().equals("not-comparable"))
                .map(DataProblem::ranks)
                .reduce(RankSet.EMPTY, RankSet::union);
        return quality.ranksRead() == 1 || (!alone.isEmpty() && alone.size() >= quality.ranksRead());
    }

    /** The section about the data; nothing when nothing is wrong. */
    static void quality(Page page, Verdict verdict) {
        List<String> problems = problems(verdict);
        List<String> quarantined = quarantined(verdict.traces());
        if (problems.isEmpty() && quarantined.isEmpty()) {
            return;
        }
        page.heading("Data quality");
        lines(page, problems);
        lines(page, quarantined);
    }

    /** What is wrong with the data, a line each. */
    static List<String> problems(Verdict verdict) {
        return verdict.quality().problems().stream().map(DataText::problem).toList();
    }

    /** The sentences about what was checked and what could not be. */
    static void checked(Page page, Verdict verdict) {
        lines(page, verdict.notes().stream().map(SafeText::sentence).toList());
        unattributed(verdict).forEach(page::bullet);
    }

    /** The part of the loss that nothing explains, if it is worth a line. What long steps cost is observed, and no part of it. */
    static List<String> unattributed(Verdict verdict) {
        boolean longSteps = verdict.observations().stream()
                .anyMatch(o -> o.kind() == IncidentKind.TRANSIENT && o.cost().stepRatio() > 0);
        return verdict.unattributedRatio() >= LEAST_UNATTRIBUTED_RATIO
                ? List.of(Numbers.percent(verdict.unattributedRatio(), 2)
                        + " of the measured time"
                        + (longSteps ? ", beside what the observed long steps cost," : "")
                        + " was lost without a cause that the data could show.")
                : List.of();
    }

    /** True if {@link #checked} has something to say. */
    static boolean hasChecks(Verdict verdict) {
        return !verdict.notes().isEmpty() || verdict.unattributedRatio() >= LEAST_UNATTRIBUTED_RATIO;
    }

    private static String problem(DataProblem problem) {
        String ranks = Suspect.ranks(problem.ranks());
        return SafeText.of(problem.kind())
                + (ranks.isEmpty() ? "" : ", " + ranks)
                + ": "
                + SafeText.sentence(problem.detail());
    }

    /** What was set aside, a line for each reason. */
    static List<String> quarantined(List<TraceFacts> traces) {
        Map<String, long[]> sums = new TreeMap<>();
        for (TraceFacts trace : traces) {
            trace.quarantined().forEach((reason, count) -> {
                long[] sum = sums.computeIfAbsent(reason, key -> new long[2]);
                sum[0] += count;
                sum[1]++;
            });
        }
        return sums.entrySet().stream()
                .filter(entry -> entry.getValue()[0] > 0)
                .map(entry -> Numbers.count(entry.getValue()[0], "event")
                        + " set aside in "
                        + Numbers.count(entry.getValue()[1], "file")
                        + ": "
                        + SafeText.of(entry.getKey()))
                .toList();
    }

    private static void lines(Page page, List<String> lines) {
        lines.stream().limit(MOST_LINES).forEach(page::bullet);
        if (lines.size() > MOST_LINES) {
            page.bullet("and " + (lines.size() - MOST_LINES) + " more; --format json has them all");
        }
    }
}
