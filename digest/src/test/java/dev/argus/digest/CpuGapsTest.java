package dev.argus.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import org.junit.jupiter.api.Test;

/** What a rank without GPU does that is no training. */
class CpuGapsTest {
    private static final String GC = StallWords.STALL + "garbage collection (generation 2)";

    @Test
    void whatIsNoTrainingIsIdleWhateverPhaseItLiesIn() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .mark(1, 1_000, 2_000)
                .span("forward", 100, 500)
                .span(SpanKind.PYTHON, GC, 150, 200, null)
                .span(SpanKind.PYTHON, GC, 300, 330, null)
                .span(SpanKind.SCHEDULER, StallWords.NO_CPU, 600, 620, null)
                .finish();
        assertThat(t.own(0)).isEqualTo("320+0+0+100/100");
        assertThat(t.step(0).phases()).containsExactly(new PhaseTime(Phase.FORWARD, 320_000, 320_000));
        assertThat(t.gaps(0))
                .as("ranges of one name are one gap, the longest first")
                .containsExactly("150-230 " + GC + " host", "600-620 " + StallWords.NO_CPU + " host");
        assertThat(t.gaps(1)).isEmpty();
    }

    @Test
    void loadingDataIsAGapToo() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .mark(1, 1_000, 2_000)
                .span("data_loading", 0, 200)
                .span("forward", 200, 500)
                .span(SpanKind.PYTHON, GC, 150, 250, null)
                .finish();
        assertThat(t.own(0)).as("no nanosecond twice").isEqualTo("250+0+0+250/250");
        assertThat(t.gaps(0)).containsExactly("0-200 data_loading host input", "150-250 " + GC + " host");
    }

    @Test
    void aStallInsideACollectiveIsAWait() {
        Timeline t = new Timeline().mark(0, 0, 1_000).mark(1, 1_000, 2_000);
        t.span("forward", 100, 500)
                .span(SpanKind.OPERATOR, "gloo:all_reduce", 300, 400, t.call(CollectiveOp.ALL_REDUCE, "dp", 5))
                .span(SpanKind.PYTHON, GC, 350, 390, null)
                .finish();
        assertThat(t.own(0)).isEqualTo("300+0+100+0/0");
    }

    @Test
    void aRangeOfAProfilerIsNoStall() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .mark(1, 1_000, 2_000)
                .span("forward", 100, 500)
                .span(SpanKind.PYTHON, "torch/_dynamo/eval_frame.py(328): compile", 100, 500, null)
                .finish();
        assertThat(t.own(0)).isEqualTo("400+0+0+0/0");
        assertThat(t.step(0).gaps()).isEmpty();
    }
}
