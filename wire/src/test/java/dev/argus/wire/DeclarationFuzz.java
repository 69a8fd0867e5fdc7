package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.model.NameTable;
import dev.argus.testkit.Fuzzed;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as side records and declarations: refused by name, or something that can be written again. */
@Fuzzed
class DeclarationFuzz {
    static Stream<byte[]> seeds() {
        NameTable names = new NameTable();
        WireWriter a = new WireWriter();
        RankDeclarationCodec.encode(AgentRecords.declaration(names), a);
        WireWriter b = new WireWriter();
        FlightRecordCodec.encode(AgentRecords.flight(names), b);
        WireWriter c = new WireWriter();
        StackRecordCodec.encode(AgentRecords.stacks(names), c);
        WireWriter d = new WireWriter();
        GpuReadingCodec.encode(AgentRecords.reading(names), d);
        return Stream.of(a, b, c, d).map(WireWriter::toByteArray);
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void whatIsReadIsWhatIsWritten(byte[] bytes) {
        Fuzzing.exact(bytes, FlightRecordCodec::decode, FlightRecordCodec::encode);
        Fuzzing.exact(bytes, StackRecordCodec::decode, StackRecordCodec::encode);
        Fuzzing.exact(bytes, GpuReadingCodec::decode, GpuReadingCodec::encode);
        var declaration = Fuzzing.decoded(b -> RankDeclarationCodec.decode(new WireReader(b), 1000), bytes, 1 << 20);
        if (declaration != null) {
            WireWriter to = new WireWriter();
            RankDeclarationCodec.encode(declaration, to);
            RankDeclarationCodec.decode(new WireReader(to.toByteArray()), 1000);
        }
    }
}
