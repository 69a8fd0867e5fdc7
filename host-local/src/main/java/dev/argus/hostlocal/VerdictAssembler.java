package dev.argus.hostlocal;

import dev.argus.digest.AssembledTrace;
import dev.argus.digest.AssembledTrace.DeviceFacts;
import dev.argus.digest.AssembledTrace.StepSource;
import dev.argus.engine.Concluded;
import dev.argus.hostlocal.TraceLoader.LoadedFile;
import dev.argus.model.Cost;
import dev.argus.model.DataProblem;
import dev.argus.model.HostClock;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.model.TraceFacts;
import dev.argus.model.TraceFacts.StepDuration;
import dev.argus.model.Verdict;
import dev.argus.trace.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Puts the verdict together: facts of the files, quality of the data, what the detectors say. */
final class VerdictAssembler {
    /** Below this many steps nothing is said about trends. */
    private static final int FEW_STEPS = 3;

    /** Said once for all ranks concerned, not file by file. */
    private static final Set<String> REMARKS = Set.of("no-gpu-events", "relative-time", "rank-unknown");

    private final List<LoadedFile> files;
    private final Attempts attempts;
    private final List<DataProblem> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<Concluded> conclusions = new ArrayList<>();
    private final List<HostClock> clocks = new ArrayList<>();
    private final List<String> attemptTexts = new ArrayList<>();
    private JobShape shape = new JobShape(
            0,
            0,
            RankSet.EMPTY,
            Map.of(),
            Map.of(),
            Map.of(),
            Topology.UNKNOWN,
            List.of(),
            Map.of(),
            List.of(),
            List.of());
    private int judged;
    private double lost;
    private double claimed;

    /** Step time measured, by attempt: several detectors conclude about one. */
    private final Map<Integer, Double> measuredOf = new TreeMap<>();

    VerdictAssembler(List<LoadedFile> files, Attempts attempts, List<DataProblem> inputProblems) {
        this.files = files;
        this.attempts = attempts;
        problems.addAll(inputProblems);
        List<LoadedFile> ignored = new ArrayList<>();
        for (LoadedFile f : files) {
            if (f.outcome().status() == Status.IGNORED) {
                ignored.add(f);
            } else {
                f.outcome().problems().stream()
                        .filter(p -> !REMARKS.contains(p.kind()))
                        .forEach(problems::add);
            }
        }
        problems.addAll(attempts.problems());
        ignored(ignored);
    }

    /** True if the file's times count from an unknown moment. */
    private static boolean relative(LoadedFile f) {
        return f.outcome().problems().stream().anyMatch(p -> p.kind().equals("relative-time"));
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

    /** Adds one attempt with what the detectors concluded. */
    void add(JobShape s, Map<Integer, LoadedPart> byRank, List<Concluded> concluded) {
        shape = s;
        judged += byRank.size();
        attemptTexts.add(s.ranks().size() + " ranks in " + steps(byRank));
        RankSet missing = RankSet.range(0, s.worldSize() - 1).minus(s.ranks());
        if (!missing.isEmpty() && s.ranks().size() > 0) {
            problems.add(new DataProblem(
                    "missing-trace",
                    missing,
                    "no trace of " + (missing.size() == 1 ? "rank " : "ranks ") + missing + ": "
                            + s.ranks().size() + " of " + s.worldSize() + " ranks read"
                            + (attempts.list().size() > 1 ? " in attempt " + s.attempt() : "")));
        }
        if (files.stream().anyMatch(VerdictAssembler::relative)) {
            notes.add("times count from an unknown moment, for the traces state none: steps are compared, not moments");
        }
        fewerSteps(byRank);
        notComparable(s, byRank);
        withoutGpu(byRank);
        stepSources(byRank);
        lostWork(byRank);
        quarantined(byRank);
        for (Concluded c : concluded) {
            conclusions.add(c);
            notes.addAll(c.notes());
            lost += c.lostNanos();
            claimed += c.claimedNanos();
            measuredOf.merge(c.attempt(), c.measuredNanos(), Math::max);
        }
    }

    /** Adds what was concluded from files without events: no steps, hence nothing about trends, and nothing missing from them. */
    void addWithoutTraces(JobShape s, List<Concluded> concluded) {
        shape = s;
        RankSet missing = RankSet.range(0, s.worldSize() - 1).minus(s.ranks());
        if (!missing.isEmpty()) {
            problems.add(new DataProblem(
                    "missing-trace",
                    missing,
                    "nothing of " + (missing.size() == 1 ? "rank " : "ranks ") + missing + ": "
                            + s.ranks().size() + " of " + s.worldSize() + " ranks read"));
        }
        problems.add(
                new DataProblem(
                        "no-traces",
                        RankSet.EMPTY,
                        "no profiler traces: steps, phases and kernels are not judged, and whether the job is slow is unknown"));
        for (Concluded c : concluded) {
            conclusions.add(c);
            notes.addAll(c.notes());
        }
    }

    private static String steps(Map<Integer, LoadedPart> byRank) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (LoadedPart p : byRank.values()) {
            for (LoadedPart.LoadedStep s : p.steps()) {
                first = Math.min(first, s.step());
                last = Math.max(last, s.step());
            }
        }
        return last < first ? "no steps" : "steps " + first + " to " + last;
    }

    private void fewerSteps(Map<Integer, LoadedPart> byRank) {
        int most =
                byRank.values().stream().mapToInt(p -> p.steps().size()).max().orElse(0);
        List<Integer> fewer = new ArrayList<>();
        byRank.forEach((rank, p) -> {
            if (p.steps().size() < most) {
                fewer.add(rank);
            }
        });
        if (!fewer.isEmpty()) {
            RankSet ranks = RankSet.of(fewer.stream().mapToInt(r -> r).toArray());
            problems.add(new DataProblem(
                    "fewer-steps",
                    ranks,
                    "fewer steps than the " + most + " of other ranks on "
                            + (ranks.size() == 1 ? "rank " : "ranks ") + ranks
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
        int most =
                byRank.values().stream().mapToInt(p -> p.steps().size()).max().orElse(0);
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
        List<Integer> none = new ArrayList<>();
        byRank.forEach((rank, p) -> {
            if (!p.trace().gpu()) {
                none.add(rank);
            }
        });
        RankSet ranks = RankSet.of(none.stream().mapToInt(r -> r).toArray());
        if (ranks.isEmpty()) {
            return;
        }
        String text = "no GPU events on " + (ranks.size() == 1 ? "rank " : "ranks ") + ranks;
        if (ranks.size() < byRank.size()) {
            problems.add(new DataProblem("no-gpu-events", ranks, text + ", while other ranks have them"));
        } else {
            notes.add("L3: " + text + "; phases and collectives on the CPU are used");
        }
    }

    private void stepSources(Map<Integer, LoadedPart> byRank) {
        for (StepSource source : StepSource.values()) {
            if (source == StepSource.MARKS) {
                continue;
            }
            List<Integer> with = new ArrayList<>();
            byRank.forEach((rank, p) -> {
                if (p.trace().stepSource() == source) {
                    with.add(rank);
                }
            });
            if (with.isEmpty()) {
                continue;
            }
            RankSet ranks = RankSet.of(with.stream().mapToInt(r -> r).toArray());
            String how = switch (source) {
                case GPU_MARKS -> "steps are taken from their shadow on the GPU";
                case OPTIMIZER -> "steps are taken from the optimizer's ranges";
                case ANNOTATION -> "steps are taken from a named range that repeats";
                case OPTIMIZER_KERNELS -> "steps are taken from the optimizer's kernels";
                default -> "the whole record is taken as one step; record with prof.step()";
            };
            notes.add("no step marks on " + (ranks.size() == 1 ? "rank " : "ranks ") + ranks + ": " + how);
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

    /** Adds the clocks of the hosts of an attempt. */
    void clocks(List<HostClock> of) {
        clocks.addAll(of);
    }

    List<HostClock> clocks() {
        return clocks;
    }

    /** True where times count from an unknown moment: how far clocks are apart then means nothing. */
    boolean timesAreRelative() {
        return files.stream().anyMatch(VerdictAssembler::relative);
    }

    void note(String note) {
        notes.add(note);
    }

    void problem(DataProblem problem) {
        problems.add(problem);
    }

    void losses(Map<String, Long> losses) {
        losses.forEach((reason, n) -> notes.add("left out by detectors: " + n + " x " + reason));
    }

    int ranksJudged() {
        return judged;
    }

    Verdict verdict() {
        // A job that stands still has no price by the step, and comes first all the same.
        Comparator<Incident> costly = Comparator.comparingInt((Incident i) -> i.kind() == IncidentKind.HANG ? 0 : 1)
                .thenComparingDouble(i -> -i.cost().gpuSeconds())
                .thenComparing(Incident::id);
        List<Incident> incidents = new ArrayList<>();
        List<Incident> observations = new ArrayList<>();
        double measured =
                measuredOf.values().stream().mapToDouble(Double::doubleValue).sum();
        for (Concluded c : conclusions) {
            double share = measured > 0 ? measuredOf.getOrDefault(c.attempt(), 0.0) / measured : 0;
            c.incidents().forEach(i -> incidents.add(priced(i, share)));
            c.observations().forEach(i -> observations.add(priced(i, share)));
        }
        incidents.sort(costly);
        observations.sort(costly);
        if (attemptTexts.size() > 1) {
            notes.addFirst(attemptTexts.size() + " attempts of the job: " + String.join("; ", attemptTexts));
        }
        double rest = measured > 0 ? Math.max(0, lost - claimed) / measured : 0;
        return assemble(incidents, observations, Math.min(1, rest));
    }

    /** The price of an incident of one attempt over the steps of all, and the sentence with it. */
    private Incident priced(Incident i, double share) {
        Cost cost = new Cost(i.cost().stepRatio() * share, i.cost().gpuSeconds());
        String lost = cost.stepRatio() > 0
                ? String.format(Locale.ROOT, "; %.3g %% of the job's time lost", 100 * cost.stepRatio())
                : "";
        String where = attempts.list().size() > 1 ? " of attempt " + i.attempt() : "";
        Incident priced = i.with(cost, i.summary() + where + lost + ".");
        return timesAreRelative() ? priced.withoutTimes() : priced;
    }

    Verdict unanalysed() {
        return assemble(List.of(), List.of(), 0);
    }

    private Verdict assemble(List<Incident> in, List<Incident> obs, double unattributed) {
        List<TraceFacts> facts = facts();
        long first = facts.stream()
                .flatMap(f -> f.steps().stream())
                .mapToLong(StepDuration::step)
                .min()
                .orElse(-1);
        long last = facts.stream()
                .flatMap(f -> f.steps().stream())
                .mapToLong(StepDuration::step)
                .max()
                .orElse(-1);
        long[] durations = facts.stream()
                .flatMap(f -> f.steps().stream())
                .mapToLong(StepDuration::nanos)
                .sorted()
                .toArray();
        long median = durations.length == 0 ? 0 : durations[durations.length / 2];
        int expected = Math.max(shape.worldSize(), shape.ranks().size());
        return new Verdict(
                new Verdict.Job(shape.worldSize(), shape.hostCount(), first, last, shape.topology(), median),
                facts,
                new Verdict.Quality(expected, shape.ranks().size(), distinct(problems)),
                List.copyOf(in),
                List.copyOf(obs),
                distinct(notes),
                unattributed,
                timesAreRelative() ? clocks.stream().map(HostClock::withoutTime).toList() : List.copyOf(clocks));
    }

    private static <T> List<T> distinct(List<T> list) {
        return list.stream().distinct().toList();
    }

    private List<TraceFacts> facts() {
        List<TraceFacts> facts = new ArrayList<>();
        for (LoadedFile f : files) {
            for (LoadedPart p : f.parts()) {
                AssembledTrace t = p.trace();
                for (DeviceFacts d : t.devices()) {
                    facts.add(new TraceFacts(
                            p.label(),
                            p.format(),
                            p.header().rank(),
                            attempts.attemptOf(p),
                            p.header().host(),
                            d.kernels(),
                            d.kernelNanos(),
                            d.commNanos(),
                            d.busyNanos(),
                            t.steps(),
                            relative(f) ? 0 : t.firstNanos(),
                            relative(f) ? 0 : t.lastNanos(),
                            t.quarantined()));
                }
            }
        }
        return facts;
    }
}
