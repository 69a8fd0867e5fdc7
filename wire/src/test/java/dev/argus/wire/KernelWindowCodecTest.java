package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.DurationSummary;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StreamKernel;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class KernelWindowCodecTest {
    private static final KernelWindow EMPTY = new KernelWindow(0, 5, 9, List.of(), List.of(), 0);

    private static KernelWindow inOrder(KernelWindow window) {
        List<StreamKernel> kernels = new ArrayList<>(window.kernels());
        kernels.sort(Comparator.comparingInt(StreamKernel::name).thenComparingInt(StreamKernel::stream));
        return new KernelWindow(
                window.attempt(), window.rank(), window.window(), kernels, window.extremes(), window.lost());
    }

    @RepeatedTest(200)
    void decodingIsTheInverseOfEncoding(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        NameTable names = Windows.names();
        KernelWindowEncoder encoder = new KernelWindowEncoder(names);
        KernelWindowDecoder decoder = new KernelWindowDecoder(names);
        KernelWindow window = Windows.random(random, 0);
        for (int frame = 0; frame < 12; frame++) {
            byte[] bytes = encoder.encode(window, random.nextInt(6) == 0);
            assertThat(inOrder(decoder.decode(bytes))).as("frame %d", frame).isEqualTo(inOrder(window));
            window = random.nextInt(4) == 0 ? Windows.random(random, frame) : Windows.next(random, window);
        }
    }

    @Test
    void namesAreSentOnceAndNumberedAnew() {
        KernelWindowEncoder encoder = new KernelWindowEncoder(Windows.names());
        NameTable theirs = new NameTable();
        theirs.id("something else");
        KernelWindowDecoder decoder = new KernelWindowDecoder(theirs);
        KernelWindow window = new KernelWindow(
                0, 0, 0, List.of(new StreamKernel(4, 7, 0, DurationSummary.ofEvents(new long[] {5}))), List.of(), 0);

        KernelWindow first = decoder.decode(encoder.encode(window, true));
        assertThat(encoder.lastNameBytes()).isPositive();
        assertThat(theirs.name(first.kernels().getFirst().name())).isEqualTo("void kernel<4>(float*, int)");
        assertThat(decoder.decode(encoder.encode(window, false))).isEqualTo(first);
        assertThat(encoder.lastNameBytes()).isZero();
    }

    @RepeatedTest(20)
    void everyBitFlipAndEveryCutIsNamed(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        NameTable names = Windows.names();
        byte[] bytes = new KernelWindowEncoder(names).encode(Windows.random(random, 3), true);
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> new KernelWindowDecoder(names).decode(flipped))
                    .isInstanceOf(WireException.class);
        }
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> new KernelWindowDecoder(names).decode(cut)).isInstanceOf(WireException.class);
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 3);
        assertThatThrownBy(() -> new KernelWindowDecoder(names).decode(longer)).isInstanceOf(WireException.class);
    }

    /** 100,000 mutated frames whose checksum is right: what someone would write who means harm. */
    @Test
    void hostileFramesGiveNothingButTheNamedError() {
        Random random = new Random(20261129);
        NameTable names = Windows.names();
        int refused = 0;
        for (int round = 0; round < 100; round++) {
            KernelWindowEncoder encoder = new KernelWindowEncoder(names);
            KernelWindow window = Windows.random(random, 1);
            byte[] key = encoder.encode(window, true);
            byte[] delta = encoder.encode(Windows.next(random, window), false);
            KernelWindowDecoder decoder = new KernelWindowDecoder(names);
            for (int i = 0; i < 1000; i++) {
                byte[] mutated = mutated(random, i % 2 == 0 ? key : delta);
                try {
                    if (i % 2 != 0) {
                        decoder.decode(key);
                    }
                    decoder.decode(mutated);
                } catch (WireException e) {
                    assertThat(e).hasMessageMatching("(?s).{10,300}");
                    refused++;
                }
            }
        }
        assertThat(refused).isBetween(30_000, 100_000);
    }

    private static byte[] mutated(Random random, byte[] bytes) {
        byte[] result = random.nextInt(4) == 0
                ? Arrays.copyOf(bytes, Math.max(9, random.nextInt(2 * bytes.length)))
                : bytes.clone();
        int from = random.nextInt(3) == 0 ? 0 : Math.min(bytes.length - 5, 3);
        for (int n = random.nextInt(6); n >= 0; n--) {
            int at = from + random.nextInt(result.length - 4 - from);
            result[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextBoolean() ? 0 : 255);
        }
        CRC32C crc = new CRC32C();
        crc.update(result, 0, result.length - 4);
        System.arraycopy(KernelWindowEncoder.intBytes((int) crc.getValue()), 0, result, result.length - 4, 4);
        return result;
    }

    @Test
    void aMissedFrameIsNamedAndAKeyFrameGoesOn() {
        NameTable names = Windows.names();
        KernelWindowEncoder encoder = new KernelWindowEncoder(names);
        KernelWindowDecoder decoder = new KernelWindowDecoder(names);
        decoder.decode(encoder.encode(EMPTY, true));
        encoder.encode(EMPTY, false);
        byte[] third = encoder.encode(EMPTY, false);
        assertThatThrownBy(() -> decoder.decode(third))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("frame 2, expected 1")
                .hasMessageContaining("ask for a key frame");
        assertThat(decoder.decode(encoder.encode(EMPTY, true))).isEqualTo(EMPTY);
        assertThatThrownBy(() -> new KernelWindowDecoder(names).decode(encoder.encode(EMPTY, false)))
                .hasMessageContaining("expected a key frame");
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] bytes = new KernelWindowEncoder(Windows.names()).encode(EMPTY, true);
        bytes[0] = 2;
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - 4);
        System.arraycopy(KernelWindowEncoder.intBytes((int) crc.getValue()), 0, bytes, bytes.length - 4, 4);
        assertThatThrownBy(() -> new KernelWindowDecoder(new NameTable()).decode(bytes))
                .hasMessageContaining("frame of version 2, expected 1");
    }

    /** The frames of version 1 as they were written once; a reader of version 1 reads them for ever. */
    @Test
    void goldenFramesStayReadable() throws IOException {
        NameTable names = Windows.names();
        StreamKernel one = new StreamKernel(1, 7, 256, DurationSummary.ofEvents(new long[] {12_345}));
        StreamKernel none = new StreamKernel(2, 7, 0, DurationSummary.ofEvents(new long[0]));
        DurationSummary knots = DurationSummary.ofKnots(
                100,
                2_500_000,
                3,
                new int[] {0, 9, 20, 20, 57},
                new int[] {900, 950, 960, 1100, 1120},
                new int[] {0, 3},
                17);
        StreamKernel modes = new StreamKernel(5, 20, 0, knots);
        KernelWindow many = new KernelWindow(
                1,
                3,
                42,
                List.of(one, none, modes),
                List.of(new ExtremeEvent(5, 20, 1_700_000_000_123_456_789L, 90_000)),
                2);
        KernelWindowEncoder encoder = new KernelWindowEncoder(names);
        golden("n0", encoder.encode(EMPTY, true), EMPTY);
        KernelWindow single = new KernelWindow(0, 0, 0, List.of(one), List.of(), 0);
        golden("n1", encoder.encode(single, true), single);
        golden("many", encoder.encode(many, true), many);
    }

    private static void golden(String name, byte[] now, KernelWindow expected) throws IOException {
        String resource = "kernel-window-1-" + name + ".hex";
        try (InputStream in = KernelWindowCodecTest.class.getResourceAsStream(resource)) {
            String hex = new String(
                    Objects.requireNonNull(in, resource).readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
            assertThat(HexFormat.of().formatHex(now)).as(resource).isEqualTo(hex.strip());
            byte[] bytes = HexFormat.of().parseHex(hex.strip());
            assertThat(new KernelWindowDecoder(Windows.names()).decode(bytes)).isEqualTo(expected);
        }
    }
}
