package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.HostClock;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Clocks of the labelled cases, whose offsets are known, through files. */
@Requires(Need.SHARED)
class ClockDiagnosisTest {
    @Test
    void offsetsOfTheLabelledCases() throws Exception {
        int compared = 0;
        int held = 0;
        double worst = 0;
        try (Stream<Path> folders = Files.list(Shared.path("data/cases"))) {
            for (Path folder : folders.sorted().toList()) {
                JsonTree truth = JsonTree.of(folder.resolve("truth.json"));
                JsonTree offsets = truth.at("host_clock_offset_us");
                if (offsets.isMissing()) {
                    continue;
                }
                Diagnosis d = Diagnosing.of(folder.resolve(truth.at("trace_dir").text()));
                System.out.println("CLK " + folder.getFileName() + " " + d.verdict().clocks() + truth.at("host_clock_offset_us"));
            }
        }
    }
}
