package dev.argus.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.simulator.JobModel.Sharding;
import dev.argus.simulator.Layout.Dimension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What must hold in every simulated job, whatever its layout. */
class PhysicsTest {
    private static final int STEPS = 4;

    static JobModel model(int stages, int chunks, int microbatches, Sharding sharding, boolean moe) {
        int[] layers = new int[stages * chunks];
        Arrays.fill(layers, 2);
        return new JobModel(
                2048,
                2048,
                4096,
                16_384,
                layers,
                chunks,
                microbatches,
                sharding,
                moe,
                1,
                Set.of(),
                262_144,
                false,
                5_000,
                60_000,
                300_000,
                1,
                false);
    }

    static Scenario.Builder job(Layout layout, JobModel model) {
        return Scenario.builder(layout, model).seed(5).steps(10, 10 + STEPS - 1);
    }

    static Layout pipeline() {
        return Layout.builder()
                .size(Dimension.TP, 2)
                .size(Dimension.PP, 2)
                .size(Dimension.DP, 4)
                .build();
    }

    static Layout data() {
        return Layout.builder().size(Dimension.DP, 16).build();
    }

    private static List<Scenario> shapes() {
        return List.of(
                job(data(), model(1, 1, 2, Sharding.FSDP, false)).build(),
                job(data(), model(1, 1, 1, Sharding.DDP, false)).build(),
                job(Layout.builder().size(Dimension.DP, 16).shard(8).build(), model(1, 1, 1, Sharding.HSDP, false))
                        .build(),
                job(Layout.builder().size(Dimension.DP, 16).expert(8).build(), model(1, 1, 1, Sharding.ZERO1, true))
                        .build(),
                job(pipeline(), model(2, 1, 4, Sharding.ZERO1, false)).build(),
                job(pipeline(), model(2, 2, 4, Sharding.ZERO1, false)).build(),
                job(
                                Layout.builder()
                                        .size(Dimension.CP, 2)
                                        .size(Dimension.PP, 4)
                                        .build(),
                                model(4, 2, 8, Sharding.DDP, false))
                        .build());
    }

    @Test
    void workOfALaneNeverOverlapsAndNothingBeginsBeforeItsLaunch() {
        for (Scenario scenario : shapes()) {
            SimulatedJob job = Simulation.run(scenario);
            for (int rank = 0; rank < scenario.layout().world(); rank++) {
                long[] laneEnd = new long[Lane.ALL.length];
                for (RankStep step : job.rank(rank)) {
                    for (int i = 0; i < step.program().ops.length; i++) {
                        Op op = step.program().ops[i];
                        if (op.onGpu()) {
                            assertThat(step.start()[i])
                                    .isGreaterThanOrEqualTo(laneEnd[op.lane().ordinal()]);
                            assertThat(step.start()[i]).isGreaterThan(step.launch()[i]);
                            assertThat(step.end()[i]).isGreaterThan(step.start()[i]);
                            laneEnd[op.lane().ordinal()] = step.end()[i];
                        }
                    }
                }
            }
        }
    }

    @Test
    void membersOfACollectiveEndTogetherAfterTheLastHasArrived() {
        for (Scenario scenario : shapes()) {
            SimulatedJob job = Simulation.run(scenario);
            for (GroupKind kind : List.of(GroupKind.TENSOR, GroupKind.DATA, GroupKind.SHARD, GroupKind.WORLD)) {
                for (Group group : scenario.layout().groups(kind)) {
                    endTogether(job, group);
                }
            }
        }
    }

    private static void endTogether(SimulatedJob job, Group group) {
        for (int s = 0; s < STEPS; s++) {
            List<RankStep> all = job.step(s);
            int count = all.get(group.rank(0)).program().collectiveCount(group.kind());
            for (int ordinal = 0; ordinal < count; ordinal++) {
                long firstEnd = Long.MAX_VALUE;
                long lastEnd = Long.MIN_VALUE;
                long lastStart = Long.MIN_VALUE;
                for (int member : group.ranks()) {
                    RankStep own = all.get(member);
                    int at = own.program().collective(group.kind(), ordinal);
                    firstEnd = Math.min(firstEnd, own.end()[at]);
                    lastEnd = Math.max(lastEnd, own.end()[at]);
                    lastStart = Math.max(lastStart, own.start()[at]);
                }
                assertThat(firstEnd).isGreaterThan(lastStart);
                assertThat(lastEnd - firstEnd).isLessThan(2_000);
            }
        }
    }

    @Test
    void theCulpritHasTheShortestCollectives() {
        Scenario scenario = job(data(), model(1, 1, 1, Sharding.DDP, false))
                .fault(new Fault.SlowClock(new int[] {3}, 1.5, false, When.always(10, 13)))
                .build();
        SimulatedJob job = Simulation.run(scenario);
        List<Integer> shortest = new ArrayList<>();
        for (RankStep step : job.step(2)) {
            long sum = 0;
            for (int k = 0; k < step.program().collectiveCount(GroupKind.DATA); k++) {
                int at = step.program().collective(GroupKind.DATA, k);
                sum += step.end()[at] - step.start()[at];
            }
            shortest.add((int) (sum / 1000));
        }
        assertThat(shortest.indexOf(shortest.stream().min(Integer::compare).orElseThrow()))
                .isEqualTo(3);
    }

    @Test
    void aSlowBackwardPassLeavesTheForwardPassAlone() {
        Fault fault = new Fault.SlowBackward(new int[] {5}, 1.9, When.always(10, 13));
        Scenario with =
                job(data(), model(1, 1, 2, Sharding.DDP, false)).fault(fault).build();
        RankStep slow = Simulation.run(with).step(1).get(5);
        RankStep well = Simulation.run(with.without(fault)).step(1).get(5);
        Op[] ops = slow.program().ops;
        for (int i = 0; i < ops.length; i++) {
            KernelKind kind = ops[i].kernel();
            if (kind != null) {
                double ratio = (slow.end()[i] - slow.start()[i]) / (double) (well.end()[i] - well.start()[i]);
                boolean backward =
                        kind.name().endsWith("_BACKWARD") || kind.name().matches("(DATA|WEIGHT)_GRADIENT");
                assertThat(ratio).as(kind.name()).isBetween(backward ? 1.89 : 0.999, backward ? 1.91 : 1.001);
            }
        }
    }

    @Test
    void theTimesOfStepsAreThoseOfTheWholeJob() {
        for (Scenario scenario : shapes()) {
            SimulatedJob job = Simulation.run(scenario);
            StepTimes times = Simulation.times(scenario);

            assertThat(times.total()).isEqualTo(job.totalNanos());
            for (int i = 0; i < scenario.stepCount(); i++) {
                double sum = 0;
                for (RankStep rank : job.step(i)) {
                    boolean last = i + 1 == scenario.stepCount();
                    long end = last
                            ? rank.finish()
                            : job.step(i + 1).get(rank.rank()).begin();
                    sum += end - rank.begin();
                }
                assertThat(times.nanos(i)).isCloseTo(sum / scenario.layout().world(), within(1e-3));
            }
        }
    }

    @Test
    void equalScenariosGiveEqualJobs() {
        Scenario scenario = shapes().get(4);

        assertThat(Simulation.run(scenario).totalNanos())
                .isEqualTo(Simulation.run(scenario).totalNanos());
    }

    @Test
    void whatAFaultCostsIsNotNegativeAndGrowsWithIt() {
        double before = -1;
        for (double factor : new double[] {1, 1.2, 1.5}) {
            Fault fault = new Fault.SlowClock(new int[] {5}, factor, false, When.always(11, 13));
            SimulatedJob job = Simulation.run(job(pipeline(), model(2, 1, 4, Sharding.ZERO1, false))
                    .fault(fault)
                    .build());
            double cost = FaultTruth.of(job, fault, Set.of()).slowdown();
            assertThat(cost).isGreaterThan(before).isGreaterThanOrEqualTo(1);
            before = cost;
        }
    }

    @Test
    void aStallShorterThanTheBacklogIsInvisible() {
        Fault hidden = new Fault.Stalls(Fault.Stall.CPU, new int[] {5}, 100_000, 0.5, false, When.once(11));
        Fault seen = new Fault.Stalls(Fault.Stall.CPU, new int[] {5}, 200_000_000, 0.5, false, When.once(11));
        Scenario.Builder quiet = job(data(), model(1, 1, 2, Sharding.FSDP, false));
        SimulatedJob both = Simulation.run(quiet.fault(hidden).fault(seen).build());

        assertThat(FaultTruth.of(Simulation.run(both.scenario().without(seen)), hidden, Set.of())
                        .nanos())
                .isLessThan(20_000);
        assertThat(FaultTruth.of(both, seen, Set.of()).nanos()).isGreaterThan(100_000_000);
    }

    @Test
    void takingAFaultOutChangesNothingBeforeItsOnset() {
        Fault fault = new Fault.SlowClock(new int[] {5}, 1.5, false, When.always(12, 13));
        Scenario with = job(pipeline(), model(2, 1, 4, Sharding.ZERO1, false))
                .fault(fault)
                .build();
        SimulatedJob sick = Simulation.run(with);
        SimulatedJob well = Simulation.run(with.without(fault));

        assertThat(sick.stepNanos(0)).isEqualTo(well.stepNanos(0));
        assertThat(sick.stepNanos(1)).isEqualTo(well.stepNanos(1));
        assertThat(sick.stepNanos(2)).isGreaterThan(1.02 * well.stepNanos(2));
    }

    @Test
    void aSlowLinkMakesTransfersLongWithNobodyLate() {
        Layout hosts = Layout.builder()
                .size(Dimension.TP, 8)
                .size(Dimension.DP, 2)
                .size(Dimension.PP, 2)
                .build();
        Fault rail = new Fault.SlowRail(3, 4, When.always(10, 13));
        Scenario scenario =
                job(hosts, model(2, 1, 2, Sharding.DDP, false)).fault(rail).build();
        SimulatedJob job = Simulation.run(scenario);
        double hit = shortest(job, hosts.group(3, GroupKind.DATA));

        for (Group group : hosts.groups(GroupKind.DATA)) {
            double ratio = hit / shortest(job, group);
            assertThat(ratio).isBetween(group.indexOf(3) >= 0 ? 0.999 : 2.5, group.indexOf(3) >= 0 ? 1.001 : 5.0);
        }
    }

    /** Sum over the collectives of a step of the shortest member: the transfers. */
    private static double shortest(SimulatedJob job, Group group) {
        double sum = 0;
        List<RankStep> all = job.step(1);
        int count = all.get(group.rank(0)).program().collectiveCount(group.kind());
        for (int ordinal = 0; ordinal < count; ordinal++) {
            long least = Long.MAX_VALUE;
            for (int member : group.ranks()) {
                RankStep own = all.get(member);
                int at = own.program().collective(group.kind(), ordinal);
                least = Math.min(least, own.end()[at] - own.start()[at]);
            }
            sum += least;
        }
        return sum;
    }
}
