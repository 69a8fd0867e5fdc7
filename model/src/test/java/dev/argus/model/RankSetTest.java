package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Against a sorted set of boxed ranks. */
class RankSetTest {
    private static Set<Integer> some(Random random) {
        return random.ints(random.nextInt(20), 0, 25).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    private static RankSet of(Set<Integer> ranks) {
        return RankSet.of(ranks.stream().mapToInt(r -> r).toArray());
    }

    @RepeatedTest(200)
    void setAlgebra(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        Set<Integer> a = some(random);
        Set<Integer> b = some(random);
        Set<Integer> union = new TreeSet<>(a);
        union.addAll(b);
        Set<Integer> both = new TreeSet<>(a);
        both.retainAll(b);
        Set<Integer> rest = new TreeSet<>(a);
        rest.removeAll(b);
        assertThat(of(a).union(of(b)).stream().boxed()).containsExactlyElementsOf(union);
        assertThat(of(a).intersect(of(b)).stream().boxed()).containsExactlyElementsOf(both);
        assertThat(of(a).minus(of(b)).stream().boxed()).containsExactlyElementsOf(rest);
        assertThat(of(a).containsAll(of(b))).isEqualTo(a.containsAll(b));
        assertThat(of(a).equals(of(b))).isEqualTo(a.equals(b));
        assertThat(of(a).compareTo(of(b)) == 0).isEqualTo(a.equals(b));
        for (int r = -1; r < 26; r++) {
            assertThat(of(a).contains(r)).isEqualTo(a.contains(r));
            assertThat(of(a).indexOf(r))
                    .isEqualTo(a.contains(r) ? new TreeSet<>(a).headSet(r).size() : -1);
        }
    }

    @Test
    void orderAndDoublesDoNotMatter() {
        RankSet set = RankSet.of(7, 3, 3, 0);
        assertThat(set).isEqualTo(RankSet.of(0, 3, 7)).hasSameHashCodeAs(RankSet.of(0, 3, 7));
        assertThat(set.toArray()).containsExactly(0, 3, 7);
        assertThat(set.get(1)).isEqualTo(3);
        assertThat(set.size()).isEqualTo(3);
        set.toArray()[0] = 99;
        assertThat(set).isEqualTo(RankSet.of(0, 3, 7));
    }

    @Test
    void printsRanges() {
        assertThat(RankSet.of(16, 0, 1, 2, 3, 8, 9)).hasToString("0-3,8-9,16");
        assertThat(RankSet.of(5)).hasToString("5");
        assertThat(RankSet.EMPTY).hasToString("");
        assertThat(RankSet.EMPTY.isEmpty()).isTrue();
        assertThat(RankSet.range(2, 4)).hasToString("2-4").isEqualTo(RankSet.of(2, 3, 4));
        assertThat(IntStream.range(0, 3).mapToObj(RankSet::of).sorted()).isSorted();
    }

    @RepeatedTest(20)
    void collectionsAndStreamsAreTakenAsTheyCome(RepetitionInfo run) {
        Set<Integer> ranks = some(new Random(run.getCurrentRepetition()));
        assertThat(RankSet.of(ranks)).isEqualTo(of(ranks));
        assertThat(RankSet.of(ranks.stream().mapToInt(r -> r))).isEqualTo(of(ranks));
        assertThat(RankSet.of(IntStream.of(3, 1, 3))).isEqualTo(RankSet.of(1, 3));
    }
}
