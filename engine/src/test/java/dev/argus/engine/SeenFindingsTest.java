package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.SpanKind;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import org.junit.jupiter.api.Test;

/** Pauses that the job waited for, as the diagnosis keeps them. */
class SeenFindingsTest {
    private static WorkFinding finding(Weight weight, long step, double nanos) {
        return new WorkFinding(
                0,
                0,
                5,
                OwnComponent.GAP,
                new long[] {step},
                new double[] {nanos},
                1,
                100,
                1,
                nanos,
                1,
                0,
                1,
                true,
                false,
                1,
                1,
                1,
                1,
                0,
                0,
                Double.NaN,
                0,
                0,
                -1,
                SpanKind.PYTHON,
                new double[] {1, 1, 1, 1},
                8,
                12,
                weight,
                true);
    }

    /** A rank that has its turn again two steps later paused twice. */
    @Test
    void eachIsOneOfItsStep() {
        Diagnosis.State state = new Diagnosis.State(0);
        state.add(finding(Weight.SEEN, 3, 20));
        state.add(finding(Weight.SEEN, 4, 10));
        state.add(finding(Weight.SEEN, 6, 30));
        state.add(finding(Weight.SEEN, 6, 31)); // looked at again
        assertThat(state.work).extracting(WorkFinding::firstStep).containsExactly(3L, 4L, 6L);
        assertThat(state.work).extracting(WorkFinding::totalNanos).containsExactly(20.0, 10.0, 31.0);
        WireWriter to = new WireWriter();
        PartialCodec.encode(state, to);
        Diagnosis.State again = new Diagnosis.State(0);
        PartialCodec.decode(again, new WireReader(to.toByteArray()));
        again.add(finding(Weight.SEEN, 5, 9));
        assertThat(again.work).hasSize(4);
    }

    @Test
    void stretchesOfOtherWeightsThatTouchAreOne() {
        Diagnosis.State state = new Diagnosis.State(0);
        state.add(finding(Weight.ACCUSES, 3, 20));
        state.add(finding(Weight.ACCUSES, 4, 10));
        assertThat(state.work).singleElement().extracting(WorkFinding::lastStep).isEqualTo(4L);
    }
}
