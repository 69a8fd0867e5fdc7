package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.model.NameTable;
import dev.argus.model.StepDigest;
import dev.argus.testkit.Fuzzed;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a step digest from another host: refused by name, or something that can be shipped again. */
@Fuzzed
class ShippedDigestFuzz {
    static Stream<byte[]> seeds() {
        return IntStream.range(0, 10).mapToObj(seed -> {
            WireWriter to = new WireWriter();
            ShippedDigestCodec.encode(new RandomRecords(seed).digest(), id -> "name " + id, to);
            return to.toByteArray();
        });
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void refusedOrShippedAgain(byte[] bytes) {
        NameTable names = new NameTable();
        StepDigest digest;
        try {
            digest = ShippedDigestCodec.decode(new WireReader(bytes), names::id);
        } catch (WireException refused) {
            return;
        }
        ShippedDigestCodec.encode(digest, names::name, new WireWriter());
    }
}
