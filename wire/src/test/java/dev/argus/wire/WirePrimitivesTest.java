package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class WirePrimitivesTest {
    private static String hex(WireWriter writer) {
        return HexFormat.of().formatHex(writer.toByteArray());
    }

    private static WireReader read(String hex) {
        return new WireReader(HexFormat.of().parseHex(hex));
    }

    private static void step(Random random, WireWriter to, List<Consumer<WireReader>> checks) {
        long v = random.nextLong() >> random.nextInt(64);
        switch (random.nextInt(8)) {
            case 0 -> {
                to.writeByte((int) v);
                checks.add(r -> assertThat(r.readByte()).isEqualTo((int) v & 0xFF));
            }
            case 1 -> {
                to.writeVarint(v);
                checks.add(r -> assertThat(r.readVarint()).isEqualTo(v));
            }
            case 2 -> {
                to.writeSigned(v);
                checks.add(r -> assertThat(r.readSigned()).isEqualTo(v));
            }
            case 3 -> {
                to.writeFloat((float) v);
                checks.add(r -> assertThat(r.readFloat()).isEqualTo((float) v));
            }
            case 4 -> {
                to.writeDouble(Double.longBitsToDouble(v));
                checks.add(r ->
                        assertThat(Double.doubleToRawLongBits(r.readDouble())).isEqualTo(v));
            }
            case 5 -> {
                byte[] bytes = new byte[random.nextInt(300)];
                random.nextBytes(bytes);
                to.writeBytes(bytes);
                checks.add(r -> assertThat(r.readBytes()).isEqualTo(bytes));
            }
            case 6 -> {
                String text = "n\u00e4me \ud83d\ude00 " + v;
                to.writeText(text);
                checks.add(r -> assertThat(r.readText()).isEqualTo(text));
            }
            default -> {
                to.writeVarint(v & Integer.MAX_VALUE);
                checks.add(r -> assertThat(r.readInt()).isEqualTo((int) v & Integer.MAX_VALUE));
            }
        }
    }

    @RepeatedTest(200)
    void whatIsWrittenIsRead(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        WireWriter writer = new WireWriter().writeVarint(42);
        writer.reset();
        List<Consumer<WireReader>> checks = new ArrayList<>();
        for (int i = 1 + random.nextInt(40); i > 0; i--) {
            step(random, writer, checks);
        }
        byte[] bytes = writer.toByteArray();
        assertThat(bytes).hasSize(writer.length());
        Consumer<WireReader> all = r -> {
            checks.forEach(c -> c.accept(r));
            r.expectEnd();
        };
        all.accept(new WireReader(bytes));
        Damage.cutEverywhere(bytes, r -> {
            checks.forEach(c -> c.accept(r));
            r.expectEnd();
        });
    }

    @Test
    void layoutIsLittleEndianAndZigzag() {
        assertThat(hex(new WireWriter().writeVarint(0).writeVarint(127).writeVarint(128)))
                .isEqualTo("007f8001");
        assertThat(hex(new WireWriter().writeVarint(-1))).isEqualTo("ffffffffffffffffff01");
        assertThat(hex(new WireWriter()
                        .writeSigned(0)
                        .writeSigned(-1)
                        .writeSigned(1)
                        .writeSigned(-65)))
                .isEqualTo("0001028101");
        assertThat(hex(new WireWriter().writeFloat(1).writeDouble(-2))).isEqualTo("0000803f00000000000000c0");
        assertThat(hex(new WireWriter().writeText("\u00e9").writeByte(0x1FF))).isEqualTo("02c3a9ff");
    }

    @Test
    void varintsBeyond64BitsAreRefused() {
        assertThat(read("ffffffffffffffffff01").readVarint()).isEqualTo(-1);
        for (String damaged : List.of("ffffffffffffffffff02", "8080808080808080808001", "ffffffffffffffffffff")) {
            assertThatThrownBy(() -> read(damaged).readVarint())
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("64 bits");
        }
    }

    @Test
    void longerFormsOfVarintsAreRefused() {
        assertThat(read("00").readVarint()).isZero();
        assertThat(read("808001").readVarint()).isEqualTo(1 << 14);
        for (String longer : List.of("8000", "ff00", "80808000", "ffffffffffffff00", "ffffffffffffffffff00")) {
            for (String behind : List.of("", "01".repeat(8), "80".repeat(12))) {
                assertThatThrownBy(() -> read(longer + behind).readVarint())
                        .isInstanceOf(WireException.class)
                        .hasMessageContaining("shortest form");
            }
        }
    }

    @Test
    void varintsOfEveryLengthAreReadWhateverFollows() {
        for (int bits = 0; bits <= 64; bits++) {
            for (long value : new long[] {bits == 64 ? -1 : (1L << bits) - 1, bits == 64 ? 0 : 1L << bits}) {
                for (int behind = 0; behind <= 12; behind++) {
                    WireWriter to = new WireWriter().writeVarint(value);
                    int length = to.length();
                    for (int i = 0; i < behind; i++) {
                        to.writeByte(i % 2 == 0 ? 0xFF : 0);
                    }
                    WireReader from = new WireReader(to.toByteArray());
                    assertThat(from.readVarint()).isEqualTo(value);
                    assertThat(from.remaining()).isEqualTo(to.length() - length);
                }
            }
        }
    }

    @Test
    void lengthsAreCheckedBeforeAnythingIsAllocated() {
        for (String hex : List.of("ffffffff07", "ffffffffffffffffff01", "808080808001", "03aaaa")) {
            byte[] bytes = HexFormat.of().parseHex(hex);
            assertThat(Damage.refused(bytes, WireReader::readBytes)).isTrue();
            assertThat(Damage.refused(bytes, WireReader::readText)).isTrue();
            assertThat(Damage.refused(bytes, r -> r.readCount(1))).isTrue();
        }
        assertThat(read("02aaaa").readCount(1)).isEqualTo(2);
        assertThatThrownBy(() -> read("02aaaa").readCount(2)).isInstanceOf(WireException.class);
    }

    @Test
    void intsAreInRange() {
        assertThat(read("ffffffff07").readInt()).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(() -> read("8080808008").readInt())
                .isInstanceOf(WireException.class)
                .hasMessageContaining("2147483648");
        assertThatThrownBy(() -> read("ffffffffffffffffff01").readInt()).isInstanceOf(WireException.class);
        assertThat(read("ffffffff0f").readSignedInt()).isEqualTo(Integer.MIN_VALUE);
        assertThatThrownBy(() -> read("8080808010").readSignedInt())
                .isInstanceOf(WireException.class)
                .hasMessageContaining("value 2147483648 at byte 5");
    }

    @Test
    void whatIsLeftIsNoticed() {
        WireReader reader = read("0102");
        assertThat(reader.readByte()).isEqualTo(1);
        assertThat(reader.remaining()).isEqualTo(1);
        assertThatThrownBy(reader::expectEnd).isInstanceOf(WireException.class).hasMessageContaining("1 bytes left");
        reader.readByte();
        reader.expectEnd();
    }
}
