package dev.argus.hostlocal;

import dev.argus.digest.AssembledTrace;
import dev.argus.digest.AssembledTrace.DeviceFacts;
import dev.argus.engine.Concluded;
import dev.argus.hostlocal.TraceLoader.LoadedFile;
import dev.argus.model.Cost;
import dev.argus.model.DataProblem;
import dev.argus.model.Figures;
import dev.argus.model.HostClock;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.model.TraceFacts;
import dev.argus.model.TraceFacts.StepDuration;
import dev.argus.model.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts the verdict together: facts of the files, quality of the data, what the detectors say. */
final class VerdictAssembler {
    private final List<LoadedFile> files;
    private final Attempts attempts;
    private final DataRemarks remarks = new DataRemarks();
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

    /** True where a log tells the job's steps, and nothing of any rank. */
    private boolean logOnly;

    private double lost;
    private double claimed;

    /** Step time measured, by attempt: several detectors conclude about one. */
    private final Map<Integer, Double> measuredOf = new TreeMap<>();

    VerdictAssembler(List<LoadedFile> files, Attempts attempts, List<DataProblem> inputProblems) {
        this.files = files;
        this.attempts = attempts;
        remarks.problems().addAll(inputProblems);
        remarks.files(files);
        remarks.problems().addAll(attempts.problems());
    }

    /** True if the file's times count from an unknown moment. */
    private static boolean relative(LoadedFile f) {
        return f.outcome().problems().stream().anyMatch(p -> p.kind().equals("relative-time"));
    }

    /** Adds one attempt with what the detectors concluded. */
    void add(JobShape s, Map<Integer, LoadedPart> byRank, List<Concluded> concluded) {
        shape = s;
        judged += byRank.size();
        logOnly = byRank.values().stream().anyMatch(LoadedPart::isLog);
        attemptTexts.add(s.ranks().size() + " ranks in " + steps(byRank));
        if (files.stream().anyMatch(VerdictAssembler::relative)) {
            note("times count from an unknown moment, for the traces state none: steps are compared, not moments");
        }
        remarks.attempt(s, byRank, attempts.list().size() > 1);
        for (Concluded c : concluded) {
            conclusions.add(c);
            remarks.notes().addAll(c.notes());
            lost += c.lostNanos();
            claimed += c.claimedNanos();
            measuredOf.merge(c.attempt(), c.measuredNanos(), Math::max);
        }
    }

    /** Adds what was concluded from files without events: no steps, hence nothing about trends, and nothing missing from them. */
    void addWithoutTraces(JobShape s, List<Concluded> concluded) {
        shape = s;
        remarks.withoutTraces(s, files);
        for (Concluded c : concluded) {
            conclusions.add(c);
            remarks.notes().addAll(c.notes());
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
        remarks.notes().add(note);
    }

    void problem(DataProblem problem) {
        remarks.problems().add(problem);
    }

    void losses(Map<String, Long> losses) {
        losses.forEach((reason, n) -> note("left out by detectors: " + n + " x " + reason));
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
            remarks.notes().addFirst(attemptTexts.size() + " attempts of the job: " + String.join("; ", attemptTexts));
        }
        double rest = measured > 0 ? Math.max(0, lost - claimed) / measured : 0;
        return assemble(incidents, observations, Math.min(1, rest));
    }

    /** The price of an incident of one attempt over the steps of all, and the sentence with it. */
    private Incident priced(Incident i, double share) {
        Cost cost = i.cost().ofMeasured(i.cost().stepRatio() * share);
        String lost = cost.stepRatio() > 0 ? "; " + Figures.percent(cost.stepRatio()) + " of the job's time lost" : "";
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
        int read = logOnly ? 0 : shape.ranks().size();
        return new Verdict(
                new Verdict.Job(shape.worldSize(), shape.hostCount(), first, last, shape.shownTopology(), median),
                facts,
                new Verdict.Quality(expected, read, distinct(remarks.problems())),
                List.copyOf(in),
                List.copyOf(obs),
                distinct(remarks.notes()),
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
