package dev.argus.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.argus.server.http.Problem;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The layout of heat maps, read back by the words of its page. */
class HeatMapBytesTest {
    /** Reads as docs/design/0014-interface.md says. */
    private static HeatMapData decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(in.get()).isEqualTo((byte) 'A');
        assertThat(in.get()).isEqualTo((byte) 'R');
        assertThat(in.get()).isEqualTo((byte) 'G');
        assertThat(in.get()).isEqualTo((byte) 'H');
        assertThat(in.get()).isEqualTo((byte) 1);
        in.get();
        int attempt = (int) signed(in);
        int[] ranks = new int[(int) varint(in)];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = (int) signed(in) + (i == 0 ? 0 : ranks[i - 1]);
        }
        long[] steps = new long[(int) varint(in)];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = signed(in) + (i == 0 ? 0 : steps[i - 1]);
        }
        float[] seconds = new float[ranks.length * steps.length];
        for (int i = 0; i < seconds.length; i++) {
            int code = in.getShort() & 0xffff;
            seconds[i] = code == 0 ? Float.NaN : (float) (Math.pow(2, (code - 1) / 1024.0) / 1e9);
        }
        assertThat(in.hasRemaining()).isFalse();
        return new HeatMapData(attempt, ranks, steps, seconds);
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = in.get();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }

    private static long signed(ByteBuffer in) {
        long value = varint(in);
        return value >>> 1 ^ -(value & 1);
    }

    @Test
    void theBytesOfVersionOneStay() {
        HeatMapData data =
                new HeatMapData(2, new int[] {0, 7}, new long[] {300, 301}, new float[] {0.2f, Float.NaN, 0, 1});
        assertThat(HexFormat.of().formatHex(HeatMapBytes.encode(HeatValue.WAIT, data)))
                .isEqualTo("4152474801020402000e02d804024e6e000001009877");
    }

    @Test
    void everyValueComesBackWithinItsBound() {
        Random random = new Random(3);
        int[] ranks = IntStream.range(0, 40).map(i -> random.nextInt(12_960)).toArray();
        long[] steps =
                LongStream.range(0, 60).map(i -> 1_000_000_000_000L + 3 * i).toArray();
        float[] seconds = new float[ranks.length * steps.length];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = random.nextInt(20) == 0 ? Float.NaN : (float) Math.pow(10, random.nextDouble() * 10 - 7);
        }
        HeatMapData back = decode(HeatMapBytes.encode(HeatValue.OWN, new HeatMapData(0, ranks, steps, seconds)));
        assertThat(back.ranks()).isEqualTo(ranks);
        assertThat(back.steps()).isEqualTo(steps);
        for (int i = 0; i < seconds.length; i++) {
            if (Float.isNaN(seconds[i])) {
                assertThat(back.seconds()[i]).isNaN();
            } else {
                // Below a microsecond whole nanoseconds are coarser than the code.
                assertThat(back.seconds()[i]).isCloseTo(seconds[i], within(seconds[i] * 0.0004f + 1e-9f));
            }
        }
    }

    @Test
    void nothingIsAMapToo() {
        HeatMapData back = decode(
                HeatMapBytes.encode(HeatValue.DURATION, new HeatMapData(-1, new int[0], new long[0], new float[0])));
        assertThat(back.attempt()).isEqualTo(-1);
        assertThat(back.ranks()).isEmpty();
    }

    @Test
    void ofTooManyCellsTheNewestStepsAreGiven() {
        int[] ranks = IntStream.range(0, 12_960).toArray();
        long[] steps = LongStream.range(0, 1400).toArray();
        float[] seconds = new float[ranks.length * steps.length];
        for (int r = 0; r < ranks.length; r++) {
            Arrays.fill(seconds, r * steps.length, (r + 1) * steps.length, 1);
            seconds[r * steps.length + 1399] = 2;
        }
        HeatMapData data = new HeatMapData(0, ranks, steps, seconds);
        HeatMapData back = decode(HeatMapBytes.encode(HeatValue.OWN, data));
        assertThat(back.steps()).hasSize(HeatMapBytes.MOST_CELLS / 12_960).endsWith(1398, 1399);
        assertThat(back.seconds()[back.steps().length - 1]).isCloseTo(2f, within(0.001f));
        assertThatThrownBy(() -> HeatMapBytes.json(HeatValue.OWN, data))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("too large for JSON");
    }
}
