package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.AgentRecord;
import dev.argus.model.AgentTick;
import dev.argus.model.GpuReading;
import dev.argus.model.NameTable;
import dev.argus.model.OpaqueRecord;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.RecordLoss;
import dev.argus.model.StackRecord;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FrameTest {
    private static final SessionId SESSION = new SessionId(0x0123_4567_89ab_cdefL, 42);

    private final NameTable here = new NameTable();
    private final NameTable there = new NameTable();
    private final NameBook book = new NameBook(there);
    private final FrameWriter writer = new FrameWriter(SESSION, "job", "host0", here);

    private byte[] frame(List<? extends AgentRecord> records) {
        records.forEach(r -> assertThat(writer.add(r)).isEqualTo(FrameWriter.Added.YES));
        byte[] bytes = writer.frame(2, 99);
        writer.stored();
        return bytes;
    }

    private Frame read(byte[] bytes) {
        return Objects.requireNonNull(new FrameReader().read(bytes, book));
    }

    @Test
    void everyKindOfRecordArrives() {
        there.id("somebody else's name");
        for (int seed = 0; seed < 30; seed++) {
            List<AgentRecord> sent = AgentRecords.all(here, seed);
            Frame frame = read(frame(sent));

            assertThat(frame.head()).isEqualTo(new FrameHead(SESSION, seed + 1, "job", 2, "host0", 99));
            assertThat(frame.unknown() + frame.damaged()).isZero();
            assertThat(frame.records()).hasSameSizeAs(sent);
            assertThat(frame.records().stream().map(Object::getClass))
                    .isEqualTo(sent.stream().map(Object::getClass).toList());
            // What arrived, sent on from there, arrives as it is: nothing more is lost on a second way.
            NameTable third = new NameTable();
            FrameWriter onwards = new FrameWriter(SESSION, "job", "host0", there);
            frame.records().forEach(onwards::add);
            Frame twice = Objects.requireNonNull(new FrameReader().read(onwards.frame(2, 99), new NameBook(third)));
            FrameWriter back = new FrameWriter(SESSION, "job", "host0", third);
            twice.records().forEach(back::add);
            assertThat(back.frame(2, 99)).isEqualTo(onwards.frame(2, 99));
        }
    }

    @Test
    void namesArriveByText() {
        Frame frame = read(frame(AgentRecords.all(here, 7)));

        RankDeclaration d = (RankDeclaration) frame.records().getFirst();
        assertThat(d.header()).isEqualTo(AgentRecords.header());
        assertThat(there.name(d.groups().get(0).members())).isEqualTo("[0, 1, ..., 63]");
        assertThat(d.groups().get(1).members()).isEqualTo(-1);
        assertThat(there.name(d.trails().getFirst().group())).isEqualTo("\0unnamed 1");
        StackRecord s = (StackRecord) frame.records().get(3);
        assertThat(Arrays.stream(s.stacks().getFirst().frames()).mapToObj(there::name))
                .containsExactly("wait (threading.py:306)", "main (train.py:7)");
        GpuReading g = (GpuReading) frame.records().get(5);
        assertThat(there.name(g.metrics().getFirst().name())).isEqualTo("DCGM_FI_DEV_SM_CLOCK");
        assertThat(there.name(((RecordLoss) frame.records().get(6)).reason())).isEqualTo("ring-full");
    }

    @Test
    void anEmptyFrameAndOneOfOneRecord() {
        assertThat(read(frame(List.of())).records()).isEmpty();
        assertThat(read(frame(List.of(new AgentTick(1, 2)))).records()).containsExactly(new AgentTick(1, 2));
    }

    @Test
    void theBytesAreThoseOfVersion1() {
        String empty = HexFormat.of().formatHex(frame(List.of()));
        String one = HexFormat.of().formatHex(frame(List.of(new RecordLoss(2, 3, here.id("a"), 4))));
        String head = "4152474601" + "efcdab8967452301" + "2a00000000000000";
        assertThat(empty)
                .isEqualTo(head + "01" + "036a6f62" + "02" + "05686f737430" + "c601" + "0a" + "00" + "25232284e49cf2cb"
                        + "00" + "00" + "a72d4861");
        assertThat(one)
                .isEqualTo(head + "02" + "036a6f62" + "02" + "05686f737430" + "c601" + "0c" + "00" + "25232284e49cf2cb"
                        + "01" + "0161" + "01" + "0704" + "04060008" + "47028bf4");
    }

    @Test
    void namesGoOnceAndAreMissedWhereTheirFrameIs() {
        byte[] first = frame(List.of(new RecordLoss(0, 1, here.id("a"), 1)));
        byte[] second = frame(List.of(new RecordLoss(0, 1, here.id("b"), 1), new RecordLoss(0, 1, here.id("a"), 1)));

        assertThat(new FrameReader().read(second, book))
                .as("the base is missing")
                .isNull();
        assertThat(book.size()).isZero();
        assertThat(book.learn(new WireReader(FrameReader.names(first)))).isTrue();
        assertThat(read(second).records().stream().map(r -> there.name(((RecordLoss) r).reason())))
                .containsExactly("b", "a");
        assertThat(read(first).records()).hasSize(1); // again, later: the same names
        NameBook fresh = new NameBook(new NameTable());
        assertThat(fresh.learn(new WireReader(writer.names()))).isTrue();
        assertThat(fresh.size()).isEqualTo(2);
    }

    @Test
    void aFrameThatWasNotStoredLeavesNoHole() {
        writer.add(new RecordLoss(0, 1, here.id("a"), 1));
        writer.frame(0, 0);
        writer.discard();
        Frame next = read(frame(List.of(new RecordLoss(0, 1, here.id("b"), 1), new RecordLoss(0, 1, here.id("a"), 2))));

        assertThat(next.head().counter()).isEqualTo(1);
        assertThat(there.name(((RecordLoss) next.records().get(1)).reason())).isEqualTo("a");
    }

    @Test
    void namesOfAnotherSessionAreNeverTaken() {
        frame(List.of(new RecordLoss(0, 1, here.id("a"), 1)));
        byte[] second = frame(List.of(new RecordLoss(0, 1, here.id("b"), 1)));
        FrameWriter other = new FrameWriter(SESSION, "job", "host0", here);
        other.add(new RecordLoss(0, 1, here.id("c"), 1));
        read(other.frame(0, 0));

        assertThatThrownBy(() -> read(second))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("names below 1 are others");
        assertThat(book.size()).isEqualTo(1);
    }

    @Test
    void hostileNamesStayApart() {
        String half = "k\ud800";
        String longName = "x".repeat(20_000);
        int[] ids = {here.id(half), here.id("k?"), here.id("k\udfff"), here.id(longName), here.id(longName + "y")};
        List<RecordLoss> losses = new ArrayList<>();
        for (int id : ids) {
            losses.add(new RecordLoss(0, 0, id, 1));
        }
        assertThat(read(frame(losses)).records().stream()
                        .map(r -> there.name(((RecordLoss) r).reason()))
                        .distinct())
                .hasSize(5);
    }

    @Test
    void aRecordThatCannotBeReadIsSteppedOver() {
        byte[] good =
                frame(List.of(new AgentTick(1, 2), new OpaqueRecord(1, new byte[] {7, 7, 7}), new AgentTick(3, 4)));
        int at = indexOf(good, new byte[] {11, 4, 1, 7, 7, 7});
        byte[] unknown = good.clone();
        unknown[at] = 99;
        byte[] damaged = good.clone();
        damaged[at] = 2;

        Frame one = read(summed(unknown));
        assertThat(one.records()).containsExactly(new AgentTick(1, 2), new AgentTick(3, 4));
        assertThat(one.unknown()).isEqualTo(1);
        Frame two = read(summed(damaged));
        assertThat(two.records()).hasSize(2);
        assertThat(two.damaged()).isEqualTo(1);
    }

    @Test
    void whatCannotBeShippedIsSaid() {
        assertThat(writer.add(new OpaqueRecord(1, new byte[FrameHead.MOST_BYTES])))
                .isEqualTo(FrameWriter.Added.NEVER);
        int n = 0;
        while (writer.add(new OpaqueRecord(1, new byte[100_000])) == FrameWriter.Added.YES) {
            n++;
        }
        assertThat(n).isEqualTo(10);
        assertThat(writer.add(new OpaqueRecord(1, new byte[100_000]))).isEqualTo(FrameWriter.Added.FULL);
        byte[] bytes = writer.frame(0, 0);
        assertThat(bytes.length).isLessThanOrEqualTo(FrameHead.MOST_BYTES);
        assertThat(read(bytes).records()).hasSize(10);
    }

    /** A record of so many calls, with so many long names that no frame has room for them beside it. */
    private StackRecord longNames(int calls, int names, int bytes) {
        int[] frames = IntStream.range(0, calls)
                .map(i -> here.id(i % names + " of " + names + "x".repeat(bytes)))
                .toArray();
        return new StackRecord(0, 1, -1, List.of(new StackRecord.Stack(-1, true, 1, frames)), 1, true);
    }

    @Test
    void namesThatNoFrameHoldsGoBeforeTheirRecord() {
        StackRecord large = longNames(200, 200, 10_000); // 2 MB of names: a frame of them, and the rest beside it
        AgentTick small = new AgentTick(1, 2);
        assertThat(writer.add(small)).isEqualTo(FrameWriter.Added.YES);
        int frames = 0;
        while (writer.add(large) == FrameWriter.Added.FULL) {
            byte[] bytes = writer.frame(0, 0);
            assertThat(bytes.length).isLessThanOrEqualTo(FrameHead.MOST_BYTES);
            assertThat(read(bytes).records()).isEqualTo(frames == 0 ? List.of(small) : List.of());
            writer.stored();
            frames++;
        }
        assertThat(frames).isEqualTo(2);
        StackRecord arrived = (StackRecord) read(frame(List.of())).records().getFirst();
        assertThat(Arrays.stream(arrived.stacks().getFirst().frames()).mapToObj(there::name))
                .hasSize(200)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.length() > 10_000);
    }

    @Test
    void namesOfARecordThatIsTooLargeHarmNoOther() {
        AgentTick small = new AgentTick(1, 2);
        assertThat(writer.add(longNames(1_200_000, 150, 10_000))).isEqualTo(FrameWriter.Added.NEVER);
        while (writer.add(small) == FrameWriter.Added.FULL) {
            assertThat(read(writer.frame(0, 0)).records()).isEmpty();
            writer.stored();
        }
        assertThat(read(frame(List.of())).records()).containsExactly(small);
        assertThat(writer.add(longNames(1_100, 1_100, 16_000)))
                .as("more names than a reader takes")
                .isEqualTo(FrameWriter.Added.NEVER);
        assertThat(writer.isFull()).as("a new session is due").isTrue();
    }

    @Test
    void setsOfRanksCannotFillTheMemory() {
        RankDeclaration d = AgentRecords.declaration(here);
        WireWriter to = new WireWriter();
        RankDeclarationCodec.encode(d, to);
        assertThatThrownBy(() -> RankDeclarationCodec.decode(new WireReader(to.toByteArray()), 68))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("ranks");
        assertThat(RankDeclarationCodec.decode(new WireReader(to.toByteArray()), 69)
                        .header())
                .isEqualTo(d.header());
        for (RankSet set :
                List.of(RankSet.EMPTY, RankSet.of(0), RankSet.of(0, 2), RankSet.range(5, 90), RankSet.of(1, 2, 9))) {
            WireWriter ranks = new WireWriter();
            RankDeclarationCodec.ranks(set, ranks);
            assertThat(RankDeclarationCodec.ranks(new WireReader(ranks.toByteArray()), 1000))
                    .isEqualTo(set);
        }
    }

    @Test
    void cutAndDamagedFramesAreRefused() {
        byte[] good = frame(AgentRecords.all(here, 3));
        for (int n = 0; n < good.length; n++) {
            byte[] cut = Arrays.copyOf(good, n);
            assertThatThrownBy(() -> new FrameReader().read(cut, new NameBook(new NameTable())))
                    .isInstanceOf(WireException.class);
        }
        byte[] small = frame(List.of(new AgentTick(1, 2), new RecordLoss(0, 1, here.id("a"), 1)));
        for (int at = 0; at < small.length - 4; at++) {
            for (int value = 0; value < 256; value++) {
                byte[] damaged = small.clone();
                damaged[at] = (byte) value;
                Damage.refused(summed(damaged), in -> {
                    Frame f = new FrameReader().read(in.readRest(), new NameBook(new NameTable()));
                    assertThat(f == null || f.records().size() <= 2).isTrue();
                });
            }
        }
    }

    @Test
    void digestsByNumbersAreThoseByTexts() {
        for (int seed = 0; seed < 50; seed++) {
            StepDigest d = Renamed.of(new RandomRecords(seed).digest(), id -> id < 0 ? id : here.id("n" + id));
            WireWriter texts = new WireWriter();
            ShippedDigestCodec.encode(d, here::name, texts);
            WireWriter numbers = new WireWriter();
            ShippedDigestCodec.encodeNumbered(d, numbers);
            assertThat(ShippedDigestCodec.decodeNumbered(new WireReader(numbers.toByteArray()), n -> n))
                    .isEqualTo(ShippedDigestCodec.decode(new WireReader(texts.toByteArray()), here::id));
        }
    }

    /** The bytes with the checksum that belongs to them. */
    static byte[] summed(byte[] bytes) {
        WireWriter out = new WireWriter();
        return out.writeRaw(Arrays.copyOf(bytes, bytes.length - 4))
                .writeChecksum(0)
                .toByteArray();
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int i = 0; i + part.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new AssertionError("not there");
    }
}
