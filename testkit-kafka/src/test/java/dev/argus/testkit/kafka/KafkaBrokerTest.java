package dev.argus.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBrokerTest {
    @TempDir
    Path folder;

    @Test
    void startsAgainAtItsPlaceWhenItWasKilled() throws IOException, InterruptedException {
        try (KafkaBroker broker = KafkaBroker.in(folder)) {
            String at = broker.bootstrap();
            assertThat(broker.pid()).isPositive();
            assertThatThrownBy(broker::start).isInstanceOf(IllegalStateException.class);

            broker.kill();
            assertThat(broker.pid()).isEqualTo(-1);
            broker.start();

            assertThat(broker.bootstrap()).isEqualTo(at);
            broker.stop();
            assertThat(broker.pid()).isEqualTo(-1);
        }
    }
}
