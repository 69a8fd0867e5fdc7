package dev.argus.hostlocal;

import dev.argus.digest.AssembledTrace.StepSource;
import dev.argus.hostlocal.TraceLoader.LoadedFile;
import dev.argus.model.DataProblem;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.trace.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What is wrong with the data, and what could not be checked for it: problems and notes, in the order in which they were found. */
final class DataRemarks {
    /** Below this many steps nothing is said about trends. */
    private static final int FEW_STEPS = 3;

    /** Said once for all ranks concerned, not file by file. */
    private static final Set<String> SAID_TOGETHER = Set.of("no-gpu-events", "relative-time", "rank-unknown");

    /** What {@code argus simulate} and the scoreboard's cases put beside traces: nobody's trace, and no surprise. */
    private static final String TRUTH = "truth.json";

    private final List<DataProblem> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    List<DataProblem> problems() {
        return problems;
    }

    List<String> notes() {
        return notes;
    }

    /** What each file says of itself. */
    void files(List<LoadedFile> files) {
        List<LoadedFile> ignored = new ArrayList<>();
        for (LoadedFile f : files) {
            if (f.outcome().status() != Status.IGNORED) {
                f.outcome().problems().stream()
                        .filter(p -> !SAID_TOGETHER.contains(p.kind()))
                        .forEach(problems::add);
            } else if (!TRUTH.equals(String.valueOf(f.file().path().getFileName()))) {
                ignored.add(f);
            }
        }
        ignored(ignored);
    }

    private void ignored(List<LoadedFile> list) {
        if (list.size() == 1) {
            LoadedFile f = list.getFirst();
            notes.add("ignored "
                    + (f.outcome().problems().isEmpty()
                            ? f.file().label() + ": no trace"
                            : f.outcome().problems().getFirst().detail()));
        } else if (!list.isEmpty()) {
            List<String> some =
                    list.stream().limit(3).map(f -> f.file().label()).toList();
            notes.add("ignored " + list.size() + " files that are no traces: " + String.join(", ", some)
                    + (list.size() > 3 ? " and " + (list.size() - 3) + " more" : ""));
        }
    }

    /** What is missing from one attempt, or cannot be compared. */
    void attempt(JobShape shape, Map<Integer, LoadedPart> byRank, boolean several) {
        if (byRank.values().stream().anyMatch(LoadedPart::isLog)) {
            logOnly(byRank);
        } else {
            missing(shape, "no trace of ", several ? " in attempt " + shape.attempt() : "");
            fewerSteps(byRank);
            notComparable(shape, byRank);
            withoutGpu(byRank);
            stepSources(byRank);
            lostWork(byRank);
        }
        fewSteps(byRank);
        quarantined(byRank);
    }

    /** A log has the steps of the whole job: no rank is missing from it, and none can be judged. */
    private void logOnly(Map<Integer, LoadedPart> byRank) {
        problems.add(new DataProblem(
                "log-only",
                RankSet.EMPTY,
                byRank.values().iterator().next().label()
                        + " is a log of iterations: the job's steps are judged; ranks, phases, kernels and causes are not, for only"
                        + " traces tell them"));
    }

    /** What there is, where no file has a timeline. */
    void withoutTraces(JobShape shape, List<LoadedFile> files) {
        missing(shape, "nothing of ", "");
        Map<String, Long> formats = files.stream()
                .filter(f -> !f.outcome().records().isEmpty())
                .collect(Collectors.groupingBy(f -> f.outcome().format(), TreeMap::new, Collectors.counting()));
        List<String> read = new ArrayList<>();
        formats.forEach((format, n) -> read.add(n + " x " + format));
        problems.add(new DataProblem(
                "no-traces",
                RankSet.EMPTY,
                "no file has a timeline (read: " + String.join(", ", read)
                        + "): steps, phases and kernels are not judged, and whether the job is slow is unknown;"
                        + " record traces with torch.profiler or Nsight Systems"));
    }

    private void missing(JobShape shape, String what, String where) {
        RankSet missing = RankSet.range(0, shape.worldSize() - 1).minus(shape.ranks());
        if (!missing.isEmpty() && !shape.ranks().isEmpty()) {
            problems.add(new DataProblem(
                    "missing-trace",
                    missing,
                    what + ranks(missing) + ": " + shape.ranks().size() + " of " + shape.worldSize() + " ranks read"
                            + where));
        }
    }

    private static String ranks(RankSet ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ") + ranks;
    }

    private static RankSet where(Map<Integer, LoadedPart> byRank, Predicate<LoadedPart> holds) {
        return RankSet.of(byRank.keySet().stream()
                .filter(rank -> holds.test(byRank.get(rank)))
                .toList());
    }

    private static int mostSteps(Map<Integer, LoadedPart> byRank) {
        return byRank.values().stream().mapToInt(p -> p.steps().size()).max().orElse(0);
    }

    private void fewerSteps(Map<Integer, LoadedPart> byRank) {
        int most = mostSteps(byRank);
        RankSet fewer = where(byRank, p -> p.steps().size() < most);
        if (!fewer.isEmpty()) {
            problems.add(new DataProblem(
                    "fewer-steps",
                    fewer,
                    "fewer steps than the " + most + " of other ranks on " + ranks(fewer)
                            + "; steps are compared only where they were recorded"));
        }
    }

    private void notComparable(JobShape s, Map<Integer, LoadedPart> byRank) {
        for (int i = 0; i < s.peerSets().size(); i++) {
            RankSet set = s.peerSets().get(i);
            if (set.size() == 1) {
                problems.add(new DataProblem(
                        "not-comparable",
                        known(set, byRank),
                        "no other rank does the same work (" + s.peerLabels().get(i)
                                + "): give the traces of more ranks"));
            }
        }
    }

    private void fewSteps(Map<Integer, LoadedPart> byRank) {
        int most = mostSteps(byRank);
        if (most < FEW_STEPS) {
            problems.add(new DataProblem(
                    "few-steps",
                    RankSet.EMPTY,
                    (most == 1 ? "1 step is" : most + " steps are") + " too few to judge trends; record " + FEW_STEPS
                            + " or more"));
        }
    }

    /** The set, empty when the rank was not stated but assumed. */
    private static RankSet known(RankSet set, Map<Integer, LoadedPart> byRank) {
        LoadedPart part = byRank.get(set.get(0));
        return part == null || part.header().rank() < 0 ? RankSet.EMPTY : set;
    }

    private void withoutGpu(Map<Integer, LoadedPart> byRank) {
        RankSet without = where(byRank, p -> !p.trace().gpu());
        if (without.isEmpty()) {
            return;
        }
        String text = "no GPU events on " + ranks(without);
        if (without.size() < byRank.size()) {
            problems.add(new DataProblem("no-gpu-events", without, text + ", while other ranks have them"));
        } else {
            notes.add("L3: " + text + "; phases and collectives on the CPU are used");
        }
    }

    private void stepSources(Map<Integer, LoadedPart> byRank) {
        for (StepSource source : StepSource.values()) {
            if (source == StepSource.MARKS) {
                continue;
            }
            RankSet with = where(byRank, p -> p.trace().stepSource() == source);
            if (with.isEmpty()) {
                continue;
            }
            String how = switch (source) {
                case GPU_MARKS -> "steps are taken from their shadow on the GPU";
                case OPTIMIZER -> "steps are taken from the optimizer's ranges";
                case ANNOTATION -> "steps are taken from a named range that repeats";
                case OPTIMIZER_KERNELS -> "steps are taken from the optimizer's kernels";
                default -> "the whole record is taken as one step; record with prof.step()";
            };
            notes.add("no step marks on " + ranks(with) + ": " + how);
        }
    }

    private void lostWork(Map<Integer, LoadedPart> byRank) {
        byRank.forEach((rank, p) -> {
            long lost = p.trace().lostLaunches();
            if (lost > 0) {
                problems.add(new DataProblem(
                        "lost-events",
                        p.header().rank() < 0 ? RankSet.EMPTY : RankSet.of(rank),
                        p.label() + ": " + lost
                                + " launches have no kernel in the record; the steps they belong to are not"
                                + " compared: the profiler lost events, or the file is cut"));
            }
        });
    }

    private void quarantined(Map<Integer, LoadedPart> byRank) {
        byRank.forEach((rank, p) -> {
            if (!p.trace().quarantined().isEmpty()) {
                problems.add(new DataProblem(
                        "quarantined-events",
                        p.header().rank() < 0 ? RankSet.EMPTY : RankSet.of(rank),
                        p.label() + ": events set aside: " + p.trace().quarantined()));
            }
        });
    }
}
