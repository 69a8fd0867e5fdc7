package dev.argus.hostflink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GapsTest {
    private static final long NANOS = 1_000_000L;

    private static Gaps of(List<Gap> told) {
        Gaps gaps = new Gaps();
        told.forEach(gaps::add);
        return gaps;
    }

    @Test
    void theOrderInWhichTheyAreToldDecidesNothing() {
        Random random = new Random(4);
        for (int round = 0; round < 300; round++) {
            List<Gap> told = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                long from = random.nextInt(100);
                told.add(new Gap(from, from + random.nextInt(30)));
            }
            List<Gap> expected = of(told).all();
            Collections.shuffle(told, random);
            Gaps gaps = of(told);
            assertThat(gaps.all()).isEqualTo(expected);
            for (long at = -1; at < 140; at++) {
                long nanos = at * NANOS + NANOS / 2;
                assertThat(gaps.in(nanos))
                        .isEqualTo(told.stream()
                                .anyMatch(g -> nanos > g.fromMillis() * NANOS && nanos < g.untilMillis() * NANOS));
            }
        }
    }

    @Test
    void thoseThatAreOverAreForgottenOnce() {
        Gaps gaps = of(List.of(new Gap(100, 200), new Gap(90, 150), new Gap(300, 400)));
        assertThat(gaps.all()).containsExactly(new Gap(90, 200), new Gap(300, 400));
        assertThat(gaps.pass(199 * NANOS)).isFalse();
        assertThat(gaps.pass(200 * NANOS)).isTrue();
        assertThat(gaps.pass(200 * NANOS)).isFalse();
        assertThat(gaps.all()).containsExactly(new Gap(300, 400));
    }

    @Test
    void tooManyAreJoinedWhereLeastIsLostAndThatIsTold() {
        Gaps gaps = new Gaps();
        for (long i = 0; i < Gaps.MOST; i++) {
            assertThat(gaps.add(new Gap(i * 1000, i * 1000 + 10))).isTrue();
        }
        assertThat(gaps.add(new Gap(500_015, 500_020))).isFalse();
        assertThat(gaps.all()).hasSize(Gaps.MOST).contains(new Gap(500_000, 500_020));
    }

    @Test
    void theyGoOnWhereTheyWereWrittenDown() {
        Gaps gaps = of(List.of(new Gap(100, 200), new Gap(300, 400)));
        WireWriter to = new WireWriter();
        gaps.write(to);
        Gaps again = new Gaps();
        again.read(new WireReader(to.toByteArray()));
        assertThat(again.all()).isEqualTo(gaps.all());
    }
}
