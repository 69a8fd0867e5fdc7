package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyOptionTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void readsDimensionsFastestFirst() {
        assertThat(TopologyOption.parse("tp=2,dp=8,pp=4").toString())
                .contains("name=tp, size=2", "name=dp, size=8", "name=pp, size=4", "source=given");
        assertThat(TopologyOption.parse("TP=2").size("tp")).isEqualTo(2);
        assertThat(TopologyOption.parse("dp=1000000").worldSize()).isEqualTo(1_000_000);
    }

    @Test
    void readsAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("layout"), "# ours\ntp=2  # fast\ndp=8,pp=4\r\n");
        assertThat(TopologyOption.parse(file.toString()).worldSize()).isEqualTo(64);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tp=2,|has no size",
                "tp=2,dp|'dp' has no size",
                "=2|names no known dimension; expected one of tp, cp, ep, dp, pp.",
                "xp=2|names no known dimension",
                "tp=0|from 1 to 1000000",
                "tp=-1|from 1 to 1000000",
                "tp=2.5|from 1 to 1000000",
                "tp=99999999999|from 1 to 1000000",
                "tp=2,tp=2|'tp' is given twice",
                "tp=1000,dp=1001|multiply to 1001000 ranks",
                "tp=999999999,dp=999999999|at most 1000000",
                "tp:2|neither a layout nor a file"
            })
    void refuses(String value, String complaint) {
        assertThatThrownBy(() -> TopologyOption.parse(value))
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith("--topology: ")
                .hasMessageContaining(complaint);
    }

    @Test
    void refusesFilesThatAreNoLayout() throws IOException {
        Path large = Files.write(folder.resolve("large"), new byte[100_000]);
        assertThatThrownBy(() -> TopologyOption.parse(large.toString()))
                .hasMessageContaining("larger than 65536 bytes");
        assertThatThrownBy(() -> TopologyOption.parse(folder.toString())).hasMessageContaining("it is a folder");
        assertThatThrownBy(() -> TopologyOption.parse("/dev/zero"))
                .hasMessageContaining("it is a pipe, a socket or a device");
        Path empty = Files.write(folder.resolve("empty"), new byte[0]);
        assertThatThrownBy(() -> TopologyOption.parse(empty.toString())).hasMessageContaining("has no size");
    }
}
