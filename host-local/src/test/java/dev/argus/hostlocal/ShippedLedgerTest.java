package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.DetectorGraph;
import dev.argus.engine.GroupStep;
import dev.argus.engine.HostGroups;
import dev.argus.engine.Out;
import dev.argus.engine.Partial;
import dev.argus.engine.Thresholds;
import dev.argus.engine.WaitCodec;
import dev.argus.engine.WaitPartial;
import dev.argus.model.NameTable;
import dev.argus.model.StepDigest;
import dev.argus.simulator.CaseFolder;
import dev.argus.simulator.Dialect;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Wish;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import dev.argus.wire.ShippedDigestCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ledger of waits as a server would have it, from what hosts ship (groups inside a host matched there, of the others quantised instances),
 * against one computed from the raw events by brute force: equal within the stated error, one unit an instance and member.
 */
class ShippedLedgerTest {
    private static final long UNIT = ShippedDigestCodec.QUANTUM_NANOS;

    /** Upload budget of a rank-step, everything together. */
    private static final int MOST_BYTES = 1_500;

    private static Map<Integer, long[]> sums(List<WaitPartial> waits) {
        Map<Integer, long[]> sums = new TreeMap<>();
        for (WaitPartial w : waits) {
            for (int i = 0; i < w.ranks().length; i++) {
                long[] sum = sums.computeIfAbsent(w.ranks()[i], r -> new long[2]);
                sum[0] += w.sufferedNanos()[i];
                sum[1] += w.causedNanos()[i];
            }
        }
        return sums;
    }

    static <S> List<WaitPartial> match(DetectorGraph.Node<GroupStep, S> node, List<GroupStep> records) {
        List<WaitPartial> waits = new ArrayList<>();
        Out out = new Out() {
            @Override
            public void emit(Partial partial) {
                if (partial instanceof WaitPartial w) {
                    waits.add(w);
                }
            }

            @Override
            public void timer(long eventNanos) {}

            @Override
            public void loss(String reason) {}
        };
        Map<Long, S> states = new HashMap<>();
        for (GroupStep r : records) {
            long key = node.transform().key(r);
            node.transform().onRecord(states.computeIfAbsent(key, node.transform()::fresh), r, out);
        }
        states.values().forEach(s -> node.transform().onTimer(s, Long.MAX_VALUE, out));
        return waits;
    }

    private static void check(Path traces) throws IOException {
        Script script = Script.of(traces);
        DetectorGraph graph = new DetectorGraph(script.shape(), script.names(), Thresholds.DEFAULT);
        HostGroups hosts = new HostGroups(script.shape());
        List<GroupStep> inside = new ArrayList<>();
        List<GroupStep> across = new ArrayList<>();
        WireWriter wire = new WireWriter();
        long bytes = 0;
        int digests = 0;
        for (Script.Line line : script.lines()) {
            if (line.content() instanceof StepDigest d && !d.partial()) {
                graph.groupSteps(d).stream()
                        .filter(g -> hosts.isLocal(g.group()))
                        .forEach(inside::add);
                wire.reset();
                ShippedDigestCodec.encode(hosts.shipped(d), script.names()::name, wire);
                bytes += wire.length();
                digests++;
                StepDigest received = ShippedDigestCodec.decode(new WireReader(wire.toByteArray()), script.names()::id);
                across.addAll(graph.groupSteps(received));
            }
        }
        List<WaitPartial> waits = new ArrayList<>(match(graph.waits(), across));
        for (WaitPartial w : match(graph.waits(), inside)) {
            wire.reset();
            WaitCodec.encode(w, wire);
            bytes += wire.length();
            waits.add(WaitCodec.decode(new WireReader(wire.toByteArray())));
        }
        RawLedger raw = RawLedger.of(traces, new NameTable());
        assertThat(raw.instances()).as("collectives matched").isPositive();
        assertThat(waits.stream().mapToLong(WaitPartial::instances).sum()).isEqualTo(raw.instances());
        Map<Integer, long[]> ledger = sums(waits);
        long suffered = 0;
        long caused = 0;
        for (Map.Entry<Integer, long[]> e : ledger.entrySet()) {
            RawLedger.Rank truth = raw.rank(e.getKey());
            String who = "rank " + e.getKey();
            long error = UNIT * truth.instances();
            assertThat(Math.abs(e.getValue()[0] - truth.suffered()))
                    .as("waits of " + who)
                    .isLessThanOrEqualTo(error);
            assertThat(e.getValue()[1])
                    .as("waits for " + who)
                    .isBetween(
                            truth.causedLeast() - truth.causedError(UNIT),
                            truth.causedMost() + truth.causedError(UNIT));
            suffered += e.getValue()[0];
            caused += e.getValue()[1];
        }
        assertThat(caused).as("nobody causes more than others suffer").isLessThanOrEqualTo(suffered);
        assertThat(bytes / digests).as("bytes a rank-step").isLessThanOrEqualTo(MOST_BYTES);
        System.out.println("SHIPPED " + traces.getFileName() + " " + bytes / digests + " B/rank-step, "
                + raw.instances() + " instances, suffered " + suffered / 1000000 + " ms");
    }

    @Test
    void simulatedJobs(@TempDir Path folder) throws IOException {
        for (ScenarioKind kind : List.of(ScenarioKind.COMPUTE, ScenarioKind.CPU_STALL, ScenarioKind.HEALTHY)) {
            for (long seed = 1; seed <= 2; seed++) {
                Path to = folder.resolve(kind.word() + seed);
                Wish wish = Wish.of(seed, kind).maxRanks(16).stepCount(5).dialect(Dialect.PLAIN);
                CaseFolder.write(Simulation.run(Scenarios.draw(wish)), to, kind.word(), (rank, file) -> {});
                check(to.resolve("traces"));
            }
        }
    }

    @Requires(Need.SHARED)
    @TestFactory
    Stream<DynamicTest> labelledCases() {
        return Stream.of("d05-gemmfam-16", "d10-uneven-stage", "d15-data-16", "d25-two-16")
                .map(name -> DynamicTest.dynamicTest(name, () -> check(Shared.path("data/cases/" + name + "/traces"))));
    }
}
