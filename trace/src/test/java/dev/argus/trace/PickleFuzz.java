package dev.argus.trace;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.testkit.Fuzzed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a pickle: a value or a {@link PickleError}, never another exception, never much memory for few bytes. */
@Fuzzed
class PickleFuzz {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** An empty dict with its place in memo and stack takes most for a byte; and what a reading takes at all. */
    private static final long BYTES_EACH = 512;

    private static final long BYTES_ANYWAY = 1 << 20;

    static Stream<byte[]> seeds() {
        return Stream.of(
                        "286470300a56610a70310a286c70320a49310a61492d320a614c33344c0a6146322e350a614e612849310a7470330a6173732e",
                        "7d71002858010000006171015d7102284b014afeffffff4a70110100658c0178752e",
                        "80027d71002858010000006171015d7102284b018a060000000000014740040000000000004e8889294b0185652e",
                        "80049512000000000000005d94288f94284b0190288c0161949194652e",
                        "8005951b000000000000005d9428430261629443037a7a7a949601000000000000007194652e",
                        "800263706f7369780a73797374656d0a710058040000006563686f71018571025271032e",
                        "80025d71006800612e")
                .map(HexFormat.of()::parseHex);
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 12_000)
    void anythingAtAllIsSurvived(byte[] bytes) throws IOException {
        long used = read(bytes);
        if (used > BYTES_ANYWAY + BYTES_EACH * bytes.length && read(bytes) > BYTES_ANYWAY + BYTES_EACH * bytes.length) {
            throw new AssertionError(used + " bytes allocated for a pickle of " + bytes.length);
        }
    }

    private static long read(byte[] bytes) throws IOException {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            Pickle.read(new ByteArrayInputStream(bytes));
        } catch (PickleError refused) {
            if (refused.offset() < 0 || refused.text().isEmpty()) {
                throw new AssertionError("refused without place or reason", refused);
            }
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
