package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.testkit.Fuzzed;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as an incident and as the shape of a job: refused by name, or something that is read as the same again; with bounded memory. */
@Fuzzed
class JobStateFuzz {
    private static final long MOST = 10_000;

    static Stream<byte[]> seeds() {
        return IntStream.range(0, 8).mapToObj(seed -> {
            WireWriter to = new WireWriter();
            if (seed % 2 == 0) {
                IncidentCodec.encode(JobRecords.incident(new Random(seed)), to);
            } else {
                JobShapeCodec.encode(JobRecords.shape(new Random(seed)), to);
            }
            return to.toByteArray();
        });
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 8_000)
    void refusedOrReadAgain(byte[] bytes) {
        long allowed = (1 << 20) + 256L * bytes.length;
        Incident incident = Fuzzing.decoded(b -> IncidentCodec.decode(new WireReader(b), MOST), bytes, allowed);
        if (incident != null) {
            WireWriter to = new WireWriter();
            IncidentCodec.encode(incident, to);
            Incident again = IncidentCodec.decode(new WireReader(to.toByteArray()), MOST);
            Fuzzing.check(again.equals(incident), "another incident the second time");
        }
        JobShape shape = Fuzzing.decoded(b -> JobShapeCodec.decode(new WireReader(b), MOST), bytes, allowed);
        if (shape != null) {
            WireWriter to = new WireWriter();
            JobShapeCodec.encode(shape, to);
            JobShape again = JobShapeCodec.decode(new WireReader(to.toByteArray()), MOST);
            Fuzzing.check(JobRecords.of(again).equals(JobRecords.of(shape)), "another shape the second time");
        }
    }
}
