package dev.argus.agent.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.transport.SenderStatus;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class WayNoticesTest {
    private static final long SECOND = 1_000_000_000L;

    private final WayNotices way = new WayNotices("", URI.create("http://127.0.0.1:1/"));

    private String next(long shipments, String problem, long seconds) {
        return way.next(
                new SenderStatus(shipments, problem.isEmpty() ? 0 : 1, 0, 0, 0, problem, java.util.Map.of()),
                3,
                seconds * SECOND);
    }

    @Test
    void eachTurnIsOneLine() {
        assertThat(next(0, "", 1)).as("nothing is known yet").isEmpty();
        assertThat(next(0, "nothing answers", 2)).contains("cannot ship: nothing answers; 3 frames");
        assertThat(next(0, "nothing answers", 60)).isEmpty();
        assertThat(next(0, "refused", 61)).contains("refused");
        assertThat(next(0, "nothing answers", 62)).as("not back and forth").isEmpty();
        assertThat(next(1, "", 63)).contains("takes frames again");
        assertThat(next(2, "", 64)).isEmpty();
        assertThat(next(2, "again", 65)).contains("again");
    }

    @Test
    void namesFitIntoFrames() {
        assertThat(FrameNames.of("")).isEqualTo("unnamed");
        assertThat(FrameNames.of("job")).isEqualTo("job");
        String longName = "ä".repeat(200);
        String cut = FrameNames.of(longName);
        assertThat(cut.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(256);
        assertThat(cut).isNotEqualTo(FrameNames.of(longName + "x")).startsWith("ää");
        assertThat(FrameNames.of(cut)).isEqualTo(cut);
    }
}
