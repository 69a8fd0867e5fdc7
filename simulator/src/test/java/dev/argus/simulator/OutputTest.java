package dev.argus.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StepDigest;
import dev.argus.simulator.JobModel.Sharding;
import dev.argus.simulator.Layout.Dimension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written and handed on, and the truth beside it. */
class OutputTest {
    @Test
    void recordsHaveEveryRankAndStepAndTheShapeOfTheLayout() {
        Scenario scenario = PhysicsTest.job(PhysicsTest.pipeline(), PhysicsTest.model(2, 1, 4, Sharding.ZERO1, false))
                .build();
        Kept kept = new Kept();

        RecordOutput.deliver(Simulation.run(scenario), new NameTable(), kept);

        assertThat(kept.digests).hasSize(16 * 4).allMatch(d -> d.own().computeNanos() > 0);
        assertThat(kept.kernels)
                .isNotEmpty()
                .allMatch(k -> k.rank() >= 0 && !k.kernels().isEmpty());
        JobShape shape = java.util.Objects.requireNonNull(kept.shape);
        assertThat(shape.worldSize()).isEqualTo(16);
        assertThat(shape.topology().size("pp")).isEqualTo(2);
        assertThat(shape.peerSets()).hasSize(2);
    }

    @Test
    void offsetsOfClocksChangeNoDuration() {
        List<Long> durations = new ArrayList<>();
        for (long skew : new long[] {0, 80_000_000}) {
            Scenario scenario = PhysicsTest.job(PhysicsTest.data(), PhysicsTest.model(1, 1, 1, Sharding.DDP, false))
                    .dialect(new Dialect(false, true, true, true, false, skew, 0))
                    .build();
            Kept kept = new Kept();
            RecordOutput.deliver(Simulation.run(scenario), new NameTable(), kept);
            durations.add(kept.digests.stream()
                    .mapToLong(d -> d.own().ownNanos() + d.durationNanos())
                    .sum());
        }

        assertThat(durations.getFirst()).isPositive().isEqualTo(durations.getLast());
    }

    @Test
    void folderHasAFilePerRankAndATruth(@TempDir Path folder) throws IOException {
        Fault fault = new Fault.SlowClock(new int[] {3}, 1.4, false, When.always(11, 13));
        Scenario scenario = PhysicsTest.job(PhysicsTest.data(), PhysicsTest.model(1, 1, 1, Sharding.DDP, false))
                .fault(fault)
                .build();
        SimulatedJob job = Simulation.run(scenario);

        KinetoOutput.write(job, folder.resolve("traces"));
        Truth truth = Truth.of(job, "one");
        truth.write(folder);

        try (var files = Files.list(folder.resolve("traces"))) {
            assertThat(files.count()).isEqualTo(16);
        }
        assertThat(truth.faults())
                .singleElement()
                .satisfies(c -> assertThat(c.slowdown()).isBetween(1.1, 1.5));
        assertThat(Files.readString(folder.resolve("truth.json")))
                .contains("\"kind\": \"compute-straggler\"", "\"acceptable_suspects\": [3]", "\"steps\": [11, 13]");
    }

    @Test
    void aRailAndItsMirrorOnTheOtherHostCannotBeToldApart() {
        Layout two =
                Layout.builder().size(Dimension.TP, 8).size(Dimension.DP, 2).build();
        Fault rail = new Fault.SlowRail(3, 2, When.always(11, 13));
        Scenario scenario = PhysicsTest.job(two, PhysicsTest.model(1, 1, 1, Sharding.DDP, false))
                .build();

        assertThat(new LinkIdentity(scenario).suspects(rail)).containsExactly(3, 11);
    }

    @Test
    void oneRingOverAllHostsCannotBeLocated() {
        Fault nic = new Fault.SlowNetwork(new int[] {1}, 2, When.always(11, 13));
        Scenario scenario = PhysicsTest.job(PhysicsTest.data(), PhysicsTest.model(1, 1, 1, Sharding.DDP, false))
                .build();

        assertThat(new LinkIdentity(scenario).locatable(nic)).isFalse();
    }

    @Test
    void everyKindCanBeDrawn() {
        for (ScenarioKind kind : ScenarioKind.values()) {
            Scenario scenario = Scenarios.random(3, kind, Severity.STRONG, 32);
            assertThat(scenario.faults().isEmpty()).as(kind.word()).isNotEqualTo(kind.faulty());
            assertThat(scenario.layout().world()).as(kind.word()).isBetween(8, 64);
        }
    }

    @Test
    void equalSeedsDrawEqualJobs() {
        Scenario a = Scenarios.random(9, ScenarioKind.COMPUTE, Severity.WEAK, 16);
        Scenario b = Scenarios.random(9, ScenarioKind.COMPUTE, Severity.WEAK, 16);

        assertThat(Truth.of(Simulation.run(a), "x").json())
                .isEqualTo(Truth.of(Simulation.run(b), "x").json());
    }

    private static final class Kept implements RecordSink {
        final List<StepDigest> digests = new ArrayList<>();
        final List<KernelWindow> kernels = new ArrayList<>();

        @Nullable
        JobShape shape;

        @Override
        public void digest(StepDigest digest) {
            digests.add(digest);
        }

        @Override
        public void kernels(KernelWindow window) {
            kernels.add(window);
        }

        @Override
        public void shape(JobShape found) {
            this.shape = found;
        }
    }
}
