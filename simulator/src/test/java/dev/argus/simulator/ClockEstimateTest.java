package dev.argus.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.clocks.ClockAlignment;
import dev.argus.digest.clocks.ClockMeetings;
import dev.argus.digest.clocks.Placement;
import dev.argus.model.HostClock;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Clocks of simulated jobs, estimated from their records, against the true ones. */
class ClockEstimateTest {
    private static final int JOBS = 20;

    private int asked;
    private int held;
    private double worst;

    private static final class Records implements RecordSink {
        final TreeMap<Long, List<StepDigest>> steps = new TreeMap<>();

        @Nullable
        JobShape shape;

        @Override
        public void digest(StepDigest digest) {
            steps.computeIfAbsent(digest.step(), s -> new ArrayList<>()).add(digest);
        }

        @Override
        public void kernels(KernelWindow window) {}

        @Override
        public void shape(JobShape of) {
            shape = of;
        }
    }

    private static ClockAlignment align(SimulatedJob job) {
        Records records = new Records();
        RecordOutput.deliver(job, new NameTable(), records);
        ClockMeetings meetings = new ClockMeetings(Objects.requireNonNull(records.shape));
        records.steps.values().forEach(list -> {
            list.forEach(meetings::take);
            meetings.endStep();
        });
        return meetings.align();
    }

    private static Scenario draw(int seed) {
        ScenarioKind[] kinds = ScenarioKind.values();
        long skew = new long[] {100_000, 2_000_000, 100_000_000, 2_000_000_000}[seed % 4];
        boolean arguments = seed % 5 != 0;
        return Scenarios.draw(Wish.of(seed, kinds[seed % kinds.length])
                .maxRanks(40)
                .stepCount(6 + seed % 9)
                .dialect(new Dialect(false, arguments, true, true, false, skew, 5 * Math.pow(40, (seed % 7) / 6.0))));
    }

    @Test
    void lieWithinTheStatedBounds() {
        for (int seed = 0; seed < JOBS; seed++) {
            SimulatedJob job = Simulation.run(draw(seed));
            ClockAlignment alignment = align(job);
            Layout layout = job.scenario().layout();
            for (HostClock c : alignment.clocks()) {
                for (double share : new double[] {0, 0.5, 1}) {
                    long at = (long) (share * job.totalNanos());
                    check(job, layout, alignment, c, at);
                }
            }
        }
        assertThat(asked).isGreaterThan(100);
        assertThat((double) held / asked).isGreaterThanOrEqualTo(0.95);
        assertThat(worst).isLessThanOrEqualTo(2);
    }

    private void check(SimulatedJob job, Layout layout, ClockAlignment alignment, HostClock c, long at) {
        int host = number(layout, c.host());
        Placement p = alignment.toReference(c.host(), job.clocks().shown(host, at));
        if (p instanceof Placement.Placed placed && !c.isReference()) {
            long truth = job.clocks().shown(number(layout, placed.reference()), at);
            double error = Math.abs(placed.nanos() - truth);
            asked++;
            held += error <= placed.errorNanos() ? 1 : 0;
            worst = Math.max(worst, error / placed.errorNanos());
            if (error > placed.errorNanos() || placed.errorNanos() > 20_000)
                System.out.println("CLK " + job.scenario().name() + " seed "
                        + job.scenario().seed() + " error " + error + " " + placed + " " + c);
        } else if (!c.isAligned())
            System.out.println("CLK " + job.scenario().name() + " seed "
                    + job.scenario().seed() + " " + layout.order() + " " + c.refusal());
    }

    private static int number(Layout layout, String name) {
        for (int h = 0; h < layout.hosts(); h++) {
            if (layout.hostName(h).equals(name)) {
                return h;
            }
        }
        throw new AssertionError("no host is called " + name);
    }
}
