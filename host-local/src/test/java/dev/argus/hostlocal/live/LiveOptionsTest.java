package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How a job is watched. */
class LiveOptionsTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void theShapeOfALargeJobIsMadeAgainOnceInAWhile() {
        assertThat(LiveOptions.DEFAULT.betweenShapes(64)).isZero();
        assertThat(LiveOptions.DEFAULT.betweenShapes(4096)).isEqualTo(10 * SECOND);
        assertThat(LiveOptions.DEFAULT.betweenShapes(12_960)).isEqualTo(30 * SECOND);
    }

    @Test
    void timesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new LiveOptions(null, 0, 1, 1, 1)).hasMessageContaining("expected lateness");
        assertThatThrownBy(() -> new LiveOptions(null, 1, 1, 1, 0)).hasMessageContaining("expected lateness");
    }
}
