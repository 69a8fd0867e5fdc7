package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Collectives as columns are the collectives that were put in. */
class PackedCollectivesTest {
    private static final CollectiveOp[] OPS = CollectiveOp.values();

    /** Numbers that fit 32 bits, or any. */
    private static List<CollectiveStat> some(int n, boolean wide, Random random) {
        List<CollectiveStat> list = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            boolean any = wide && random.nextInt(5) == 0;
            list.add(new CollectiveStat(
                    OPS[random.nextInt(OPS.length)],
                    random.nextInt(3) - 1,
                    any ? random.nextLong() : random.nextInt(1000) - 1,
                    any ? random.nextLong() : random.nextInt(3) * 4096 - 1,
                    random.nextInt(4) - 1,
                    any ? random.nextInt() : 7,
                    1_700_000_000_000_000_000L + (any ? random.nextLong() : random.nextInt()),
                    any ? random.nextLong() : random.nextInt(),
                    random.nextInt(),
                    random.nextBoolean()));
        }
        return list;
    }

    @Test
    void everyElementComesBack() {
        Random random = new Random(7);
        for (int n : new int[] {0, 1, 2, 29, 500}) {
            for (boolean wide : new boolean[] {false, true}) {
                List<CollectiveStat> list = some(n, wide, random);
                PackedCollectives packed = PackedCollectives.of(list);
                assertThat(packed).isEqualTo(list).hasSameHashCodeAs(list);
                assertThat(PackedCollectives.of(packed)).isSameAs(packed);
                for (int i = 0; i < n; i++) {
                    CollectiveStat c = list.get(i);
                    assertThat(packed.op(i)).isEqualTo(c.op());
                    assertThat(packed.group(i)).isEqualTo(c.group());
                    assertThat(packed.sequence(i)).isEqualTo(c.sequence());
                    assertThat(packed.bytes(i)).isEqualTo(c.bytes());
                    assertThat(packed.peer(i)).isEqualTo(c.peer());
                    assertThat(packed.durationNanos(i)).isEqualTo(c.durationNanos());
                    assertThat(packed.exposedNanos(i)).isEqualTo(c.exposedNanos());
                }
            }
        }
    }

    @Test
    void partsAreThoseOfTheList() {
        for (boolean wide : new boolean[] {false, true}) {
            List<CollectiveStat> list = some(40, wide, new Random(8));
            PackedCollectives packed = PackedCollectives.of(list);
            assertThat(packed.range(0, 40)).isSameAs(packed);
            PackedCollectives middle = packed.range(10, 30);
            assertThat(middle).isEqualTo(list.subList(10, 30));
            assertThat(middle.range(5, 5)).isEmpty();
            assertThat(middle.at(19, 0, 3)).containsExactly(list.get(29), list.get(10), list.get(13));
            assertThatThrownBy(() -> middle.get(20)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> middle.at(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> middle.range(3, 21)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void payloadOfOneOperation() {
        List<CollectiveStat> list = some(300, false, new Random(9));
        for (CollectiveOp op : OPS) {
            long sum = list.stream()
                    .filter(c -> c.op() == op && c.bytes() > 0)
                    .mapToLong(CollectiveStat::bytes)
                    .sum();
            assertThat(PackedCollectives.of(list).payload(op)).isEqualTo(sum);
        }
        assertThat(PackedCollectives.EMPTY.payload(CollectiveOp.ALL_TO_ALL_V)).isZero();
    }
}
