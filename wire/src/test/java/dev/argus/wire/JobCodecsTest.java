package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Incidents and shapes of jobs: there and back, other versions, words nobody knows, damage. */
class JobCodecsTest {
    private static final long MOST = 1000;

    private static byte[] bytes(Incident incident) {
        WireWriter to = new WireWriter();
        IncidentCodec.encode(incident, to);
        return to.toByteArray();
    }

    private static byte[] bytes(JobShape shape) {
        WireWriter to = new WireWriter();
        JobShapeCodec.encode(shape, to);
        return to.toByteArray();
    }

    @RepeatedTest(200)
    void comeBackAsTheyWere(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        Incident incident = JobRecords.incident(random);
        WireReader from = new WireReader(bytes(incident));
        assertThat(IncidentCodec.decode(from, MOST)).isEqualTo(incident);
        from.expectEnd();
        JobShape shape = JobRecords.shape(random);
        WireReader of = new WireReader(bytes(shape));
        JobShape again = JobShapeCodec.decode(of, MOST);
        of.expectEnd();
        assertThat(JobRecords.of(again)).isEqualTo(JobRecords.of(shape));
        assertThat(bytes(again)).isEqualTo(bytes(shape));
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] bytes = bytes(JobRecords.incident(new Random(1)));
        bytes[0] = 9;
        assertThatThrownBy(() -> IncidentCodec.decode(new WireReader(bytes), MOST))
                .isInstanceOf(WireException.class)
                .hasMessage("incident of version 9, expected 1 to 3");
    }

    @Test
    void anUnknownWordIsRefused() {
        Incident incident = JobRecords.incident(new Random(1));
        String text = new String(bytes(incident), StandardCharsets.ISO_8859_1);
        String word = incident.kind().name();
        byte[] other = text.replace(word, "X".repeat(word.length())).getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> IncidentCodec.decode(new WireReader(other), MOST))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("unknown IncidentKind");
    }

    @Test
    void moreMembersThanAllowedAreRefused() {
        WireWriter to = new WireWriter();
        to.writeVarint(1).writeVarint(0).writeVarint(MOST); // one run of a member more
        byte[] set = to.toByteArray();
        byte[] shape =
                new WireWriter().writeSigned(0).writeSigned(1).writeRaw(set).toByteArray();
        assertThatThrownBy(() -> JobShapeCodec.decode(new WireReader(shape), MOST))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected at most " + MOST);
    }

    @RepeatedTest(20)
    void cutsAndFlipsAreRefusedOrRead(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        byte[] incident = bytes(JobRecords.incident(random));
        byte[] shape = bytes(JobRecords.shape(random));
        for (int i = 0; i < 200; i++) {
            byte[] cut = Arrays.copyOf(incident, random.nextInt(incident.length));
            assertThatThrownBy(() -> IncidentCodec.decode(new WireReader(cut), MOST))
                    .isInstanceOf(WireException.class);
            byte[] cutShape = Arrays.copyOf(shape, random.nextInt(shape.length));
            assertThatThrownBy(() -> JobShapeCodec.decode(new WireReader(cutShape), MOST))
                    .isInstanceOf(WireException.class);
            readOrRefused(flipped(incident, random), flipped(shape, random));
        }
    }

    private static byte[] flipped(byte[] bytes, Random random) {
        byte[] copy = bytes.clone();
        copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
        return copy;
    }

    private static void readOrRefused(byte[] incident, byte[] shape) {
        try {
            bytes(IncidentCodec.decode(new WireReader(incident), MOST));
        } catch (WireException e) {
            assertThat(e).hasMessageMatching("(?s).+");
        }
        try {
            bytes(JobShapeCodec.decode(new WireReader(shape), MOST));
        } catch (WireException e) {
            assertThat(e).hasMessageMatching("(?s).+");
        }
    }
}
