package dev.argus.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.NameTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes that C, Python and Java share. */
class GoldenRingTest {
    @TempDir
    Path temp;

    private Path folder;

    @BeforeEach
    void privateFolder() {
        folder = temp.resolve("rings");
    }

    @Test
    void theScriptBecomesTheGoldenBytes() throws IOException {
        byte[] golden = Files.readAllBytes(GoldenScript.file("ring-1.bin"));
        RingWriter writer = RingWriter.create(folder, GoldenScript.HEADER);
        GoldenScript.write(writer);

        byte[] written = Files.readAllBytes(writer.path());
        assertThat(writer.path()).hasFileName("4711-123456.simulated.ring");
        assertThat(Files.getPosixFilePermissions(writer.path()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(written).hasSize(4096 + 32 * 1024);
        assertThat(Arrays.mismatch(Arrays.copyOf(written, golden.length), golden))
                .isEqualTo(-1);
        for (int i = golden.length; i < written.length; i++) {
            assertThat(written[i]).isZero();
        }
        writer.close();
    }

    @Test
    void theGoldenBytesAreReadAsTheScript() throws IOException {
        RingFolder.prepare(folder);
        Path file = folder.resolve("4711-123456.simulated.ring");
        byte[] golden = Files.readAllBytes(GoldenScript.file("ring-1.bin"));
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, Arrays.copyOf(golden, 4096 + 32 * 1024));
        NameTable names = new NameTable();
        Told told = new Told(names);
        try (RingReader reader = RingReader.open(file, names, 1_000_000_000)) {
            assertThat(reader.header()).isEqualTo(GoldenScript.HEADER);
            assertThat(reader.drain(told, 1000)).isEqualTo(381);
            assertThat(reader.drain(told, 1000)).isZero();
            RingStatus status = reader.status();
            assertThat(status.state()).isEqualTo(RingState.RUNNING);
            assertThat(status.silentNanos(1_000_000_000)).isEqualTo(1_000_000_000 - 987654321);
            assertThat(status.obeyed()).isEqualTo(RingControl.INITIAL);
            assertThat(status.published()).isEqualTo(381);
            assertThat(status.backlog()).isZero();
            assertThat(reader.control().attach()).isEqualTo(1);
            assertThat(reader.counts()).isEqualTo(new RingCounts(381, 0, 0, 0, 0, 0, 0, 0));
            assertThat(reader.problems()).isEmpty();
        }
        String sgemm = "ampere_sgemm_128x64_tn";
        String warm = "Wärme «größer» 漢字 🙂";
        assertThat(told.lines)
                .containsExactly(
                        "clock 1000 1000 1700000000000001000",
                        "identity 1 - 5",
                        "identity 4 host-7 0",
                        "identity 3 - 16",
                        "group 2 1 default_pg - 0-7,12 9",
                        "step 4 2000 0 4711 41200",
                        "span 1 0 0 forward 2100 500000 4711 - 0",
                        "span 1 1 0 self_attention 2200 400000 4711 forward 77",
                        "span 5 0 0 forward 2300 450000 7 - 0",
                        "launch 0 " + sgemm + " 2150 4200 4711 901 77",
                        "kernel 0 0 " + sgemm + " 2400 81234 7 901 1048576",
                        "kernel 7 1 " + sgemm + " 2500 0 0 4294967295 0",
                        "kernel 0 0 " + "k".repeat(4096) + " 9007199254740993 1099511627774 16777215 1 16777216",
                        "kernel 0 0 " + "k".repeat(4096) + " 9007199254740995 1099511627775 1 2 3",
                        "kernel 0 2 " + "k".repeat(4096) + " 9007199254740997 1099511627775 1 3 1",
                        "copy 0 1 0 8589934597 3000 1234 9 902",
                        "set 0 0 4096 3100 10 9 903",
                        "collective 1 1 1 3500 0 4712 0 -1 1 1048576 17 9 nccl:all_reduce",
                        "collective 1 4 1 3500 250000 4712 0 -1 1 1048576 17 9 nccl:all_reduce",
                        "collective 13 24 1 3600 900 4711 904 3 2 -1 -1 -1 -",
                        "loss RING_FULL 3700 3900 12",
                        "loss NOT_RECORDED 0 0 18446744073709",
                        "step 0 2000 998000 4711 41200",
                        "step 3 2000 998000 7 -1");
        assertThat(names.id(warm)).as("all texts are known before").isLessThan(13);
        assertThat(names.id("é".repeat(2038) + "…#" + "297dabafcfa00685")).isLessThan(13);
        assertThat(names.size()).as("twelve and the unknown one").isEqualTo(13);
    }
}
