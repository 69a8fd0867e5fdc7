package dev.argus.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.RankAssembler;
import dev.argus.model.CollectiveCall;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StepDigest;
import dev.argus.ring.LaunchedCalls;
import dev.argus.ring.LossReason;
import dev.argus.ring.ProcessLife;
import dev.argus.ring.RingClock;
import dev.argus.ring.RingDirectory;
import dev.argus.ring.RingDirectory.Entry;
import dev.argus.ring.RingEvents;
import dev.argus.ring.RingIdentity;
import dev.argus.ring.RingMarks;
import dev.argus.ring.RingReader;
import dev.argus.simulator.JobModel.Sharding;
import dev.argus.sketch.StepWindows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live job through rings is the job that was simulated. */
class RingOutputTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long BEGIN = 100 * SECOND;
    private static final int STEPS = 3;
    private static final LivePace PACE = new LivePace(1, 1, 5);

    /** Clocks that are all right, so that times can be compared. */
    private static final Dialect PLAIN = new Dialect(false, true, true, true, false, 0, 0);

    private final NameTable names = new NameTable();

    private static LiveSimulation job(ScenarioKind kind) {
        JobModel model = PhysicsTest.model(2, 1, 2, Sharding.ZERO1, false);
        Scenario scenario = PhysicsTest.job(PhysicsTest.pipeline(), model)
                .steps(0, STEPS - 1)
                .dialect(PLAIN)
                .build();
        return new LiveSimulation(scenario, PACE, List.of(kind));
    }

    private static final class Kept implements RecordSink {
        final List<StepDigest> digests = new ArrayList<>();
        final List<KernelWindow> kernels = new ArrayList<>();

        @Override
        public void digest(StepDigest digest) {
            if (digest.step() < STEPS) {
                digests.add(digest);
            }
        }

        @Override
        public void kernels(KernelWindow window) {
            if (window.window() < STEPS) {
                kernels.add(window);
            }
        }

        @Override
        public void shape(JobShape shape) {}
    }

    /** What a producer tells beside events; counted only. */
    private static final class Marks implements RingMarks {
        int steps;
        int spans;
        int collectives;
        int losses;

        @Override
        public void stepBegun(long step, long startNanos, int thread) {
            steps++;
        }

        @Override
        public void stepWithoutSignals(long step) {}

        @Override
        public void spanBegun(int name, long startNanos, int thread) {
            spans++;
        }

        @Override
        public void collectiveBegun(CollectiveCall call, int name, long startNanos) {
            collectives++;
        }

        @Override
        public void lost(LossReason reason, long fromNanos, long toNanos, long count) {
            losses++;
        }
    }

    /** The same steps as records without a ring. */
    private Kept direct(LiveSimulation job) {
        List<List<RankStep>> steps = new ArrayList<>();
        for (int i = 0; i <= STEPS; i++) { // the last one has no next, which shows in its end
            steps.add(job.next());
        }
        Kept kept = new Kept();
        RecordOutput.deliver(new SimulatedJob(job.scenario(), steps), names, kept);
        return kept;
    }

    private Kept throughRings(LiveSimulation job, Path folder, Marks marks) throws IOException {
        long zero = new HostClocks(job.scenario()).shown(0, 0);
        long epochOffset = zero - (BEGIN - job.zeroNanos());
        Kept kept = new Kept();
        List<Rank> ranks = new ArrayList<>();
        try (RingOutput out = RingOutput.open(job, folder, "demo", BEGIN, BEGIN + epochOffset)) {
            for (Entry entry : rings(folder)) {
                assertThat(entry.life()).isEqualTo(ProcessLife.UNSEEN);
                ranks.add(new Rank(entry, epochOffset, marks));
            }
            ranks.forEach(Rank::drain);
            for (long now = BEGIN; now < BEGIN + (STEPS + 4) * job.stepNanos(); now += SECOND / 1000) {
                out.until(now, now + epochOffset);
                ranks.forEach(Rank::drain);
            }
            assertThat(out.lost()).isZero();
        }
        ranks.sort(Comparator.comparingInt(r -> r.identity.rank()));
        for (Rank r : ranks) {
            r.finish(kept);
        }
        return kept;
    }

    private static List<Entry> rings(Path folder) throws IOException {
        RingDirectory.Listing listing = RingDirectory.of(folder).list(BEGIN);
        assertThat(listing.problems()).isEmpty();
        return listing.rings();
    }

    private final class Rank {
        final RingIdentity identity = new RingIdentity();
        final RankAssembler assembler = new RankAssembler(names);
        final RingReader reader;
        final RingEvents events;

        Rank(Entry entry, long epochOffset, Marks marks) throws IOException {
            reader = RingReader.open(entry.path(), names, BEGIN);
            RingClock clock = new RingClock(reader.header().clock(), epochOffset);
            events = new RingEvents(reader.header(), names, clock, identity, new LaunchedCalls(), assembler, marks);
        }

        void drain() {
            reader.drain(events, 1 << 16);
        }

        void finish(Kept to) throws IOException {
            int rank = identity.rank();
            StepWindows kernels = new StepWindows(0, rank, to::kernels);
            assembler.finish(rank, false, to::digest, kernels::add);
            kernels.flush();
            reader.close();
        }
    }

    private static List<String> numbers(StepDigest digest) {
        return digest.collectives().stream()
                .filter(c -> !c.op().isPointToPoint())
                .map(c -> c.op() + " " + c.group() + " " + c.sequence() + " " + c.startNanos())
                .toList();
    }

    @Test
    void recordsThroughRingsAreThoseOfTheSimulation(@TempDir Path temp) throws IOException {
        Marks marks = new Marks();

        Kept rings = throughRings(job(ScenarioKind.COMPUTE), temp.resolve("rings"), marks);
        Kept direct = direct(job(ScenarioKind.COMPUTE));

        assertThat(direct.digests).hasSize(16 * STEPS);
        assertThat(rings.digests).hasSameSizeAs(direct.digests);
        for (int i = 0; i < direct.digests.size(); i++) {
            // two that begin at one nanosecond stand in the order in which they ended, not in that of their launch
            assertThat(rings.digests.get(i))
                    .usingRecursiveComparison()
                    .ignoringCollectionOrderInFields("collectives")
                    .ignoringFields(
                            "collectives.sequence") // messages have none in a trace; producers count them by pair
                    .isEqualTo(direct.digests.get(i));
            assertThat(numbers(rings.digests.get(i)))
                    .containsExactlyInAnyOrderElementsOf(numbers(direct.digests.get(i)));
        }
        assertThat(rings.kernels).hasSize(16 * STEPS).hasSameSizeAs(direct.kernels);
        for (int i = 0; i < direct.kernels.size(); i++) {
            assertThat(rings.kernels.get(i)).isEqualTo(direct.kernels.get(i));
        }
        assertThat(marks.losses).isZero();
        assertThat(marks.steps).isGreaterThanOrEqualTo(16 * STEPS);
        assertThat(marks.spans).isGreaterThan(16 * STEPS);
        assertThat(marks.collectives).isGreaterThan(16 * STEPS);
    }
}
