package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.GroupStep;
import dev.argus.engine.HostGroups;
import dev.argus.engine.Thresholds;
import dev.argus.engine.WaitCodec;
import dev.argus.engine.WaitPartial;
import dev.argus.model.AgentTick;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.OpaqueRecord;
import dev.argus.model.RankState;
import dev.argus.model.StepDigest;
import dev.argus.simulator.RecordOutput;
import dev.argus.simulator.RecordSink;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Wish;
import dev.argus.wire.FrameReader;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.NameBook;
import dev.argus.wire.SessionId;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What a rank-step costs on the way to the server, everything together: the frame of a host and step with its digests, the waits matched inside the host, how far
 * each rank is, a tick, names, and kernel windows; heads and checksums too.
 */
class FrameBytesTest {
    /** Upload budget of a rank-step. */
    private static final int MOST_BYTES = 1_500;

    private static final int STEPS = 15;

    /** Records of one host, step by step. */
    private record Step(List<StepDigest> digests, List<KernelWindow> windows) {}

    /** Bytes, bytes compressed, and rank-steps. */
    private record Cost(long plain, long packed, long rankSteps) {}

    /** With a window of kernels each step, and with one window of the steps, which has at least the bytes of one step's. */
    private static List<Cost> costs(long seed) {
        NameTable names = new NameTable();
        List<StepDigest> digests = new ArrayList<>();
        List<KernelWindow> windows = new ArrayList<>();
        JobShape[] built = new JobShape[1];
        Wish wish = Wish.of(seed, ScenarioKind.HEALTHY).maxRanks(64).stepCount(STEPS);
        RecordOutput.deliver(Simulation.run(Scenarios.draw(wish)), names, new RecordSink() {
            @Override
            public void digest(StepDigest digest) {
                digests.add(digest);
            }

            @Override
            public void kernels(KernelWindow window) {
                windows.add(window);
            }

            @Override
            public void shape(JobShape shape) {
                built[0] = shape;
            }
        });
        JobShape shape = Objects.requireNonNull(built[0]);
        long first = digests.getFirst().step();
        return List.of(
                cost(digests, windows, shape, names),
                cost(digests, windows.stream().filter(w -> w.window() == first).toList(), shape, names));
    }

    private static Cost cost(List<StepDigest> digests, List<KernelWindow> windows, JobShape shape, NameTable names) {
        Map<String, Map<Long, Step>> hosts = new TreeMap<>();
        digests.forEach(d -> step(hosts, shape, d.rank(), d.step()).digests.add(d));
        windows.forEach(w -> step(hosts, shape, w.rank(), w.window()).windows.add(w));
        DetectorGraph graph = new DetectorGraph(shape, names, Thresholds.DEFAULT);
        HostGroups groups = new HostGroups(shape);
        long plain = 0;
        long packed = 0;
        for (Map.Entry<String, Map<Long, Step>> host : hosts.entrySet()) {
            FrameWriter writer = new FrameWriter(new SessionId(1, 1), "job", host.getKey() + "h", names);
            NameBook book = new NameBook(new NameTable());
            for (Step step : host.getValue().values()) {
                fill(writer, step, graph, groups);
                byte[] frame = writer.frame(0, 1_700_000_000_000_000_000L);
                writer.stored();
                assertThat(Objects.requireNonNull(new FrameReader().read(frame, book))
                                .damaged())
                        .isZero();
                plain += frame.length;
                packed += Zstd.compress(frame, 3).length;
            }
        }
        return new Cost(plain, packed, digests.size());
    }

    private static Step step(Map<String, Map<Long, Step>> hosts, JobShape shape, int rank, long step) {
        return hosts.computeIfAbsent(shape.hostOf(rank), h -> new TreeMap<>())
                .computeIfAbsent(step, s -> new Step(new ArrayList<>(), new ArrayList<>()));
    }

    private static void fill(FrameWriter writer, Step step, DetectorGraph graph, HostGroups groups) {
        List<GroupStep> inside = new ArrayList<>();
        for (StepDigest d : step.digests) {
            writer.add(groups.shipped(d));
            writer.add(new RankState(
                    0,
                    d.rank(),
                    d.startNanos(),
                    RankState.ProcessState.ALIVE,
                    d.startNanos(),
                    d.step() + 1,
                    d.startNanos(),
                    d.step(),
                    d.startNanos(),
                    -1,
                    0));
            graph.groupSteps(d).stream().filter(g -> groups.isLocal(g.group())).forEach(inside::add);
        }
        for (WaitPartial w : ShippedLedgerTest.match(graph.waits(), inside)) {
            WireWriter to = new WireWriter();
            WaitCodec.encode(w, to);
            writer.add(new OpaqueRecord(1, to.toByteArray()));
        }
        step.windows.forEach(writer::add);
        writer.add(new AgentTick(1_700_000_000_000_000_000L, 1));
    }

    @Test
    void everythingTogetherStaysWithinTheBudget() {
        for (long seed = 1; seed <= 3; seed++) {
            for (Cost c : costs(seed)) {
                System.out.println("FRAMES seed " + seed + ": " + c.plain / c.rankSteps + " B/rank-step, "
                        + c.packed / c.rankSteps + " compressed");
                assertThat(c.plain / c.rankSteps).as("bytes a rank-step").isLessThanOrEqualTo(MOST_BYTES);
            }
        }
    }
}
