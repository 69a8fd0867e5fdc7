package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.Topology;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who comes late in a record without steps: cases that fire, that just do not, and to which nothing applies. */
class ArrivalsTest {
    private static final long MS = 1_000_000;
    private static final long STEP = 300 * MS;

    private final NameTable names = new NameTable();
    private final int group = names.id("g");

    /** Collectives of two ranks in which rank 1 is late in so many of ten, and rank 0 in the others. */
    private List<StepDigest> two(int lateOfTen, long lateNanos, long computeOfLate) {
        List<CollectiveStat> zero = new ArrayList<>();
        List<CollectiveStat> one = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            boolean late = i < lateOfTen;
            zero.add(call(i, MS + (late ? lateNanos : 0)));
            one.add(call(i, MS + (late ? 0 : lateNanos)));
        }
        return List.of(digest(0, 0, 200 * MS, zero), digest(1, 0, computeOfLate, one));
    }

    private CollectiveStat call(int i, long nanos) {
        return new CollectiveStat(CollectiveOp.ALL_REDUCE, group, i, 64, -1, 7, i * (20 * MS), nanos, nanos, false);
    }

    private static StepDigest digest(int rank, long step, long compute, List<CollectiveStat> calls) {
        OwnTime own = new OwnTime(compute, 0, 0, STEP - compute, 0);
        return new StepDigest(
                0, rank, step, 0, STEP, true, false, true, own, 0, 0, 100, 0, List.of(), calls, List.of());
    }

    private JobShape shape(int ranks) {
        RankSet all = RankSet.range(0, ranks - 1);
        Map<Integer, Map<Integer, Integer>> groupOf = new HashMap<>();
        all.stream().forEach(r -> groupOf.put(r, Map.of(group, 0)));
        return new JobShape(
                0,
                ranks,
                all,
                Map.of(),
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(new ParallelGroup("dp", all)),
                groupOf,
                List.of(all),
                List.of("all ranks"));
    }

    private Optional<Incident> said(List<StepDigest> digests) {
        Optional<Incident> first = said(shape(2), digests);
        List<StepDigest> again = new ArrayList<>(digests);
        again.addAll(digests);
        Collections.shuffle(again, new Random(3));
        assertThat(said(shape(2), again)).as("in another order, and twice").isEqualTo(first);
        return first;
    }

    private static Optional<Incident> said(JobShape shape, List<StepDigest> digests) {
        Arrivals arrivals = new Arrivals(shape);
        List<Concluded> out = new ArrayList<>();
        Out to = new Out() {
            @Override
            public void emit(Partial partial) {
                out.add((Concluded) partial);
            }

            @Override
            public void timer(long eventNanos) {}

            @Override
            public void loss(String reason) {}
        };
        Arrivals.State state = arrivals.fresh(0);
        for (StepDigest d : digests) {
            arrivals.onRecord(state, d, to);
            WireWriter bytes = new WireWriter();
            arrivals.encode(state, bytes);
            WireReader from = new WireReader(bytes.toByteArray());
            state = arrivals.decode(0, from);
            from.expectEnd();
        }
        arrivals.onTimer(state, Long.MAX_VALUE, to);
        assertThat(out)
                .allSatisfy(
                        c -> assertThat(c.incidents()).as("never an incident").isEmpty());
        return out.stream().flatMap(c -> c.observations().stream()).findFirst();
    }

    @Test
    void fires_withEqualCompute() {
        Incident i = said(two(7, MS, 200 * MS)).orElseThrow();
        assertThat(i.kind()).isEqualTo(IncidentKind.CPU_STALL);
        assertThat(i.ranks()).isEqualTo(RankSet.of(1));
        assertThat(i.summary())
                .isEqualTo("rank 1 arrives last in 7 of 10 collectives, and the others wait 7.00 ms for it;"
                        + " it computes as long as they do (1.00x), so its work is launched late: no GPU is slow");
        assertThat(i.confidence()).isEqualTo(0.7);
        assertThat(i.cost().stepRatio()).isEqualTo(7.0 / 300);
    }

    /** Its compute explains what it owes: late, and nothing says why. */
    @Test
    void fires_withMoreCompute() {
        assertThat(said(two(10, MS, 206 * MS)).orElseThrow().kind()).isEqualTo(IncidentKind.STRAGGLER);
        assertThat(said(two(10, MS, 204 * MS)).orElseThrow().kind()).isEqualTo(IncidentKind.CPU_STALL);
    }

    @Test
    void justNot_whenTheOtherOwesMoreThanHalfAsMuch() {
        assertThat(said(two(6, MS, 200 * MS))).isEmpty();
    }

    @Test
    void justNot_whenItIsHalfAPercent() {
        assertThat(said(two(10, 151_000, 200 * MS))).isPresent();
        assertThat(said(two(10, 149_000, 200 * MS))).isEmpty();
    }

    /** A few long waits are not most of them. */
    @Test
    void justNot_whenItIsRarelyTheLast() {
        List<CollectiveStat> zero = new ArrayList<>();
        List<CollectiveStat> one = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            zero.add(call(i, i < 5 ? 9 * MS : MS));
            one.add(call(i, i < 5 ? MS : MS + 1));
        }
        assertThat(said(List.of(digest(0, 0, 200 * MS, zero), digest(1, 0, 200 * MS, one))))
                .isEmpty();
    }

    @Test
    void notApplicable_withThreeSteps() {
        List<StepDigest> digests = new ArrayList<>();
        for (long step = 0; step < 3; step++) {
            for (StepDigest d : two(10, MS, 200 * MS)) {
                digests.add(digest(d.rank(), step, 200 * MS, d.collectives()));
            }
        }
        assertThat(said(digests)).isEmpty();
        assertThat(said(digests.subList(0, 4))).isPresent();
    }

    @Test
    void notApplicable_whenCallsDiffer() {
        List<StepDigest> digests = two(10, MS, 200 * MS);
        StepDigest fewer =
                digest(1, 0, 200 * MS, digests.getLast().collectives().subList(0, 9));
        assertThat(said(List.of(digests.getFirst(), fewer))).isEmpty();
    }

    @Test
    void notApplicable_toManyRanks() {
        assertThat(said(shape(Arrivals.MAX_RANKS + 1), two(10, MS, 200 * MS))).isEmpty();
    }
}
