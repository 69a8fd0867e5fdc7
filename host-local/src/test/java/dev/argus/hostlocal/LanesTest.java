package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LanesTest {
    @Test
    void everyLaneOnceAndFailuresReachTheCallerWhenAllAreDone() {
        AtomicInteger done = new AtomicInteger();
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            new Lanes(executor, 5).run(lane -> done.addAndGet(1 << lane));
            assertThat(done.get()).isEqualTo(0b11111);
            done.set(0);
            assertThatThrownBy(() -> new Lanes(executor, 5).run(lane -> {
                        done.incrementAndGet();
                        if (lane == 3) {
                            throw new IllegalStateException("lane 3");
                        }
                    }))
                    .hasMessageContaining("lane 3");
            assertThat(done.get()).isEqualTo(5);
        }
    }

    @Test
    void needsOne() {
        assertThatThrownBy(() -> new Lanes(Runnable::run, 0)).hasMessageContaining("0 lanes");
    }
}
