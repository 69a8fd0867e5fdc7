package dev.argus.hostlocal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.hostlocal.report.HeatMap.Layer;
import dev.argus.hostlocal.report.HeatMap.Measure;
import dev.argus.model.JobShape;
import dev.argus.model.OwnTime;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ranks by steps: codes, folding, and cells that are no values. */
class HeatMapTest {
    private static final long MS = 1_000_000;

    private static JobShape shape(int world, RankSet read, List<RankSet> peers) {
        Map<Integer, String> hosts = new HashMap<>();
        read.stream().forEach(r -> hosts.put(r, "host" + r / 8));
        return new JobShape(
                0,
                world,
                read,
                hosts,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                peers,
                peers.stream().map(RankSet::toString).toList());
    }

    private static JobShape shape(int world) {
        RankSet all = RankSet.range(0, world - 1);
        return shape(world, all, List.of(all));
    }

    private static StepDigest digest(int rank, long step, long computeNanos, boolean cut) {
        OwnTime own = new OwnTime(computeNanos, 0, MS, 0, 0);
        return new StepDigest(
                0, rank, step, step, 10 * MS, false, cut, true, own, 0, 0, 1, 1, List.of(), List.of(), List.of());
    }

    private static Layer layer(HeatMap map, Measure measure) {
        return map.layers().stream()
                .filter(l -> l.measure() == measure)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void codesAreFineAndClamped() {
        for (double ratio : new double[] {0.5, 0.9, 1, 1.003, 1.22, 7, 900}) {
            assertThat(HeatMap.ratio(HeatMap.ratioCode(ratio))).isCloseTo(ratio, within(0.0002 * ratio));
        }
        assertThat(HeatMap.ratioCode(1)).isZero();
        assertThat(HeatMap.ratioCode(0)).isGreaterThan(HeatMap.NO_PEERS);
        assertThat(HeatMap.ratioCode(Double.MAX_VALUE)).isPositive();
        for (long nanos : new long[] {1, 999, 222_442_191, 7_200_000_000_000L, Long.MAX_VALUE}) {
            assertThat(HeatMap.nanos(HeatMap.nanosCode(nanos))).isCloseTo((double) nanos, within(0.0004 * nanos));
        }
        assertThat((int) HeatMap.nanosCode(0)).isEqualTo(1);
    }

    @Test
    void unfoldedCellsHoldRatioAndTimeOfOneRankAndStep() {
        HeatMapBuilder builder = new HeatMapBuilder(shape(8), RankSet.of(3), 2);
        for (long step = 5; step < 7; step++) {
            List<StepDigest> digests = new ArrayList<>();
            for (int r = 0; r < 8; r++) {
                digests.add(digest(r, step, r == 3 && step == 6 ? 15 * MS : 10 * MS, false));
            }
            builder.add(step, digests);
        }
        HeatMap map = builder.build();
        Layer own = layer(map, Measure.OWN);
        assertThat(map.rows()).hasSize(8);
        assertThat(map.rows().get(3).suspect()).isTrue();
        assertThat(map.columnFirst()).containsExactly(5, 6);
        assertThat(HeatMap.ratio(own.ratios()[3 * 2 + 1])).isCloseTo(1.5, within(0.001));
        assertThat(HeatMap.ratio(own.ratios()[3 * 2])).isEqualTo(1);
        assertThat(HeatMap.nanos(own.nanos()[3 * 2 + 1])).isCloseTo(15.0 * MS, within(0.001 * 15 * MS));
        assertThat(own.worst()).isEmpty();
    }

    @Test
    void whatIsNoValueIsMarkedAndNeverColoured() {
        JobShape shape = shape(4, RankSet.of(0, 1, 2), List.of(RankSet.of(0, 1), RankSet.of(2)));
        HeatMapBuilder builder = new HeatMapBuilder(shape, RankSet.EMPTY, 1);
        builder.add(1, List.of(digest(0, 1, MS, false), digest(1, 1, MS, true), digest(2, 1, MS, false)));
        Layer own = layer(builder.build(), Measure.OWN);
        assertThat(own.ratios()).containsExactly(HeatMap.NO_PEERS, HeatMap.CUT, HeatMap.NO_PEERS, HeatMap.MISSING);
        assertThat((int) own.nanos()[3]).isZero();
    }

    @Test
    void oneBadCellOfMillionsStaysVisible() {
        int world = 12_960;
        int steps = 300;
        HeatMapBuilder builder = new HeatMapBuilder(shape(world), RankSet.EMPTY, steps);
        for (int step = 0; step < steps; step++) {
            List<StepDigest> digests = new ArrayList<>();
            for (int r = 0; r < world; r++) {
                digests.add(digest(r, step, r == 7_777 && step == 123 ? 30 * MS : 10 * MS, false));
            }
            builder.add(step, digests);
        }
        HeatMap map = builder.build();
        assertThat(map.rows()).hasSizeLessThanOrEqualTo(HeatMap.MOST_ROWS);
        assertThat(map.columnFirst()).hasSizeLessThanOrEqualTo(HeatMap.MOST_COLUMNS);
        Layer own = layer(map, Measure.OWN);
        int bad = 0;
        for (int cell = 0; cell < own.ratios().length; cell++) {
            if (own.ratios()[cell] != 0) {
                bad++;
                int row = cell / map.columnFirst().length;
                int column = cell % map.columnFirst().length;
                assertThat(HeatMap.ratio(own.ratios()[cell])).isCloseTo(3, within(0.001));
                int rank = map.rows().get(row).ranks().get(own.worst()[cell] / map.stepsPerColumn());
                assertThat(rank).isEqualTo(7_777);
                assertThat(map.columnFirst()[column] + own.worst()[cell] % map.stepsPerColumn())
                        .isEqualTo(123);
            }
        }
        assertThat(bad).isEqualTo(1);
    }

    /** Cells of so many ranks and steps that 65,536 places do not tell them apart keep the rank. */
    @Test
    void theRankOfTheWorstStaysExactInCellsOfAnySize() {
        int world = 100_000;
        int steps = HeatMap.MOST_COLUMNS * 300;
        HeatMapBuilder builder = new HeatMapBuilder(shape(world), RankSet.EMPTY, steps);
        for (int step = 0; step < 300; step++) {
            List<StepDigest> digests = new ArrayList<>();
            for (int r = 781; r < 790; r++) {
                digests.add(digest(r, step, r == 781 && step == 299 ? 30 * MS : 10 * MS, false));
            }
            builder.add(step, digests);
        }
        HeatMap map = builder.build();
        assertThat((long) map.ranksPerRow() * map.stepsPerColumn()).isGreaterThan(1 << 16);
        int row = 781 / map.ranksPerRow();
        int worst = layer(map, Measure.OWN).worst()[row * map.columnFirst().length];
        assertThat(map.rows().get(row).ranks().get(worst / map.stepPlaces())).isEqualTo(781);
        assertThat(worst % map.stepPlaces()).isEqualTo(map.stepPlaces() - 1);
    }

    @Test
    void ranksOfAMostlyUnreadWorldHaveNoRow() {
        HeatMapBuilder builder =
                new HeatMapBuilder(shape(1000, RankSet.range(0, 7), List.of(RankSet.range(0, 7))), RankSet.EMPTY, 1);
        builder.add(0, List.of());
        assertThat(builder.build().rows()).hasSize(8);
        assertThat(builder.build().ranksLeftOut()).isEqualTo(992);
    }
}
