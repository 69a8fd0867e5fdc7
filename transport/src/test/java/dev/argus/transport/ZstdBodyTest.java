package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ZstdBodyTest {
    private static final int MOST = 100_000;

    private static byte[] made(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        Arrays.fill(bytes, length / 2, length, (byte) 3);
        return bytes;
    }

    private static byte[] both(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static byte[] withoutLength(byte[] plain) throws IOException {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        try (ZstdOutputStream packing = new ZstdOutputStream(to)) {
            packing.write(plain);
            packing.flush();
        }
        return to.toByteArray();
    }

    @Test
    void unpacksWhatSaysItsLengthAndWhatDoesNot() throws IOException {
        byte[] plain = made(20_000);
        byte[] unstated = withoutLength(plain);
        assertThat(Zstd.getFrameContentSize(unstated)).isNotEqualTo(20_000);
        assertThat(ZstdBody.unpacked(Zstd.compress(plain), MOST)).isEqualTo(plain);
        assertThat(ZstdBody.unpacked(unstated, MOST)).isEqualTo(plain);
        assertThat(ZstdBody.unpacked(Zstd.compress(new byte[0]), MOST)).isEmpty();
    }

    /** The length of the first one is not that of all. */
    @Test
    void unpacksSeveralFramesAsOne() throws IOException {
        byte[] first = made(5_000);
        byte[] second = made(9_000);
        assertThat(ZstdBody.unpacked(both(Zstd.compress(first), Zstd.compress(second)), MOST))
                .isEqualTo(both(first, second));
    }

    @Test
    void saysThatThereIsMoreThanMayBe() throws IOException {
        assertThat(ZstdBody.unpacked(Zstd.compress(new byte[MOST]), MOST)).hasSize(MOST);
        assertThat(ZstdBody.unpacked(Zstd.compress(new byte[50 * MOST]), MOST)).hasSize(MOST + 1);
    }

    @Test
    void refusesWhatIsCutOrDamaged() {
        byte[] packed = Zstd.compress(made(20_000));
        assertThatThrownBy(() -> ZstdBody.unpacked(Arrays.copyOf(packed, packed.length - 9), MOST))
                .isInstanceOf(IOException.class);
        byte[] damaged = packed.clone();
        damaged[1] ^= 1;
        assertThatThrownBy(() -> ZstdBody.unpacked(damaged, MOST)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ZstdBody.unpacked(new byte[] {1, 2, 3}, MOST)).isInstanceOf(IOException.class);
    }
}
