package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.testkit.Fuzzed;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a step digest. */
@Fuzzed
class StepDigestFuzz {
    static Stream<byte[]> seeds() {
        return IntStream.range(0, 10).mapToObj(seed -> {
            WireWriter to = new WireWriter();
            StepDigestCodec.encode(new RandomRecords(seed).digest(), to);
            return to.toByteArray();
        });
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void whatIsReadIsWhatIsWritten(byte[] bytes) {
        Fuzzing.exact(bytes, StepDigestCodec::decode, StepDigestCodec::encode);
    }
}
