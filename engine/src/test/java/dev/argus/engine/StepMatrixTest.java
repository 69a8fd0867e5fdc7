package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The bounded table of measures by row and step. */
class StepMatrixTest {
    private static final double NONE = Double.NaN;

    /** Equal, and missing where the other is. */
    private static void same(double[][] actual, double[][] expected) {
        assertThat(Arrays.deepToString(actual)).isEqualTo(Arrays.deepToString(expected));
    }

    @Test
    void lateStepsAreInsertedInOrder() {
        StepMatrix m = new StepMatrix(2, 4);
        assertThat(m.put(7, 30, 3, 33)).isTrue();
        assertThat(m.put(7, 10, 1, 11)).isTrue();
        assertThat(m.put(2, 20, 2, 22)).isTrue();
        assertThat(m.steps()).containsExactly(10, 20, 30);
        assertThat(m.rows()).containsExactly(2, 7);
        same(m.measure(0), new double[][] {{NONE, 2, NONE}, {1, NONE, 3}});
        same(m.measure(1), new double[][] {{NONE, 22, NONE}, {11, NONE, 33}});
    }

    @Test
    void theOldestIsPushedOut() {
        StepMatrix m = new StepMatrix(1, 3);
        for (int s = 1; s <= 5; s++) {
            assertThat(m.put(0, s, s)).isTrue();
        }
        assertThat(m.steps()).containsExactly(3, 4, 5);
        same(m.measure(0), new double[][] {{3, 4, 5}});
    }

    /** Every step is judged before it is pushed out, and half of them at a time. */
    @Test
    void dueWhenHalfOfTheStepsWereNotJudged() {
        StepMatrix m = new StepMatrix(1, 4);
        int judgements = 0;
        long judged = -1;
        for (int s = 0; s < 40; s++) {
            if (m.isDueBefore(s)) {
                judged = m.step(m.size() - 1);
                m.judged();
                judgements++;
                assertThat(m.isDueBefore(s)).isFalse();
            }
            m.put(0, s, s);
            assertThat(m.step(0)).isLessThanOrEqualTo(judged + 1);
        }
        assertThat(judgements).isEqualTo(18);
    }

    @Test
    void olderThanAllKeptIsRefused() {
        StepMatrix m = new StepMatrix(1, 2);
        m.put(0, 5, 5);
        m.put(0, 6, 6);
        assertThat(m.put(0, 4, 4)).isFalse();
        same(m.measure(0), new double[][] {{5, 6}});
    }

    @Test
    void aLateStepOfAFullMatrixPushesOneOut() {
        StepMatrix m = new StepMatrix(1, 3);
        m.put(0, 1, 1);
        m.put(0, 3, 3);
        m.put(0, 5, 5);
        assertThat(m.put(0, 4, 4)).isTrue();
        assertThat(m.steps()).containsExactly(3, 4, 5);
        same(m.measure(0), new double[][] {{3, 4, 5}});
    }

    @Test
    void aRepeatedRecordReplacesItself() {
        StepMatrix m = new StepMatrix(1, 3);
        m.put(0, 1, 1);
        m.put(0, 1, 1);
        assertThat(m.size()).isEqualTo(1);
        same(m.measure(0), new double[][] {{1}});
    }

    /** Against a map that keeps the last steps. */
    @RepeatedTest(100)
    void likeASortedMap(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        StepMatrix m = new StepMatrix(1, 8);
        TreeMap<Long, TreeMap<Integer, Float>> model = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            long step = (long) i / 4 + random.nextInt(12);
            int row = random.nextInt(3);
            float value = random.nextFloat();
            boolean refused = model.size() == 8 && step < model.firstKey();
            assertThat(m.put(row, step, value))
                    .as("seed %d", run.getCurrentRepetition())
                    .isEqualTo(!refused);
            if (!refused) {
                model.computeIfAbsent(step, s -> new TreeMap<>()).put(row, value);
                if (model.size() > 8) {
                    model.pollFirstEntry();
                }
            }
        }
        assertThat(m.steps())
                .isEqualTo(model.keySet().stream().mapToLong(s -> s).toArray());
        double[][] values = m.measure(0);
        int[] rows = m.rows();
        for (int r = 0; r < rows.length; r++) {
            for (int s = 0; s < m.size(); s++) {
                Float expected = model.getOrDefault(m.step(s), new TreeMap<>()).get(rows[r]);
                assertThat(Double.compare(values[r][s], expected == null ? NONE : (double) expected))
                        .as("seed %d", run.getCurrentRepetition())
                        .isZero();
            }
        }
    }

    @Test
    void theCodecKeepsAllAndRefusesDamage() {
        StepMatrix m = new StepMatrix(3, 8);
        m.put(4, 100, 1, 2, 3);
        m.put(9, 103, 4, Float.NaN, 6);
        WireWriter to = new WireWriter();
        m.encode(to);
        byte[] bytes = to.toByteArray();
        StepMatrix back = StepMatrix.decode(3, 8, new WireReader(bytes));
        assertThat(back.steps()).isEqualTo(m.steps());
        assertThat(back.rows()).isEqualTo(m.rows());
        for (int i = 0; i < 3; i++) {
            same(back.measure(i), m.measure(i));
        }
        for (int cut = 0; cut < bytes.length; cut++) {
            byte[] part = Arrays.copyOf(bytes, cut);
            assertThatThrownBy(() -> StepMatrix.decode(3, 8, new WireReader(part)))
                    .as("cut at %d", cut)
                    .isInstanceOf(WireException.class);
        }
        assertThatThrownBy(() -> StepMatrix.decode(3, 1, new WireReader(bytes)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected at most 1");
    }

    /** To the bit, whatever lies in the columns, and as few bytes as stated. */
    @RepeatedTest(50)
    void theCodecIsExact(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        StepMatrix m = new StepMatrix(3, 8);
        for (int i = 0; i < 200; i++) {
            int row = random.nextInt(6);
            float any = Float.intBitsToFloat(random.nextInt());
            m.put(row, random.nextInt(20), Float.isNaN(any) ? Float.NaN : any, 7, random.nextBoolean() ? 0 : -0f);
        }
        WireWriter to = new WireWriter();
        m.encode(to);
        WireReader from = new WireReader(to.toByteArray());
        StepMatrix back = StepMatrix.decode(3, 8, from);
        from.expectEnd();
        for (int i = 0; i < 3; i++) {
            same(back.measure(i), m.measure(i));
        }
        WireWriter again = new WireWriter();
        back.encode(again);
        assertThat(again.toByteArray()).isEqualTo(to.toByteArray());
    }

    @Test
    void whatHardlyChangesTakesFewBytes() {
        StepMatrix m = new StepMatrix(2, 48);
        Random random = new Random(1);
        for (int s = 0; s < 48; s++) {
            for (int row = 0; row < 100; row++) {
                m.put(row, s, (float) (1e6 * (1 + 0.0005 * random.nextGaussian())), 420);
            }
        }
        WireWriter to = new WireWriter();
        m.encode(to);
        assertThat(to.length() / (100.0 * 48)).as("bytes of 8").isLessThan(3.2);
    }

    /** Damaged step numbers must not lead to wrong answers of the binary search later. */
    @Test
    void stepsOutOfOrderAreDamage() {
        WireWriter to = new WireWriter();
        to.writeSigned(0).writeVarint(2).writeSigned(9).writeSigned(4).writeVarint(0);
        assertThatThrownBy(() -> StepMatrix.decode(1, 8, new WireReader(to.toByteArray())))
                .isInstanceOf(WireException.class);
    }
}
