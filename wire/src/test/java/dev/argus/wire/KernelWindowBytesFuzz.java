package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.testkit.Fuzzed;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a frame. Few come past the checksum; {@link KernelWindowBodyFuzz} is for what lies behind it. */
@Fuzzed
class KernelWindowBytesFuzz {
    static Stream<byte[]> seeds() {
        return Frames.golden().stream();
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void aFrameIsWholeOrRefused(byte[] bytes) {
        CheckedWindows windows = new CheckedWindows();
        windows.decode(bytes);
        windows.end();
    }
}
