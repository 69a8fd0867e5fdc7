package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.LinkElement.Form;
import dev.argus.model.CollectiveOp;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/**
 * The search for the slow part of a network: 32 ranks on 4 hosts, two stages of two hosts each; data groups join the hosts of a
 * stage, messages those of neighbouring stages. Noise as of a usual machine.
 */
class LinkSearchTest {
    private static final int PER_HOST = 8;
    private static final int RANKS = 32;
    private static final int STEPS = 10;
    private final Random random = new Random(7);
    private double noise = 0.02;

    private static String host(int rank) {
        return "host" + rank / PER_HOST;
    }

    private static boolean on(RankSet ranks, int host) {
        return ranks.stream().anyMatch(r -> r / PER_HOST == host);
    }

    private static JobShape shape() {
        Map<Integer, String> hosts = new HashMap<>();
        IntStream.range(0, RANKS).forEach(r -> hosts.put(r, host(r)));
        RankSet all = RankSet.range(0, RANKS - 1);
        return new JobShape(
                0,
                RANKS,
                all,
                hosts,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                List.of(all),
                List.of("all"));
    }

    private TransferFinding traffic(
            int subject, RankSet ranks, double micros, ToDoubleBiFunction<RankSet, Long> factor) {
        double[] nanos = new double[STEPS];
        for (int s = 0; s < STEPS; s++) {
            double wire = 1000 * (micros - 20) * factor.applyAsDouble(ranks, (long) s);
            nanos[s] = (20_000 + wire) * (1 + noise * random.nextGaussian());
        }
        return new TransferFinding(
                0,
                subject,
                ranks,
                ranks.size() == 2 && subject >= 100 ? CollectiveOp.SEND : CollectiveOp.ALL_REDUCE,
                1 << 24,
                true,
                2,
                1,
                false,
                new long[0],
                new double[0],
                1,
                micros * 1000,
                1,
                false,
                IntStream.range(0, STEPS).asLongStream().toArray(),
                nanos,
                nanos,
                nanos);
    }

    private @Nullable LinkFit search(ToDoubleBiFunction<RankSet, Long> factor) {
        return done(searching(evidence(factor)));
    }

    private LinkSearch searching(LinkEvidence evidence) {
        return new LinkSearch(evidence, new LinkElements(evidence, shape(), true));
    }

    private static @Nullable LinkFit done(LinkSearch search) {
        search.preparations().forEach(Runnable::run);
        search.starts().forEach(Runnable::run);
        return search.best();
    }

    private LinkEvidence evidence(ToDoubleBiFunction<RankSet, Long> factor) {
        List<TransferFinding> list = new ArrayList<>();
        for (int stage = 0; stage < 2; stage++) {
            for (int i = 0; i < PER_HOST; i++) {
                int rank = stage * 16 + i;
                list.add(traffic(rank, RankSet.of(rank, rank + PER_HOST), 900, factor));
            }
        }
        for (int rank = 0; rank < 16; rank++) {
            list.add(traffic(100 + rank, RankSet.of(rank, rank + 16), 400, factor));
        }
        return LinkEvidence.of(list, true, shape(), Set.of());
    }

    @RepeatedTest(100)
    void whatIsLeftOutCannotWin(RepetitionInfo info) {
        random.setSeed(info.getCurrentRepetition());
        int host = random.nextInt(4);
        double slow = 1 + Math.max(0, random.nextInt(5) - 1) * 0.05;
        LinkEvidence evidence = evidence((g, s) -> on(g, host) && s >= 4 ? slow : 1);
        LinkGroups groups = new LinkGroups(evidence);
        LinkFits fits = new LinkFits(evidence, groups);
        List<LinkElement> elements = List.copyOf(new LinkElements(evidence, shape(), true).single());
        List<LinkGroups.Candidate> candidates =
                elements.stream().map(groups::candidate).toList();
        for (boolean low : new boolean[] {false, true}) {
            LinkEvidence start = evidence.copy();
            start.start(low);
            evidence.level(start.healthy);
            fits.learned();
            List<LinkFit> all = new ArrayList<>();
            elements.forEach(e -> all.add(PlainLinkFit.best(evidence, e, evidence.cellCounts())));
            all.sort(Comparator.comparingDouble(f -> -f.score()));
            for (int keep : new int[] {1, 5, 100}) {
                List<LinkFit> found = fits.best(candidates, keep, Double.NEGATIVE_INFINITY);
                assertThat(found).usingRecursiveComparison().isEqualTo(all.subList(0, Math.min(keep, all.size())));
            }
            double above = all.getFirst().score() + 1;
            assertThat(fits.best(candidates, 1, above).getFirst().score()).isLessThan(above);
        }
    }

    private LinkFit found(ToDoubleBiFunction<RankSet, Long> factor) {
        return Objects.requireNonNull(search(factor), "nothing was found");
    }

    @RepeatedTest(200)
    void noiseIsNobody(RepetitionInfo info) {
        random.setSeed(info.getCurrentRepetition());
        noise = 0.01 * (1 + info.getCurrentRepetition() % 6);
        assertThat(search((g, s) -> 1)).isNull();
    }

    @Test
    void aHostOfAWeakInterface() {
        LinkFit fit = found((g, s) -> on(g, 2) && s >= 4 ? 1.04 : 1);
        assertThat(fit.element().form()).isEqualTo(Form.HOST);
        assertThat(fit.element().hosts()).containsExactly("host2");
        assertThat(fit.activeCount()).isBetween(5, 7);
    }

    @Test
    void aPairOfHosts() {
        LinkFit fit = found((g, s) -> on(g, 0) && on(g, 2) ? 1.5 : 1);
        assertThat(fit.element().form()).isEqualTo(Form.PAIR);
        assertThat(fit.element().ranks()).isEqualTo(RankSet.range(0, 7).union(RankSet.range(16, 23)));
    }

    @Test
    void theInterfaceOfOneRank() {
        LinkFit fit = found((g, s) -> g.contains(19) ? 1.5 : 1);
        assertThat(fit.element().form()).isEqualTo(Form.RAIL);
        assertThat(fit.element().ranks()).isEqualTo(RankSet.of(19));
    }

    /** All messages pass one of two hosts: not the fabric, for the data groups of the other stage are well. */
    @Test
    void aSwitchOfTwoHosts() {
        LinkFit fit = found((g, s) -> (on(g, 2) || on(g, 3)) && s >= 2 ? 2 : 1);
        assertThat(fit.element().form()).isEqualTo(Form.LEAF);
        assertThat(fit.element().hosts()).containsExactly("host2", "host3");
    }

    /** With nothing healthy to hold the messages against, the way between the two explains as much, and is less. */
    @Test
    void aSwitchOfTwoHostsFromTheBeginning() {
        LinkFit fit = found((g, s) -> on(g, 2) || on(g, 3) ? 2 : 1);
        assertThat(fit.element().hosts()).containsExactly("host2", "host3");
    }

    @Test
    void aFabricIsNobodys() {
        LinkFit fit = found((g, s) -> s >= 5 ? 1.3 : 1);
        assertThat(fit.element().form()).isEqualTo(Form.ALL);
        assertThat(fit.element().ranks()).isEqualTo(RankSet.EMPTY);
    }

    /** Without a healthy step or group there is nothing to compare with. */
    @Test
    void allSlowForEverIsNotSeen() {
        assertThat(search((g, s) -> 2)).isNull();
    }

    @Test
    void whatFlapsIsFoundInItsSteps() {
        LinkFit fit = found((g, s) -> on(g, 1) && s % 3 == 1 ? 1.6 : 1);
        assertThat(fit.element().hosts()).containsExactly("host1");
        boolean[] active = new boolean[STEPS];
        for (int s = 1; s < STEPS; s += 3) {
            active[s] = true;
        }
        assertThat(Arrays.equals(fit.active(), active)).isTrue();
    }

    /** Ranks whose traffic is the same cannot be told apart: both are named. */
    @Test
    void theAmbiguousIsNamedTogether() {
        List<TransferFinding> list = new ArrayList<>();
        for (int i = 0; i < PER_HOST; i++) {
            list.add(traffic(i, RankSet.of(i, i + PER_HOST), 900, (g, s) -> g.contains(3) ? 1.5 : 1));
        }
        LinkFit fit = done(searching(LinkEvidence.of(list, true, shape(), Set.of())));
        assertThat(Objects.requireNonNull(fit).element().ranks()).isEqualTo(RankSet.of(3, 11));
    }

    /** One wild cell is not a link. */
    @Test
    void aWildCellDoesNotDecide() {
        assertThat(search((g, s) -> g.contains(5) && g.contains(13) && s == 6 ? 20 : 1))
                .isNull();
    }

    /** Short messages are latency: they neither accuse nor clear. */
    @Test
    void latencyIsNotCompared() {
        List<TransferFinding> list = new ArrayList<>();
        for (int i = 0; i < PER_HOST; i++) {
            list.add(traffic(i, RankSet.of(i, i + PER_HOST), 50, (g, s) -> g.contains(3) ? 1.5 : 1));
        }
        assertThat(LinkEvidence.of(list, true, shape(), Set.of()).traffic).isEmpty();
    }
}
