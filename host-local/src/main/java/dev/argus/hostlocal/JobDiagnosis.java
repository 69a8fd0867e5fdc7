package dev.argus.hostlocal;

import dev.argus.digest.JobBuilder;
import dev.argus.digest.clocks.ClockAlignment;
import dev.argus.digest.clocks.ClockMeetings;
import dev.argus.engine.ClockSkew;
import dev.argus.engine.Concluded;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.GpuTelemetry;
import dev.argus.engine.Pace;
import dev.argus.engine.Regressions;
import dev.argus.engine.Thresholds;
import dev.argus.engine.WhatIf;
import dev.argus.hostlocal.TraceLoader.LoadedFile;
import dev.argus.hostlocal.report.AttemptReport;
import dev.argus.hostlocal.report.AttemptReporter;
import dev.argus.hostlocal.report.ReportData;
import dev.argus.model.DataProblem;
import dev.argus.model.HostClock;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.StreamKernel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** From files that were read to the verdict on their job. */
final class JobDiagnosis {
    /** Distinct kernels compared; a real job has some hundred. */
    private static final int MAX_KERNELS = 4096;

    /** Fewer ranks are judged sooner by one thread than handed over to several. */
    private static final int FEW_RANKS = 64;

    private final Set<Integer> kernels = new HashSet<>();
    private final List<LoadedFile> files;
    private final List<DataProblem> inputProblems;
    private final NameTable names;
    private final SpillStore store;
    private final Thresholds thresholds;
    private final DiagnoseOptions options;
    private final Lanes lanes;
    private final Map<String, Long> losses = new HashMap<>();
    private final List<ClockAlignment> alignments = new ArrayList<>();
    private final List<AttemptReport> reports = new ArrayList<>();

    JobDiagnosis(
            List<LoadedFile> files,
            List<DataProblem> inputProblems,
            NameTable names,
            SpillStore store,
            Thresholds thresholds,
            DiagnoseOptions options,
            Lanes lanes) {
        this.files = files;
        this.inputProblems = inputProblems;
        this.names = names;
        this.store = store;
        this.thresholds = thresholds;
        this.options = options;
        this.lanes = lanes;
    }

    Diagnosis run() {
        List<String> unused = new ArrayList<>();
        List<LoadedPart> parts = JobFiles.judged(files, unused);
        Attempts attempts = Attempts.of(parts);
        VerdictAssembler assembler = new VerdictAssembler(files, attempts, inputProblems);
        unused.forEach(assembler::note);
        FlightDumps dumps = FlightDumps.of(
                files, attempts.list().isEmpty() ? Map.of() : attempts.list().getLast(), names);
        dumps.problems().forEach(assembler::problem);
        String twoJobs = attempts.twoJobs().isEmpty() ? dumps.twoJobs() : attempts.twoJobs();
        if (!twoJobs.isEmpty()) {
            return new Diagnosis(assembler.unanalysed(), false, twoJobs, List.of());
        }
        SideEvidence side = SideEvidence.of(files, dumps.unused());
        if (parts.stream().noneMatch(LoadedPart::hasEvents)) {
            String nothing = dumps.unused().isEmpty()
                    ? JobFiles.nothing(files)
                    : dumps.problems().stream()
                            .map(DataProblem::detail)
                            .findFirst()
                            .orElse("");
            return side.isEmpty()
                    ? new Diagnosis(assembler.unanalysed(), false, nothing, List.of())
                    : withoutTraces(side, assembler);
        }
        List<JobShape> shapes = shapes(attempts, assembler);
        String different = differentJobs(attempts, shapes);
        if (!different.isEmpty()) {
            return new Diagnosis(assembler.unanalysed(), false, different, List.of());
        }
        Regressions.Attempt before = null;
        for (int a = 0; a < shapes.size(); a++) {
            Map<Integer, LoadedPart> byRank = attempts.list().get(a);
            if (!byRank.isEmpty()) {
                SideEvidence of = a == shapes.size() - 1 ? side : SideEvidence.NONE;
                List<Concluded> concluded = new ArrayList<>();
                ClockMeetings meetings = new ClockMeetings(shapes.get(a));
                List<Concluded> all = explained(run(a, byRank, shapes.get(a), of, meetings), side, shapes.get(a));
                clocks(all, shapes.get(a), meetings.align(), assembler).ifPresent(concluded::add);
                for (Concluded c : all) {
                    if (!c.pace().known()) {
                        concluded.add(c);
                        continue;
                    }
                    Regressions.Attempt now = new Regressions.Attempt(shapes.get(a), Software.of(byRank), c);
                    concluded.add(before == null ? c : new Regressions(thresholds).judge(before, now));
                    before = now;
                }
                assembler.add(shapes.get(a), byRank, concluded);
                if (options.report()) {
                    reports.add(report(a, byRank, shapes.get(a), concluded));
                }
            }
        }
        telemetry(side, assembler);
        assembler.losses(losses);
        List<String> explain = new ArrayList<>();
        if (options.explain()) {
            explain.addAll(thresholds.lines());
            explain.addAll(ClockLines.of(assembler.clocks()));
        }
        if (assembler.ranksJudged() == 0) {
            return new Diagnosis(
                    assembler.unanalysed(),
                    false,
                    "every rank is claimed by several files at the same time; "
                            + "give the traces of one job, one file a rank",
                    List.of());
        }
        ReportData report = options.report() ? ReportData.of(reports) : null;
        return new Diagnosis(assembler.verdict(), true, "", List.copyOf(explain), List.copyOf(alignments), report);
    }

    /** What files without events say alone: there are no steps, but ranks, groups and who came how far. */
    private Diagnosis withoutTraces(SideEvidence side, VerdictAssembler assembler) {
        JobBuilder builder = new JobBuilder(0, names);
        side.byRank().forEach((rank, part) -> builder.add(rank, part.header(), part.trace()));
        JobShape shape = builder.build(options.topology());
        builder.notes().forEach(n -> assembler.problem(new DataProblem("topology", RankSet.EMPTY, n)));
        GraphRunner runner = new GraphRunner(new DetectorGraph(shape, names, thresholds));
        side.play(runner, 0);
        List<Concluded> concluded = runner.finish();
        runner.losses().forEach((reason, n) -> losses.merge(reason, n, Long::sum));
        assembler.addWithoutTraces(shape, explained(concluded, side, shape));
        telemetry(side, assembler);
        assembler.losses(losses);
        return new Diagnosis(assembler.verdict(), true, "", options.explain() ? thresholds.lines() : List.of());
    }

    private List<Concluded> explained(List<Concluded> concluded, SideEvidence side, JobShape shape) {
        if (side.readings().isEmpty()) {
            return concluded;
        }
        GpuTelemetry telemetry = new GpuTelemetry(side.readings(), names);
        return concluded.stream()
                .map(c -> c.with(
                        c.incidents().stream()
                                .map(i -> telemetry.explained(i, shape))
                                .toList(),
                        c.observations().stream()
                                .map(i -> telemetry.explained(i, shape))
                                .toList(),
                        0))
                .toList();
    }

    private void telemetry(SideEvidence side, VerdictAssembler assembler) {
        GpuTelemetry telemetry = new GpuTelemetry(side.readings(), names);
        telemetry.notes().forEach(assembler::note);
        telemetry.noData().forEach(line -> assembler.problem(new DataProblem("no-data", RankSet.EMPTY, line)));
    }

    private List<JobShape> shapes(Attempts attempts, VerdictAssembler assembler) {
        List<JobShape> shapes = new ArrayList<>();
        for (int a = 0; a < attempts.list().size(); a++) {
            JobBuilder builder = new JobBuilder(a, names);
            attempts.list().get(a).forEach((rank, part) -> builder.add(rank, part.header(), part.trace()));
            shapes.add(builder.build(options.topology()));
            builder.notes().forEach(n -> assembler.problem(new DataProblem("topology", RankSet.EMPTY, n)));
        }
        return shapes;
    }

    private static String differentJobs(Attempts attempts, List<JobShape> shapes) {
        for (int a = 1; a < shapes.size(); a++) {
            String why = JobIdentity.difference(
                    shapes.get(a - 1),
                    attempts.list().get(a - 1),
                    shapes.get(a),
                    attempts.list().get(a));
            if (!why.isEmpty()) {
                return why;
            }
        }
        return "";
    }

    /** What the clocks of an attempt's hosts are, and whether that misleads. */
    private Optional<Concluded> clocks(
            List<Concluded> all, JobShape shape, ClockAlignment alignment, VerdictAssembler assembler) {
        List<HostClock> clocks = alignment.clocks();
        alignments.add(alignment);
        assembler.clocks(clocks);
        Pace pace = all.stream()
                .map(Concluded::pace)
                .filter(Pace::known)
                .findFirst()
                .orElse(Pace.NONE);
        return assembler.timesAreRelative() ? Optional.empty() : new ClockSkew(shape, clocks, pace).judge();
    }

    private List<Concluded> run(
            int attempt, Map<Integer, LoadedPart> byRank, JobShape shape, SideEvidence side, ClockMeetings meetings) {
        Lanes used = byRank.size() >= FEW_RANKS ? lanes : Lanes.ONE;
        GraphRunner runner = new GraphRunner(new DetectorGraph(shape, names, thresholds), used);
        AttemptSteps records = new AttemptSteps(attempt, byRank, store);
        for (long step : records.steps()) {
            List<StepDigest> digests = new ArrayList<>();
            List<KernelWindow> windows = new ArrayList<>();
            for (int rank : records.ranks()) {
                read(records, rank, step, digests, windows);
                if (digests.size() >= GraphRunner.BATCH) {
                    digests.forEach(meetings::take);
                    take(runner, digests, windows);
                }
            }
            digests.forEach(meetings::take);
            meetings.endStep();
            take(runner, digests, windows);
        }
        side.play(runner, attempt);
        List<Concluded> concluded = runner.finish();
        runner.losses().forEach((reason, n) -> losses.merge(reason, n, Long::sum));
        WhatIf whatIf = new WhatIf(shape, thresholds);
        return concluded.stream()
                .map(c -> whatIf.price(c, records.steps(), records::digests))
                .toList();
    }

    /** What a page shows of an attempt: its digests once more, after it was judged. */
    private AttemptReport report(
            int attempt, Map<Integer, LoadedPart> byRank, JobShape shape, List<Concluded> concluded) {
        AttemptSteps records = new AttemptSteps(attempt, byRank, store);
        List<Incident> said = new ArrayList<>();
        concluded.forEach(c -> said.addAll(c.incidents()));
        concluded.forEach(c -> said.addAll(c.observations()));
        long[] ascending = records.steps().stream().mapToLong(s -> s).toArray();
        AttemptReporter reporter = new AttemptReporter(shape, names, thresholds, said, ascending);
        for (long step : records.steps()) {
            List<StepDigest> digests = records.digests(step);
            reporter.step(step, digests);
            RankSet wanted = reporter.kernelRanks(step);
            for (StepDigest d : digests) {
                KernelWindow kernels =
                        d.partial() || !wanted.contains(d.rank()) ? null : records.kernels(d.rank(), step);
                if (kernels != null) {
                    reporter.kernels(kernels);
                }
            }
        }
        return reporter.build();
    }

    private static void take(GraphRunner runner, List<StepDigest> digests, List<KernelWindow> windows) {
        runner.takeDigests(digests.size(), digests::get);
        runner.takeWindows(windows.size(), windows::get);
        digests.clear();
        windows.clear();
    }

    private void read(AttemptSteps records, int rank, long step, List<StepDigest> digests, List<KernelWindow> windows) {
        StepDigest digest = records.digest(rank, step);
        if (digest == null) {
            return;
        }
        digests.add(digest);
        KernelWindow kernels = digest.partial() ? null : records.kernels(rank, step);
        if (kernels != null) {
            windows.add(bounded(kernels));
        }
    }

    /** Without kernels of names beyond those there is room for. */
    private KernelWindow bounded(KernelWindow window) {
        List<StreamKernel> kept = new ArrayList<>();
        for (StreamKernel k : window.kernels()) {
            if (kernels.contains(k.name()) || kernels.size() < MAX_KERNELS) {
                kernels.add(k.name());
                kept.add(k);
            } else {
                losses.merge("kernel-name-beyond-" + MAX_KERNELS, 1L, Long::sum);
            }
        }
        return window.with(kept);
    }
}
