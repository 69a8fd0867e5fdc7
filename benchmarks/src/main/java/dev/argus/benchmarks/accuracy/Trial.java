package dev.argus.benchmarks.accuracy;

import dev.argus.hostlocal.DiagnoseOptions;
import dev.argus.hostlocal.Diagnosis;
import dev.argus.hostlocal.LocalDiagnosis;
import dev.argus.hostlocal.Progress;
import dev.argus.model.Level;
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
        Scenario scenario;
        try {
            scenario = Scenarios.draw(cell.wish());
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
        SimulatedJob job = Simulation.run(scenario);
        Truth truth = Truth.of(job, cell.label());
        JobRecords records = JobRecords.of(job);
        Answer answer = cell.way() == Cell.Way.FILES
                ? throughFiles(job, folder)
                : Answer.of(records.conclude(records.steps().getLast()));
        Score score = Scoreboard.score(scenario.layout(), cell.severity() == Severity.STRONG, truth, answer);
        List<BaselineScore> baselines = Baseline.ALL.stream()
                .map(b -> BaselineScore.of(b, records, scenario.layout(), truth))
                .toList();
        Map<Level, Integer> delays = truth.faults().stream()
                .max(Comparator.comparingDouble(FaultTruth::nanos))
                .map(f -> Delays.of(records, scenario.layout(), truth, f))
                .orElse(Map.of());
        return Optional.of(new Outcome(cell, scenario.layout().toString(), score, baselines, delays));
    }

    private static Answer throughFiles(SimulatedJob job, Path folder) {
        try {
            KinetoOutput.write(job, folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write traces to " + folder, e);
        }
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Diagnosis diagnosis = new LocalDiagnosis(executor, 1, Progress.NONE)
                    .diagnose(
                            List.of(folder),
                            new DiagnoseOptions(null, DiagnoseOptions.DEFAULT_INCIDENT_FLOOR_RATIO, false));
            return Answer.of(diagnosis.verdict());
        }
    }
}
