package dev.argus.transport;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.testkit.Fuzzed;
import dev.argus.wire.SessionId;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a file of a spool: refused, or frames with ascending numbers. */
@Fuzzed
class SegmentFuzz {
    static Stream<byte[]> seeds() {
        return IntStream.range(0, 4).mapToObj(n -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(SegmentLayout.header(new SessionId(1, n), new byte[n]));
            for (int i = 1; i <= n; i++) {
                out.writeBytes(SegmentLayout.entry(i, new byte[10 * i]));
            }
            return out.toByteArray();
        });
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void refusedOrAscending(byte[] bytes) {
        Segment segment = Segment.of(Path.of("nowhere"), bytes);
        if (segment == null) {
            return;
        }
        boolean sound = segment.bytes() <= bytes.length
                && segment.unsettled() * (long) SegmentLayout.ENTRY_BYTES <= bytes.length
                && segment.missing >= 0
                && (segment.unsettled() == 0 || segment.floor() >= 1)
                && segment.last() >= segment.floor();
        if (!sound) {
            throw new AssertionError("an impossible segment");
        }
    }
}
