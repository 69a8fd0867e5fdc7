package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.testkit.Fuzzed;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a kernel window inside one process. */
@Fuzzed
class KernelRecordFuzz {
    static Stream<byte[]> seeds() {
        return IntStream.range(0, 10).mapToObj(seed -> {
            WireWriter to = new WireWriter();
            KernelRecordCodec.encode(Windows.random(new Random(seed), seed), to);
            return to.toByteArray();
        });
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void whatIsReadIsWhatIsWritten(byte[] bytes) {
        Fuzzing.exact(bytes, KernelRecordCodec::decode, KernelRecordCodec::encode);
    }
}
