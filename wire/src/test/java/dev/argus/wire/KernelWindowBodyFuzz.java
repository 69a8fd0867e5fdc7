package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.testkit.Fuzzed;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes as a stream of frames whose version and checksum are right: what someone would write who means harm. Each frame is a length
 * (2 bytes) and what stands between version and checksum.
 */
@Fuzzed
class KernelWindowBodyFuzz {
    static Stream<byte[]> seeds() {
        return Stream.concat(
                        Frames.golden().stream().map(List::of),
                        IntStream.range(0, 8).mapToObj(seed -> Frames.stream(seed, 3)))
                .map(KernelWindowBodyFuzz::packed);
    }

    private static byte[] packed(List<byte[]> frames) {
        WireWriter to = new WireWriter();
        for (byte[] frame : frames) {
            int length = frame.length - 5;
            to.writeByte(length).writeByte(length >> 8).writeRaw(Arrays.copyOfRange(frame, 1, 1 + length));
        }
        return to.toByteArray();
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 6_000)
    void whatIsReadCanBeWritten(byte[] packed) {
        CheckedWindows windows = new CheckedWindows();
        for (int at = 0; at + 2 < packed.length; ) {
            int length = (packed[at] & 0xFF) | ((packed[at + 1] & 0xFF) << 8);
            int to = Math.min(packed.length, at + 2 + length);
            byte[] frame = new byte[1 + to - at - 2 + 4];
            frame[0] = KernelWindowLayout.VERSION;
            System.arraycopy(packed, at + 2, frame, 1, to - at - 2);
            windows.decode(CheckedWindows.repaired(frame));
            at = to;
        }
        windows.end();
    }
}
