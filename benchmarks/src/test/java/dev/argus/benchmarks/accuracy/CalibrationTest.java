package dev.argus.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    private static List<Score.Finding> findings(int count, double confidence, int right) {
        List<Score.Finding> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(new Score.Finding(confidence, i < right));
        }
        return list;
    }

    @Test
    void theErrorIsTheMeanDistanceWeighedByFindings() {
        List<Score.Finding> all = findings(100, 0.95, 90);
        all.addAll(findings(50, 0.85, 45));

        Calibration calibration = Calibration.of(all);

        assertThat(calibration.error()).isCloseTo((100 * 0.05 + 50 * 0.05) / 150, within(1e-9));
        assertThat(calibration.worstExcess()).isCloseTo(0.05, within(1e-9));
    }

    @Test
    void binsWithFewFindingsDoNotCount() {
        List<Score.Finding> all = findings(49, 0.95, 0);
        assertThat(Calibration.of(all).error()).isNaN();
        all.addAll(findings(50, 1, 99));
        assertThat(Calibration.of(all).bins()).singleElement().satisfies(bin -> {
            assertThat(bin.count()).isEqualTo(99);
            assertThat(bin.from()).isEqualTo(0.9);
        });
    }
}
