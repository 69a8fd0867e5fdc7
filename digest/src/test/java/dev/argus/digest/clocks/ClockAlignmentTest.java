package dev.argus.digest.clocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.CollectiveOp;
import dev.argus.model.HostClock;
import dev.argus.model.HostClock.Refusal;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clocks that are known: estimated within the stated bounds, or refused with the reason. */
class ClockAlignmentTest {
    private static final int SEEDS = 150;

    /** How many bounds were asked for and how many held. */
    private static final class Tally {
        int asked;
        int held;
        double worst;

        void add(double error, double bound) {
            asked++;
            held += error <= bound ? 1 : 0;
            worst = Math.max(worst, error / bound);
        }

        void add(double error, long bound) {
            add(error, (double) bound);
        }

        void add(long error, long bound) {
            add((double) error, (double) bound);
        }

        void holds() {
            assertThat(asked).isGreaterThan(SEEDS);
            assertThat((double) held / asked).isGreaterThanOrEqualTo(0.95);
            assertThat(worst).isLessThanOrEqualTo(2);
        }
    }

    private static ClockScene random(long seed) {
        SplittableRandom r = new SplittableRandom(seed);
        int hosts = 2 + r.nextInt(7);
        ClockScene s = new ClockScene(seed * 31, hosts, r.nextInt(5) == 0 ? 1 : 4).inside();
        for (int h = 0; h < hosts; h++) {
            double offset = (2 * r.nextDouble() - 1) * (h == 1 ? 3e9 : 1e8);
            s.clock(h, offset, (2 * r.nextDouble() - 1) * (h % 2 == 0 ? 200 : 20));
        }
        if (r.nextBoolean()) {
            s.world();
        } else {
            for (int h = 0; h + 1 < hosts; h++) {
                s.across(h, h + 1);
            }
        }
        s.numbered = r.nextBoolean();
        s.steps = 3 + r.nextInt(20);
        s.calls = 4 + r.nextInt(40);
        s.jitterNanos = 300 + 8_000 * r.nextDouble();
        s.lateShare = r.nextBoolean() ? 0.12 * r.nextDouble() : 0;
        if (s.perHost > 1 && r.nextBoolean()) {
            s.missing.add(s.perHost * hosts - 1);
        }
        return s;
    }

    @Test
    void offsetsAndDriftsLieWithinTheirBounds() {
        Tally offsets = new Tally();
        Tally drifts = new Tally();
        for (long seed = 0; seed < SEEDS; seed++) {
            ClockScene s = random(seed);
            for (HostClock c : s.align().clocks()) {
                int host = Integer.parseInt(c.host().substring(4));
                assertThat(c.refusal()).as("seed %d, %s", seed, c).isNull();
                assertThat(c.reference()).isEqualTo("host0");
                if (host > 0) {
                    offsets.add(Math.abs(c.offsetNanos() - s.trueApart(host, 0, c.atNanos())), c.errorNanos());
                    double grown = s.trueApart(host, 0, c.atNanos() + 500_000_000)
                            - s.trueApart(host, 0, c.atNanos() - 500_000_000);
                    drifts.add(Math.abs(c.driftPpm() - grown / 1e3), c.driftErrorPpm());
                }
            }
        }
        offsets.holds();
        drifts.holds();
    }

    @Test
    void momentsArePutOnTheReferenceWithinTheirBoundsAlsoOutsideOfTheRecord() {
        Tally tally = new Tally();
        for (long seed = 0; seed < SEEDS; seed++) {
            ClockScene s = random(1_000 + seed);
            ClockAlignment alignment = s.align();
            double length = s.steps * s.stepSeconds;
            for (double at : new double[] {-0.5 * length, 0, 0.3 * length, length, 1.5 * length}) {
                for (int h = 0; h < s.hosts; h++) {
                    Placement.Placed p = placed(alignment.toReference(ClockScene.host(h), s.shown(h, at)));
                    if (h > 0) {
                        tally.add(Math.abs(p.nanos() - s.shown(0, at)), p.errorNanos());
                    } else {
                        assertThat(p).isEqualTo(new Placement.Placed(s.shown(0, at), 0, "host0"));
                    }
                }
            }
        }
        tally.holds();
    }

    @Test
    void oneMeetingAStepIsEnough() {
        Tally offsets = new Tally();
        Tally drifts = new Tally();
        for (long seed = 0; seed < 4 * SEEDS; seed++) {
            ClockScene s =
                    new ClockScene(seed, 2, seed % 2 == 0 ? 2 : 4).inside().clock(1, seed * 1e5, (double) (seed % 200));
            s = seed % 2 == 0 ? s.across(0, 1) : s.world();
            s.calls = 1;
            s.steps = 5 + (int) (seed % 6);
            s.jitterNanos = 200 + 20 * seed;
            s.lateShare = seed % 3 == 0 ? 0.03 : 0;
            HostClock c = s.align().clocks().get(1);
            if (c.isAligned()) {
                offsets.add(Math.abs(c.offsetNanos() - s.trueApart(1, 0, c.atNanos())), c.errorNanos());
                drifts.add(Math.abs(c.driftPpm() - seed % 200), c.driftErrorPpm());
            } else {
                assertThat(c.refusal()).isEqualTo(Refusal.RESIDUALS_TOO_LARGE);
            }
        }
        offsets.holds();
        drifts.holds();
    }

    private static Placement.Placed placed(Placement p) {
        assertThat(p).isInstanceOf(Placement.Placed.class);
        return (Placement.Placed) p;
    }

    @Test
    void boundsAreWorthHavingAndAddUpAlongAWay() {
        ClockScene s = new ClockScene(5, 12, 2).inside();
        for (int h = 0; h < 12; h++) {
            s.clock(h, h * 7e6, h * 10);
            if (h > 0) {
                s.across(h - 1, h);
            }
        }
        List<HostClock> clocks = s.align().clocks();
        assertThat(clocks.get(1).errorNanos()).isBetween(2_000L, 10_000L);
        for (int h = 2; h < 12; h++) {
            assertThat(clocks.get(h).errorNanos())
                    .isGreaterThan(clocks.get(h - 1).errorNanos())
                    .isLessThan(h * 10_000L);
        }
    }

    @Test
    void inLargeGroupsAnyTwoHostsAreFewLinksApart() {
        ClockScene s = new ClockScene(6, 200, 2).world();
        s.steps = 3;
        s.calls = 12;
        for (int h = 0; h < 200; h++) {
            s.clock(h, (h - 77) * 1e6, 0);
        }
        assertThat(s.align().clocks())
                .allSatisfy(c -> assertThat(c.errorNanos()).isLessThan(200_000))
                .allSatisfy(c -> assertThat((double) c.offsetNanos())
                        .isCloseTo(
                                s.trueApart(Integer.parseInt(c.host().substring(4)), 0, c.atNanos()),
                                within(2.0 * c.errorNanos() + 1)));
    }

    @Test
    void whatMembersOfOneHostLastinglyDifferByIsPartOfTheBound() {
        for (double nanos : new double[] {0, 15_000}) {
            ClockScene s = new ClockScene(18, 2, 2).inside().across(0, 1);
            s.lateMember = 2;
            s.lateMemberNanos = nanos;
            HostClock c = s.align().clocks().get(1);
            assertThat((double) c.offsetNanos()).isCloseTo(nanos, within((double) c.errorNanos()));
            assertThat(Math.abs(c.offsetNanos())).isLessThanOrEqualTo(c.errorNanos());
            assertThat(c.errorNanos()).isLessThan((long) (2.5 * nanos) + 8_000);
        }
    }

    @Test
    void whereNothingShowsWhatEndsHaveApartTheBoundIsWide() {
        ClockScene s = new ClockScene(19, 2, 1).world();
        assertThat(s.align().clocks().get(1).errorNanos()).isBetween(20_000L, 28_000L);
    }

    @Test
    void lateEndsDoNotMoveIt() {
        ClockScene s = new ClockScene(7, 2, 2).inside().across(0, 1).clock(1, 5e6, 30);
        s.steps = 30;
        s.lateShare = 0.12;
        HostClock c = s.align().clocks().get(1);
        assertThat((double) c.offsetNanos()).isCloseTo(s.trueApart(1, 0, c.atNanos()), within((double) c.errorNanos()));
        assertThat(c.errorNanos()).isLessThan(10_000);
    }

    @Test
    void hoursOfChangingDriftAreFollowedPieceByPiece() {
        ClockScene s = new ClockScene(8, 2, 2).world();
        s.clock(1, t -> 4e6 + 20e3 * t + 3e6 * Math.sin(2 * Math.PI * t / 7_200));
        s.steps = 400;
        s.stepSeconds = 36;
        s.calls = 2;
        ClockAlignment alignment = s.align();
        Tally tally = new Tally();
        for (double t = 0; t <= 400 * 36; t += 60) {
            Placement.Placed p = placed(alignment.toReference("host1", s.shown(1, t)));
            tally.add(Math.abs(p.nanos() - s.shown(0, t)), p.errorNanos());
            assertThat(p.errorNanos()).isLessThan(400_000);
        }
        tally.holds();
        long before = Long.MIN_VALUE;
        for (double t = -100; t <= 400 * 36 + 100; t += 0.5) {
            long now = placed(alignment.toReference("host1", s.shown(1, t))).nanos();
            assertThat(now).isGreaterThan(before);
            before = now;
        }
    }

    @Test
    void boundGrowsOutsideOfTheMeetings() {
        ClockScene s = new ClockScene(9, 2, 1).world();
        ClockAlignment alignment = s.align();
        long within = placed(alignment.toReference("host1", s.shown(1, 2))).errorNanos();
        long hourLater =
                placed(alignment.toReference("host1", s.shown(1, 3_600))).errorNanos();
        assertThat(hourLater).isGreaterThan(within + 3_600_000);
    }

    @Test
    void hostsThatNoWayJoinsHaveReferencesOfTheirOwn() {
        ClockScene s = new ClockScene(10, 5, 1).across(0, 2).across(1, 3);
        List<HostClock> clocks = s.align().clocks();
        assertThat(clocks.stream().map(HostClock::reference)).containsExactly("host0", "host1", "host0", "host1", "");
        assertThat(clocks.get(4).refusal()).isEqualTo(Refusal.NO_COMMON_COLLECTIVES);
        assertThat(s.align().toReference("host4", ClockScene.BASE))
                .isEqualTo(new Placement.Refused(Refusal.NO_COMMON_COLLECTIVES));
        assertThat(s.align().toReference("nowhere", ClockScene.BASE))
                .isEqualTo(new Placement.Refused(Refusal.HOST_UNKNOWN));
    }

    @ParameterizedTest
    @EnumSource(
            value = CollectiveOp.class,
            names = {"BROADCAST", "REDUCE", "GATHER", "SCATTER", "SEND", "RECV", "SEND_RECV", "ALL_TO_ALL_V", "UNKNOWN"
            })
    void whereNobodyWaitsForEverybodyNothingIsTold(CollectiveOp op) {
        ClockScene s = new ClockScene(11, 2, 1).world();
        s.op = op;
        assertThat(s.align().clocks()).allMatch(c -> c.refusal() == Refusal.NO_COMMON_COLLECTIVES);
    }

    @Test
    void fourMeetingsAreTooFewAndFiveAreEnough() {
        ClockScene s = new ClockScene(12, 2, 1).world();
        s.steps = 4;
        s.calls = 1;
        assertThat(s.align().clocks()).allMatch(c -> c.refusal() == Refusal.TOO_FEW_MEETINGS);
        s.steps = 5;
        assertThat(s.align().clocks()).allMatch(HostClock::isAligned);
    }

    @Test
    void endsThatAreNotCommonAreRefused() {
        ClockScene s = new ClockScene(13, 2, 1).world();
        s.jitterNanos = 300_000;
        assertThat(s.align().clocks()).allMatch(c -> c.refusal() == Refusal.RESIDUALS_TOO_LARGE);
    }

    @Test
    void aClockThatWasSetIsRefused() {
        ClockScene s = new ClockScene(14, 2, 1).world().clock(1, t -> t < 2.6 ? 0 : 5e6);
        assertThat(s.align().clocks()).allMatch(c -> c.refusal() == Refusal.RESIDUALS_TOO_LARGE);
    }

    @Test
    void noClockDriftsThatFast() {
        ClockScene s = new ClockScene(15, 2, 1).world().clock(1, 0, 1_500);
        assertThat(s.align().clocks()).allMatch(c -> c.refusal() == Refusal.DRIFT_IMPLAUSIBLE);
    }

    @Test
    void onOneHostThereIsNothingToAlign() {
        ClockScene s = new ClockScene(16, 1, 8).world();
        assertThat(s.align().clocks()).singleElement().matches(c -> c.isReference() && c.isAligned());
    }

    @Test
    void withoutNumbersUnequalCountsTellNothing() {
        ClockScene s = new ClockScene(17, 2, 1).world().across(0, 1);
        s.numbered = false;
        assertThat(s.align().clocks()).allMatch(HostClock::isAligned);
    }

    @Test
    void aLinkThatContradictsTheOthersWidensTheBounds() {
        Meetings[] m = IntStream.range(0, 3).mapToObj(i -> new Meetings(64)).toArray(Meetings[]::new);
        for (int i = 0; i < 40; i++) {
            m[0].add(i * 1_000_000L, 0, i);
            m[1].add(i * 1_000_000L, 0, i);
            m[2].add(i * 1_000_000L, 500_000, i);
        }
        ClockAlignment a = ClockAlignment.of(
                0,
                List.of("a", "b", "c"),
                new TreeMap<>(Map.of(
                        ClockAlignment.pair(0, 1), m[0],
                        ClockAlignment.pair(0, 2), m[1],
                        ClockAlignment.pair(1, 2), m[2])),
                500);
        assertThat(a.clocks().get(1).errorNanos()).isGreaterThan(490_000);
        assertThat(a.clocks().get(2).errorNanos()).isGreaterThan(490_000);
    }
}
