package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {
    @Test
    void contendersTakeTurnsAndEachRoundBeginsWithAnother() throws IOException {
        List<String> order = new ArrayList<>();
        Rounds rounds = new Rounds(0);
        for (String name : new String[] {"a", "b", "c"}) {
            rounds.add(name, () -> {
                order.add(name);
                return 7;
            });
        }

        rounds.run(3);

        assertThat(order.subList(order.size() - 9, order.size()))
                .containsExactly("a", "b", "c", "b", "c", "a", "c", "a", "b");
        assertThat(rounds.perSecond("a", 100)).hasSize(3).allMatch(value -> value > 0);
        assertThat(rounds.checksum("a")).isEqualTo(7);
    }

    @Test
    void runsThatDoNotDoTheSameWorkAreRefused() {
        List<Long> calls = new ArrayList<>();
        Rounds rounds = new Rounds(0).add("a", () -> {
            calls.add(1L);
            return calls.size();
        });

        assertThatThrownBy(() -> rounds.run(1)).hasMessageContaining("a returned checksum 2 after 1");
    }
}
