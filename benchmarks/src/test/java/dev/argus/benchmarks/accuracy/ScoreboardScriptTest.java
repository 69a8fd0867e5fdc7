package dev.argus.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.cli.json.VerdictJson;
import dev.argus.hostlocal.DiagnoseOptions;
import dev.argus.hostlocal.LocalDiagnosis;
import dev.argus.hostlocal.Progress;
import dev.argus.model.Verdict;
import dev.argus.simulator.KinetoOutput;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Severity;
import dev.argus.simulator.SimulatedJob;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Truth;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our scoreboard against the public script, on real verdicts, the wrong ones too. */
class ScoreboardScriptTest {
    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @EnumSource(names = {"COMPUTE", "TWO", "JIT_ALL", "GC_ROTATING", "LEAF", "GLOBAL", "RAIL", "HEALTHY"})
    @Requires({Need.SHARED, Need.TORCH}) // PyTorch stands for a Python that runs the script
    void bothSayTheSame(ScenarioKind kind) throws IOException, InterruptedException {
        Scenario scenario = Scenarios.random(61_006, kind, Severity.STRONG, 16);
        SimulatedJob job = Simulation.run(scenario);
        Truth truth = Truth.of(job, "case");
        KinetoOutput.write(job, folder.resolve("traces"));
        truth.write(folder);
        Verdict verdict = diagnose(folder.resolve("traces"));
        Path said = folder.resolve("verdict.json");
        try (Writer out = Files.newBufferedWriter(said)) {
            VerdictJson.write(out, verdict, null, null);
        }

        String script = score(said, folder.resolve("truth.json"));

        Score own = Scoreboard.score(scenario.layout(), true, truth, Answer.of(verdict));
        assertThat(count(script, "\"result\": \"hit\"")).as(script).isEqualTo(number(own, FaultScore::hit));
        assertThat(count(script, "\"exact\": true")).as(script).isEqualTo(number(own, FaultScore::exact));
        assertThat(count(script, "\"class_ok\": true"))
                .as(script)
                .isEqualTo(number(own, f -> f.hit() && f.kindRight()));
        assertThat(count(script, "\"timing\": \"ok\""))
                .as(script)
                .isEqualTo(number(own, f -> f.hit() && f.stepsRight()));
        assertThat(script.contains("\"top1\": false")).as(script).isEqualTo(!own.costliestFirst());
        assertThat(falseAlarms(script)).as(script).isEqualTo(own.falseAlarms().size());
    }

    private static Verdict diagnose(Path traces) {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            DiagnoseOptions options = new DiagnoseOptions(null, DiagnoseOptions.DEFAULT_INCIDENT_FLOOR_RATIO, false);
            return new LocalDiagnosis(executor, 1, Progress.NONE)
                    .diagnose(List.of(traces), options)
                    .verdict();
        }
    }

    /** What the script says of one run, without its summary. */
    private static String score(Path verdict, Path truth) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "/usr/bin/python3",
                        Shared.path("tools/score.py").toString(),
                        verdict.toString(),
                        truth.toString(),
                        "--json")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return out.substring(out.indexOf("\"runs\""));
    }

    private static long number(Score score, Predicate<FaultScore> what) {
        return score.faults().stream().filter(what).count();
    }

    private static long count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1L;
    }

    private static long falseAlarms(String script) {
        int from = script.indexOf("\"false_alarms\"");
        return count(script.substring(from, script.indexOf("\"accepted\"")), "\"kind\"");
    }
}
