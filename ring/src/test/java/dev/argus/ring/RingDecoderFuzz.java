package dev.argus.ring;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.digest.RankAssembler;
import dev.argus.model.NameTable;
import dev.argus.testkit.Fuzzed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as records: decoded, turned into events and digested without an exception; every record is consumed. */
@Fuzzed
class RingDecoderFuzz {
    static Stream<byte[]> seeds() throws IOException {
        byte[] golden = Files.readAllBytes(GoldenScript.file("ring-1.bin"));
        return Stream.of(
                Arrays.copyOfRange(golden, 4096, 4096 + 512),
                Arrays.copyOfRange(golden, golden.length - 1024, golden.length),
                new byte[64]);
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void anyRecordsAreSurvived(byte[] bytes) {
        int records = Math.min(512, bytes.length / 32);
        long[] words = new long[records * 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
        NameTable names = new NameTable();
        RingDecoder decoder = new RingDecoder(new RingNames(names, "?", 100, 100_000));
        RankAssembler assembler = new RankAssembler(names);
        RingEvents events = new RingEvents(
                new RingHeader(0, 3, 1024, 1, 1, 3, 1, -1, -1, -1, 0),
                names,
                new RingClock(RingHeader.OTHER),
                new RingIdentity(),
                new LaunchedCalls(),
                assembler,
                RingMarks.NONE);
        int open = decoder.decode(words, records, false, events);
        long[] rest = Arrays.copyOfRange(words, open * 4, words.length);
        int closed = decoder.decode(rest, records - open, true, events);
        if (open + closed != records) {
            throw new AssertionError(open + " and " + closed + " of " + records + " records consumed");
        }
        if (names.size() > 120) {
            throw new AssertionError(names.size() + " names");
        }
        MemorySegment header = MemorySegment.ofArray(Arrays.copyOf(words, 16));
        RingHeader.wrong(header, RingLayout.fileBytes(1024));
    }
}
