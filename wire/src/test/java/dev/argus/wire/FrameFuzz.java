package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.model.NameTable;
import dev.argus.testkit.Fuzzed;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a frame whose checksum is right: refused by name, or something that can be written again; with bounded memory. */
@Fuzzed
class FrameFuzz {
    static Stream<byte[]> seeds() {
        return IntStream.range(0, 6).mapToObj(seed -> {
            NameTable names = new NameTable();
            FrameWriter writer = new FrameWriter(new SessionId(seed, 1), "job", "host", names);
            AgentRecords.all(names, seed).forEach(writer::add);
            byte[] frame = writer.frame(1, 5);
            return Arrays.copyOf(frame, frame.length - 4);
        });
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 6_000)
    void refusedOrWrittenAgain(byte[] unsummed) {
        byte[] bytes = new WireWriter().writeRaw(unsummed).writeChecksum(0).toByteArray();
        NameTable names = new NameTable();
        long allowed = (20L << 20) + 4096L * bytes.length;
        Optional<Frame> read = Fuzzing.decoded(
                b -> Optional.ofNullable(new FrameReader().read(b, new NameBook(names))), bytes, allowed);
        if (read != null && read.isPresent()) {
            Frame frame = read.get();
            FrameWriter writer = new FrameWriter(frame.head().session(), "job", "host", names);
            frame.records().forEach(writer::add);
            NameBook book = new NameBook(new NameTable());
            Frame again = new FrameReader().read(writer.frame(1, 5), book);
            Fuzzing.check(again != null && again.damaged() == 0, "what was read cannot be read again");
        }
    }
}
