package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.DurationSummary;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StreamKernel;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class KernelWindowCodecTest {
    private static final KernelWindow EMPTY = new KernelWindow(0, 5, 9, List.of(), List.of(), 0);

    @RepeatedTest(200)
    void decodingIsTheInverseOfEncoding(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        NameTable names = Windows.names();
        KernelWindowEncoder encoder = new KernelWindowEncoder(names);
        KernelWindowDecoder decoder = new KernelWindowDecoder(names);
        KernelWindow window = Windows.random(random, 0);
        for (int frame = 0; frame < 12; frame++) {
            byte[] bytes = encoder.encode(window, random.nextInt(6) == 0);
            assertThat(CheckedWindows.inOrder(decoder.decode(bytes)))
                    .as("frame %d", frame)
                    .isEqualTo(CheckedWindows.inOrder(window));
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

    /** Both names of a trace that are one as UTF-8; and a frame with a name twice, which no encoder writes. */
    @Test
    void namesStayDistinct() {
        NameTable names = new NameTable();
        DurationSummary one = DurationSummary.ofEvents(new long[] {5});
        List<StreamKernel> halves = List.of(
                new StreamKernel(names.id("k\ud800"), 7, 0, one), new StreamKernel(names.id("k\ud801"), 7, 0, one));
        byte[] frame = new KernelWindowEncoder(names).encode(new KernelWindow(0, 0, 0, halves, List.of(), 0), true);
        NameTable theirs = new NameTable();
        assertThat(new KernelWindowDecoder(theirs).decode(frame).kernels()).hasSize(2);
        assertThat(List.of(theirs.name(0), theirs.name(1))).containsExactly("k?", "k?~");

        byte[] twice = new KernelWindowEncoder(Windows.names())
                .encode(
                        new KernelWindow(
                                0,
                                0,
                                0,
                                List.of(new StreamKernel(1, 7, 0, one), new StreamKernel(2, 7, 0, one)),
                                List.of(),
                                0),
                        true);
        int digit = new String(twice, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf('2');
        twice[digit] = '1';
        assertThatThrownBy(() -> new KernelWindowDecoder(theirs).decode(CheckedWindows.repaired(twice)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("new name 1 is in the dictionary already");
        assertThat(theirs.size()).isEqualTo(2);
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

    /** The body is whole and something stands behind it: refused when all of it was read, and nothing of it stays. */
    @RepeatedTest(20)
    void aFrameWithMoreBehindItLeavesNothing(RepetitionInfo info) {
        NameTable names = Windows.names();
        Random random = new Random(info.getCurrentRepetition());
        KernelWindow first = Windows.random(random, 1);
        KernelWindow second = Windows.next(random, first);
        KernelWindowEncoder encoder = new KernelWindowEncoder(names);
        KernelWindowDecoder decoder = new KernelWindowDecoder(names);
        assertThat(decoder.decode(encoder.encode(first, true))).isEqualTo(first);
        byte[] frame = encoder.encode(second, false);
        byte[] longer = Arrays.copyOf(frame, frame.length + 64);
        longer[frame.length - 4] ^= 0x55; // where the checksum was
        assertThatThrownBy(() -> decoder.decode(CheckedWindows.repaired(longer)))
                .isInstanceOf(WireException.class);
        assertThat(decoder.decode(frame)).isEqualTo(second);
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] bytes = new KernelWindowEncoder(Windows.names()).encode(EMPTY, true);
        bytes[0] = 2;
        assertThatThrownBy(() -> new KernelWindowDecoder(new NameTable()).decode(CheckedWindows.repaired(bytes)))
                .hasMessageContaining("frame of version 2, expected 1");
    }

    /** The frames of version 1 as they were written once; a reader of version 1 reads them for ever. */
    @Test
    void goldenFramesStayReadable() {
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

    private static void golden(String name, byte[] now, KernelWindow expected) {
        byte[] then = Frames.golden(name);
        assertThat(HexFormat.of().formatHex(now))
                .as(name)
                .isEqualTo(HexFormat.of().formatHex(then));
        assertThat(new KernelWindowDecoder(Windows.names()).decode(then)).isEqualTo(expected);
    }
}
