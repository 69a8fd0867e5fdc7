package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who waited for whom: matching and the split in wait and transfer. */
class GroupWaitsTest {
    private static final long MS = 1_000_000;
    private final Collector out = new Collector();

    /** Keeps what is emitted. */
    static final class Collector implements Out {
        final List<Partial> partials = new ArrayList<>();
        final List<String> losses = new ArrayList<>();

        @Override
        public void emit(Partial partial) {
            partials.add(partial);
        }

        @Override
        public void timer(long eventNanos) {}

        @Override
        public void loss(String reason) {
            losses.add(reason);
        }

        <P extends Partial> List<P> of(Class<P> type) {
            return partials.stream().filter(type::isInstance).map(type::cast).toList();
        }
    }

    private static JobShape shape(int ranks) {
        RankSet all = RankSet.range(0, ranks - 1);
        Map<Integer, String> hosts = new HashMap<>();
        all.stream().forEach(r -> hosts.put(r, "host" + r / 2));
        return new JobShape(
                0,
                ranks,
                all,
                hosts,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(new ParallelGroup("dp", all)),
                Map.of(),
                List.of(all),
                List.of("all"));
    }

    private static CollectiveStat op(CollectiveOp op, long sequence, long bytes, int peer, long millis) {
        return new CollectiveStat(op, 0, sequence, bytes, peer, 20, 0, millis * MS, millis * MS, false);
    }

    private static CollectiveStat reduce(long sequence, long millis) {
        return op(CollectiveOp.ALL_REDUCE, sequence, 1024, -1, millis);
    }

    private WaitPartial run(List<List<CollectiveStat>> byRank) {
        GroupWaits waits = new GroupWaits(shape(byRank.size()));
        GroupWaits.State state = waits.fresh(0);
        for (int r = 0; r < byRank.size(); r++) {
            waits.onRecord(state, new GroupStep(0, 0, r, 7, byRank.get(r)), out);
        }
        waits.onTimer(state, Long.MAX_VALUE, out);
        return out.of(WaitPartial.class).getFirst();
    }

    @Test
    void theShortestIsTheLast() {
        WaitPartial w = run(List.of(List.of(reduce(1, 53)), List.of(reduce(1, 3)), List.of(reduce(1, 50))));
        assertThat(w.sufferedNanos()).containsExactly(50 * MS, 0, 47 * MS);
        assertThat(w.causedNanos()).containsExactly(0, 97 * MS, 0);
        assertThat(w.instances()).isEqualTo(1);
        assertThat(w.step()).isEqualTo(7);
        assertThat(out.of(TransferPartial.class)).singleElement().satisfies(t -> {
            assertThat(t.meanNanos()).isEqualTo(3.0 * MS);
            assertThat(t.instances()).isEqualTo(1);
            assertThat(t.acrossHosts()).isTrue();
        });
    }

    /** A wait that compute covers costs nothing. */
    @Test
    void onlyTheExposedPartOfAWaitCounts() {
        CollectiveStat covered =
                new CollectiveStat(CollectiveOp.ALL_REDUCE, 0, 1, 1024, -1, 20, 0, 53 * MS, 10 * MS, false);
        WaitPartial w = run(List.of(List.of(covered), List.of(reduce(1, 3)), List.of(reduce(1, 3))));
        assertThat(w.sufferedNanos()).containsExactly(10 * MS, 0, 0);
    }

    @Test
    void nobodyIsLateWhenTwoAreShortest() {
        WaitPartial w = run(List.of(List.of(reduce(1, 53)), List.of(reduce(1, 3)), List.of(reduce(1, 3))));
        assertThat(w.sufferedNanos()[0]).isEqualTo(50 * MS);
        assertThat(w.causedNanos()).containsOnly(0);
    }

    @Test
    void sequenceNumbersMatchWhateverTheOrder() {
        WaitPartial w = run(List.of(List.of(reduce(1, 10), reduce(2, 40)), List.of(reduce(2, 5), reduce(1, 30))));
        // Instance 1: rank 0 shortest, 20 ms caused; instance 2: rank 1 shortest, 35 ms caused.
        assertThat(w.causedNanos()).containsExactly(20 * MS, 35 * MS);
        assertThat(w.ambiguous()).isZero();
    }

    @Test
    void aMissingSequenceNumberIsAmbiguousAndTheOthersStillCount() {
        WaitPartial w = run(List.of(List.of(reduce(1, 10), reduce(2, 40)), List.of(reduce(2, 5))));
        assertThat(w.ambiguous()).isEqualTo(1);
        assertThat(w.instances()).isEqualTo(1);
        assertThat(w.causedNanos()).containsExactly(0, 35 * MS);
        assertThat(out.losses).containsExactly("ambiguous-collective");
    }

    @Test
    void withoutSequenceNumbersTheOrderMatches() {
        WaitPartial w = run(List.of(List.of(reduce(-1, 10), reduce(-1, 40)), List.of(reduce(-1, 30), reduce(-1, 5))));
        assertThat(w.causedNanos()).containsExactly(20 * MS, 35 * MS);
        assertThat(w.instances()).isEqualTo(2);
    }

    @Test
    void differentPayloadsBlameNobody() {
        WaitPartial w = run(List.of(
                List.of(op(CollectiveOp.ALL_REDUCE, -1, 1024, -1, 50)),
                List.of(op(CollectiveOp.ALL_REDUCE, -1, 2048, -1, 3))));
        assertThat(w.ambiguous()).isEqualTo(1);
        assertThat(w.causedNanos()).containsOnly(0);
        assertThat(w.sufferedNanos()).containsOnly(0);
        assertThat(out.of(TransferPartial.class)).isEmpty();
    }

    @Test
    void whatIsNoBarrierBlamesNobody() {
        WaitPartial w = run(List.of(
                List.of(op(CollectiveOp.BROADCAST, 1, 1024, -1, 50)),
                List.of(op(CollectiveOp.BROADCAST, 1, 1024, -1, 3))));
        assertThat(w.instances()).isZero();
        assertThat(w.causedNanos()).containsOnly(0);
    }

    @Test
    void sendsAndReceivesArePairedByOrder() {
        run(List.of(
                List.of(op(CollectiveOp.SEND, -1, 4096, 1, 4), op(CollectiveOp.SEND, -1, 4096, 1, 20)),
                List.of(op(CollectiveOp.RECV, -1, 4096, 0, 9), op(CollectiveOp.RECV, -1, 4096, 0, 6))));
        assertThat(out.of(TransferPartial.class)).singleElement().satisfies(t -> {
            assertThat(t.op()).isEqualTo(CollectiveOp.SEND);
            assertThat(t.ranks()).isEqualTo(RankSet.of(0, 1));
            assertThat(t.instances()).isEqualTo(2);
            assertThat(t.meanNanos()).isEqualTo((4.0 + 6) / 2 * MS);
            assertThat(t.acrossHosts()).isFalse();
        });
    }

    /** Payloads that vary with the length of sequences are classed, and brought to the payload of their class. */
    @Test
    void payloadsNearEachOtherAreOneKind() {
        run(List.of(
                List.of(
                        op(CollectiveOp.SEND, -1, 1 << 20, 1, 10),
                        op(CollectiveOp.SEND, -1, (1 << 20) + (1 << 15), 1, 10),
                        op(CollectiveOp.SEND, -1, 1 << 21, 1, 20)),
                List.of(
                        op(CollectiveOp.RECV, -1, 1 << 20, 0, 10),
                        op(CollectiveOp.RECV, -1, (1 << 20) + (1 << 15), 0, 10),
                        op(CollectiveOp.RECV, -1, 1 << 21, 0, 20))));
        List<TransferPartial> kinds = out.of(TransferPartial.class);
        assertThat(kinds).extracting(TransferPartial::bytes).containsExactly(1L << 20, 1L << 21);
        assertThat(kinds.getFirst().instances()).isEqualTo(2);
        assertThat(kinds.getFirst().shortestNanos()).isEqualTo(10.0 * MS / (1 + 1.0 / 32), within(1.0));
        assertThat(kinds.getFirst().exposedNanos()).isPositive();
    }

    /** In a ring of stages the same two ranks send to each other both ways. */
    @Test
    void theTwoDirectionsOfAPairAreTwoSubjects() {
        run(List.of(
                List.of(op(CollectiveOp.SEND, -1, 4096, 1, 4), op(CollectiveOp.RECV, -1, 4096, 1, 6)),
                List.of(op(CollectiveOp.RECV, -1, 4096, 0, 9), op(CollectiveOp.SEND, -1, 4096, 0, 6))));
        assertThat(out.of(TransferPartial.class))
                .extracting(TransferPartial::subject)
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    @Test
    void unequalNumbersOfSendsAndReceivesAreNotPaired() {
        run(List.of(
                List.of(op(CollectiveOp.SEND, -1, 4096, 1, 4), op(CollectiveOp.SEND, -1, 4096, 1, 20)),
                List.of(op(CollectiveOp.RECV, -1, 4096, 0, 9))));
        assertThat(out.of(TransferPartial.class)).isEmpty();
    }

    /** A rank whose trace is missing: the others' waits stay, and their transfer is marked as perhaps a wait for it. */
    @Test
    void theStateIsBoundedAndAMissingMemberClosesLate() {
        GroupWaits waits = new GroupWaits(shape(3));
        GroupWaits.State state = waits.fresh(0);
        for (int step = 0; step < 20; step++) {
            waits.onRecord(state, new GroupStep(0, 0, 0, step, List.of(reduce(1, 10))), out);
            waits.onRecord(state, new GroupStep(0, 0, 1, step, List.of(reduce(1, 3))), out);
            assertThat(state.open.size()).isLessThanOrEqualTo(GroupWaits.OPEN_STEPS);
        }
        assertThat(out.of(WaitPartial.class)).hasSize(20 - GroupWaits.OPEN_STEPS);
        assertThat(out.of(TransferPartial.class)).isNotEmpty().noneMatch(TransferPartial::complete);
    }

    @Test
    void aStateComesBackAndDamageIsRefused() {
        GroupWaits waits = new GroupWaits(shape(3));
        GroupWaits.State state = waits.fresh(0);
        waits.onRecord(state, new GroupStep(0, 0, 0, 5, List.of(reduce(1, 10), reduce(2, 4))), out);
        waits.onRecord(state, new GroupStep(0, 0, 2, 5, List.of(reduce(1, 3), reduce(2, 9))), out);
        WireWriter to = new WireWriter();
        waits.encode(state, to);
        byte[] bytes = to.toByteArray();
        GroupWaits.State back = waits.decode(0, new WireReader(bytes));
        GroupMembers members = back.open.getOrDefault(5L, new GroupMembers(0));
        assertThat(members.ranks()).containsExactly(0, 2);
        assertThat(members.of(0)).containsExactly(reduce(1, 10), reduce(2, 4));
        assertThat(members.of(2)).containsExactly(reduce(1, 3), reduce(2, 9));
        assertThat(members.of(1)).isEmpty();
        WireWriter again = new WireWriter();
        waits.encode(back, again);
        assertThat(again.toByteArray()).isEqualTo(bytes);
        for (int cut = 0; cut < bytes.length; cut++) {
            byte[] part = Arrays.copyOf(bytes, cut);
            assertThatThrownBy(() -> waits.decode(0, new WireReader(part))).isInstanceOf(WireException.class);
        }
    }
}
