package dev.argus.benchmarks.accuracy;

import dev.argus.hostlocal.DiagnoseOptions;
import dev.argus.hostlocal.LocalDiagnosis;
import dev.argus.hostlocal.Progress;
import dev.argus.model.Level;
import dev.argus.model.Verdict;
import dev.argus.simulator.CaseFolder;
import dev.argus.simulator.FaultTruth;
import dev.argus.simulator.KinetoOutput;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Severity;
import dev.argus.simulator.SimulatedJob;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Truth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Simulates one scenario, diagnoses it, and holds the answer against the truth. */
public final class Trial {
    private Trial() {}

    /**
     * Runs one cell.
     *
     * @param cell what to try
     * @param folder an own folder for traces, where the cell goes through files
     * @return empty when no job that fits could be drawn from the seed
     */
    public static Optional<Outcome> run(Cell cell, Path folder) {
        List<Scenario> attempts;
        try {
            attempts = Scenarios.attempts(cell.wish(), cell.recording() == Recording.RESTARTED ? 2 : 1);
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
        Scenario scenario = attempts.getFirst();
        SimulatedJob job = Simulation.run(scenario);
        JobRecords records = JobRecords.of(job);
        boolean strong = cell.severity() == Severity.STRONG;
        Truth truth = Truth.of(job, cell.label());
        Score score;
        if (attempts.size() > 1) {
            score = restarted(job, attempts.getLast(), cell, folder);
        } else {
            Answer answer =
                    cell.way() == Cell.Way.FILES ? Answer.of(throughFiles(job, folder)) : Answer.of(records.diagnose());
            score = Scoreboard.score(scenario.layout(), strong, truth, answer);
        }
        List<BaselineScore> baselines = Baseline.ALL.stream()
                .map(b -> BaselineScore.of(b, records, scenario.layout(), truth))
                .toList();
        Optional<FaultTruth> costliest = truth.faults().stream().max(Comparator.comparingDouble(FaultTruth::nanos));
        Map<Level, Integer> delays = costliest
                .map(f -> Delays.of(records, scenario.layout(), truth, f))
                .orElse(Map.of());
        boolean onsetSeen = costliest.map(f -> Delays.seesOnset(records, f)).orElse(false);
        return Optional.of(new Outcome(cell, scenario.layout().toString(), score, baselines, delays, onsetSeen));
    }

    /** The attempt and the one after it lie in one folder; each is held against its own truth. */
    private static Score restarted(SimulatedJob first, Scenario next, Cell cell, Path folder) {
        SimulatedJob second = Simulation.run(next);
        List<SimulatedJob> jobs = List.of(first, second);
        List<Truth> truths;
        try {
            truths = CaseFolder.write(jobs, folder, cell.label(), (rank, file) -> {});
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write traces to " + folder, e);
        }
        Verdict verdict = diagnose(folder);
        return IntStream.range(0, jobs.size())
                .mapToObj(i ->
                        Scoreboard.score(jobs.get(i).scenario().layout(), true, truths.get(i), Answer.of(verdict, i)))
                .reduce(Score::and)
                .orElseThrow();
    }

    private static Verdict throughFiles(SimulatedJob job, Path folder) {
        try {
            KinetoOutput.write(job, folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write traces to " + folder, e);
        }
        return diagnose(folder);
    }

    private static Verdict diagnose(Path folder) {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            return new LocalDiagnosis(executor, 1, Progress.NONE)
                    .diagnose(
                            List.of(folder),
                            new DiagnoseOptions(null, DiagnoseOptions.DEFAULT_INCIDENT_FLOOR_RATIO, false))
                    .verdict();
        }
    }
}
