package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.ring.RingDirectory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SimulatedHostTest {
    @Test
    void aStepOfARankHasTheEventsThatAreCounted(@TempDir Path folder) throws Exception {
        Path rings = folder.resolve("rings");
        try (SimulatedHost host = new SimulatedHost(rings, List.of("1:1", "2:2"))) {
            long before = host.records();
            host.step(System.nanoTime(), 1_000_000);
            host.step(System.nanoTime(), 1_000_000);
            long first = host.records();
            host.step(System.nanoTime(), 1_000_000);
            assertThat(before).isPositive();
            // a collective is two records, begun and ended
            long expected = 2L * (SimulatedHost.EVENTS + 2 * SimulatedHost.COLLECTIVES);
            assertThat(host.records() - first).as("besides clocks").isBetween(expected, expected + 4);
        }
        assertThat(RingDirectory.of(rings).list(0).rings())
                .as("two rings a rank")
                .hasSize(4);
    }
}
