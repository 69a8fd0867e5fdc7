package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Gap;
import dev.argus.model.KernelClass;
import dev.argus.model.KernelSummary;
import dev.argus.model.OwnTime;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Layouts inside one process: there and back, golden bytes, damage. */
class CodecsTest {
    private static final StepDigest NOTHING = new StepDigest(
            0,
            -1,
            0,
            0,
            0,
            false,
            false,
            false,
            new OwnTime(0, 0, 0, 0, 0),
            0,
            0,
            0,
            0,
            List.of(),
            List.of(),
            List.of());

    private static final StepDigest ONE = new StepDigest(
            1,
            3,
            41,
            1_000,
            500,
            true,
            false,
            true,
            new OwnTime(300, 10, 100, 90, 80),
            7,
            4_096,
            12,
            1_024,
            List.of(new PhaseTime(Phase.BACKWARD, 200, 150)),
            List.of(new CollectiveStat(CollectiveOp.REDUCE_SCATTER, 5, 9, -1, -1, 20, 1_100, 120, 100, true)),
            List.of(new Gap(1_400, 90, true, false, false, -1, SpanKind.RUNTIME)));

    private static final String NOTHING_HEX = "01000100000000" + "0000000000" + "00000000" + "00" + "00" + "00";

    private static final String ONE_HEX = "01010652d00ff40305" + "ac020a645a50" + "0780200c8008"
            + "0101c8019601"
            + "01820a12010128c8017864"
            + "01a0065a010103";

    private static byte[] encode(StepDigest d) {
        WireWriter to = new WireWriter();
        StepDigestCodec.encode(d, to);
        return to.toByteArray();
    }

    private static byte[] encode(KernelSummary k) {
        WireWriter to = new WireWriter();
        KernelSummaryCodec.encode(k, to);
        return to.toByteArray();
    }

    private static KernelSummary summary(long count, long work, double... quantiles) {
        return new KernelSummary(2, 7, -3, 300, KernelClass.COMMUNICATION, count, 16_000, work, quantiles);
    }

    private static byte[] withVersion2(byte[] bytes) {
        bytes[0] = 2;
        return bytes;
    }

    @RepeatedTest(300)
    void digestsComeBackAsTheyWere(RepetitionInfo run) {
        RandomRecords records = new RandomRecords(run.getCurrentRepetition());
        StepDigest first = records.digest();
        StepDigest second = records.digest();
        WireWriter to = new WireWriter();
        StepDigestCodec.encode(first, to);
        StepDigestCodec.encode(second, to);
        WireReader from = new WireReader(to.toByteArray());
        assertThat(StepDigestCodec.decode(from)).isEqualTo(first);
        assertThat(StepDigestCodec.decode(from)).isEqualTo(second);
        from.expectEnd();
    }

    @RepeatedTest(300)
    void summariesComeBackAsTheyWere(RepetitionInfo run) {
        KernelSummary k = new RandomRecords(run.getCurrentRepetition()).summary();
        WireReader from = new WireReader(encode(k));
        assertThat(KernelSummaryCodec.decode(from)).usingRecursiveComparison().isEqualTo(k);
        from.expectEnd();
    }

    @Test
    void goldenDigests() {
        assertThat(HexFormat.of().formatHex(encode(NOTHING))).isEqualTo(NOTHING_HEX);
        assertThat(HexFormat.of().formatHex(encode(ONE))).isEqualTo(ONE_HEX);
        assertThat(StepDigestCodec.decode(new WireReader(HexFormat.of().parseHex(ONE_HEX))))
                .isEqualTo(ONE);
    }

    @Test
    void goldenSummaries() {
        String head = "01020e05ac0201";
        assertThat(HexFormat.of().formatHex(encode(summary(0, 0, new double[16]))))
                .isEqualTo(head + "00807d00" + "00".repeat(16));
        double[] same = new double[16];
        Arrays.fill(same, 16_000);
        assertThat(HexFormat.of().formatHex(encode(summary(1, 128, same))))
                .isEqualTo(head + "01807d8001" + "807d" + "00".repeat(15));
    }

    @Test
    void quantilesAreRoundedToNanosecondsAndAscend() {
        KernelSummary k = summary(3, 0, 1.4, 1.6, 1.5, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6);
        assertThat(KernelSummaryCodec.decode(new WireReader(encode(k))).quantilesNanos())
                .containsExactly(1, 2, 2, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7);
    }

    @Test
    void otherVersionsAreRefused() {
        assertThatThrownBy(() -> StepDigestCodec.decode(new WireReader(withVersion2(encode(ONE)))))
                .isInstanceOf(WireException.class)
                .hasMessage("digest of version 2, expected 1");
        byte[] summary = withVersion2(encode(summary(0, 0, new double[16])));
        assertThatThrownBy(() -> KernelSummaryCodec.decode(new WireReader(summary)))
                .isInstanceOf(WireException.class)
                .hasMessage("kernel summary of version 2, expected 1");
    }

    @Test
    void wordsNobodyKnowsAreRefused() {
        String noPhase = ONE_HEX.replace("0101c8019601", "0108c8019601");
        assertThatThrownBy(() ->
                        StepDigestCodec.decode(new WireReader(HexFormat.of().parseHex(noPhase))))
                .isInstanceOf(WireException.class)
                .hasMessage("phase 8, expected below 8");
        String noOperation = ONE_HEX.replace("01820a12", "018e0a12");
        assertThatThrownBy(() ->
                        StepDigestCodec.decode(new WireReader(HexFormat.of().parseHex(noOperation))))
                .isInstanceOf(WireException.class)
                .hasMessage("operation 14, expected below 14");
    }

    @RepeatedTest(20)
    void damageIsRefusedOrHarmless(RepetitionInfo run) {
        RandomRecords records = new RandomRecords(run.getCurrentRepetition());
        byte[] digest = encode(records.digest());
        Damage.cutEverywhere(digest, StepDigestCodec::decode);
        Damage.corruptEverywhere(digest, StepDigestCodec::decode);
        byte[] summary = encode(records.summary());
        Damage.cutEverywhere(summary, KernelSummaryCodec::decode);
        Damage.corruptEverywhere(summary, KernelSummaryCodec::decode);
    }

    @Test
    void onlyWhatTheWriterWritesIsRead() {
        byte[] flags = encode(NOTHING);
        flags[6] = 8;
        assertThatThrownBy(() -> StepDigestCodec.decode(new WireReader(flags)))
                .hasMessageContaining("flags 8 at byte 7");
        String widerRank = NOTHING_HEX.replaceFirst("010001", "0100ffffffff1f");
        assertThatThrownBy(() ->
                        StepDigestCodec.decode(new WireReader(HexFormat.of().parseHex(widerRank))))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("value -4294967296 at byte 7");
        String head = "01020e05ac0201" + "00807d00";
        for (String rest : List.of("ffffffffffffffff7f02", "81808080808080" + "10", "ffffffffffffffffff01")) {
            byte[] bytes = HexFormat.of().parseHex(head + rest + "00".repeat(15));
            assertThatThrownBy(() -> KernelSummaryCodec.decode(new WireReader(bytes)))
                    .as(rest)
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("expected one that a double holds");
        }
    }
}
