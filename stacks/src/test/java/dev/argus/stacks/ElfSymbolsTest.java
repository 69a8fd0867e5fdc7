package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElfSymbolsTest {
    private static final List<String> WANTED = List.of("_PyRuntime", "Py_Version");

    @Test
    void readsBothTablesAndBothTypes() throws IOException {
        for (int kind : new int[] {2, 11}) {
            for (boolean fixed : new boolean[] {true, false}) {
                ElfSymbols elf = read(ElfFile.of(fixed, "_PyRuntime", 0x401234, kind));
                assertThat(elf.values()).containsOnlyKeys("_PyRuntime").containsValue(0x401234L);
                assertThat(elf.fixed()).isEqualTo(fixed);
                assertThat(elf.firstAddress() - elf.firstOffset()).isEqualTo(0x400000);
            }
        }
        assertThat(read(ElfFile.of(false, "_PyRuntimeX", 1, 11)).values()).isEmpty();
        assertThat(read(ElfFile.of(false, "_PyRuntime", 0, 11)).values())
                .as("not defined here")
                .isEmpty();
    }

    @Test
    @Requires(Need.PYTHON)
    void readsTheSystemsPython() throws IOException {
        try (FileChannel file = FileChannel.open(Path.of("/usr/bin/python3"))) {
            assertThat(ElfSymbols.of(file, WANTED).values()).containsOnlyKeys(WANTED);
        }
    }

    @Test
    void refusesWhatIsCutOrLies() {
        byte[] whole = ElfFile.of(false, "_PyRuntime", 1, 11);
        for (int length = 0; length < 500; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(IOException.class).hasMessageContaining("ELF");
        }
        refused(0, 0x464C457E, "no ELF");
        refused(32, -1, "cut");
        refused(54, 55, "headers of 55");
        refused(60, 5000, "5000 headers");
        refused(256 + 32, Long.MAX_VALUE, "bytes of symbols");
        refused(256 + 40, 9, "without names");
        refused(320 + 32, 1L << 40, "bytes of names");
        refused(64, 2, "without a loaded segment");
    }

    private static void refused(int at, long value, String why) {
        byte[] bytes = ElfFile.of(false, "_PyRuntime", 1, 11);
        ByteBuffer elf = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (at == 54 || at == 60) {
            elf.putShort(at, (short) value);
        } else if (at == 0 || at == 64 || at == 256 + 40) {
            elf.putInt(at, (int) value);
        } else {
            elf.putLong(at, value);
        }
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(IOException.class).hasMessageContaining(why);
    }

    private static ElfSymbols read(byte[] bytes) throws IOException {
        return ElfSymbols.of(ElfFile.channel(bytes), WANTED);
    }
}
