package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.DurationSummary;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.Gap;
import dev.argus.model.KernelWindow;
import dev.argus.model.OwnTime;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import dev.argus.model.StreamKernel;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
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

    private static byte[] encode(KernelWindow k) {
        WireWriter to = new WireWriter();
        KernelRecordCodec.encode(k, to);
        return to.toByteArray();
    }

    private static KernelWindow window(DurationSummary... durations) {
        List<StreamKernel> kernels = new ArrayList<>();
        for (DurationSummary d : durations) {
            kernels.add(new StreamKernel(300, 7, 128, d));
        }
        return new KernelWindow(2, 7, -3, kernels, List.of(), 0);
    }

    private static byte[] withVersion(int version, byte[] bytes) {
        bytes[0] = (byte) version;
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
    void windowsComeBackAsTheyWere(RepetitionInfo run) {
        KernelWindow k = Windows.random(new Random(run.getCurrentRepetition()), -run.getCurrentRepetition());
        WireReader from = new WireReader(encode(k));
        assertThat(KernelRecordCodec.decode(from)).isEqualTo(k);
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
    void goldenWindows() {
        String head = "02020e0500";
        String kernel = "ac020e8001";
        assertThat(HexFormat.of().formatHex(encode(window()))).isEqualTo(head + "0000");
        assertThat(HexFormat.of().formatHex(encode(window(DurationSummary.ofEvents(new long[0])))))
                .isEqualTo(head + "01" + kernel + "000000" + "00" + "00");
        assertThat(HexFormat.of().formatHex(encode(window(DurationSummary.ofEvents(new long[] {16_000})))))
                .isEqualTo(head + "01" + kernel + "0000807d" + "01807d" + "00");
        assertThat(HexFormat.of().formatHex(encode(window(DurationSummary.ofSteps(300, new int[] {100, 200}, 3)))))
                .isEqualTo(head + "01" + kernel + "0103ac02" + "026464" + "00");
        DurationSummary knots = DurationSummary.ofKnots(
                9, 3_000, 4, new int[] {0, 4, 4, 9}, new int[] {300, 301, 500, 501}, new int[] {0, 2}, 12);
        assertThat(HexFormat.of().formatHex(encode(window(knots))))
                .isEqualTo(
                        head + "01" + kernel + "020cb817" + "090404" + "00040005" + "ac0201c70101" + "020002" + "00");
        assertThat(HexFormat.of()
                        .formatHex(encode(
                                new KernelWindow(0, 0, 0, List.of(), List.of(new ExtremeEvent(1, 7, 5, 40)), 9))))
                .isEqualTo("020000" + "0009" + "00" + "01010e0a28");
    }

    @Test
    void otherVersionsAreRefused() {
        assertThatThrownBy(() -> StepDigestCodec.decode(new WireReader(withVersion(2, encode(ONE)))))
                .isInstanceOf(WireException.class)
                .hasMessage("digest of version 2, expected 1");
        byte[] window = withVersion(1, encode(window()));
        assertThatThrownBy(() -> KernelRecordCodec.decode(new WireReader(window)))
                .isInstanceOf(WireException.class)
                .hasMessage("kernel window of version 1, expected 2");
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
        byte[] window = encode(Windows.random(new Random(run.getCurrentRepetition()), 3));
        Damage.cutEverywhere(window, KernelRecordCodec::decode);
        Damage.corruptEverywhere(window, KernelRecordCodec::decode);
    }

    @Test
    void onlyWhatTheWriterWritesIsRead() {
        byte[] flags = encode(NOTHING);
        flags[6] = 16;
        assertThatThrownBy(() -> StepDigestCodec.decode(new WireReader(flags)))
                .hasMessageContaining("flags 16 at byte 7");
        String noLaunch = "01000100000008" + "0000000000" + "00000000" + "01" + "00" + "00" + "00";
        assertThatThrownBy(() ->
                        StepDigestCodec.decode(new WireReader(HexFormat.of().parseHex(noLaunch))))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("launches known, with 1");
        String widerRank = NOTHING_HEX.replaceFirst("010001", "0100ffffffff1f");
        assertThatThrownBy(() ->
                        StepDigestCodec.decode(new WireReader(HexFormat.of().parseHex(widerRank))))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("value -4294967296 at byte 7");
        String knots = "02020e050001" + "ac020e8001" + "020cb817";
        for (String rest : List.of(
                "090d0200050005020102", // 13 bits of places
                "0904020004000502010100", // the last place is not behind all events
                "09040200058041050201" + "00")) { // a bin that no long has
            byte[] bytes = HexFormat.of().parseHex(knots + rest + "00");
            assertThatThrownBy(() -> KernelRecordCodec.decode(new WireReader(bytes)))
                    .as(rest)
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("summary of durations");
        }
    }
}
