package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.stacks.ProcFiles.Mapping;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcFilesTest {
    @Test
    void readsMappingsAndPassesOverOtherLines() {
        List<Mapping> found = ProcFiles.mappings("""
                55d0c0a00000-55d0c0a6e000 r--p 00000000 fe:00 1234                       /usr/bin/python 3.11
                7f0000000000-7f0000021000 rw-p 00000000 00:00 0
                7f605be00000-7f605bf00000 r-xp 000a1000 fe:00 99 /opt/lib/libpython3.12.so.1.0 (deleted)
                zz-yy r--p 00000000 fe:00 1 /x
                7f605be00000-7f605bf00000 /short
                ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
                """);
        assertThat(found)
                .containsExactly(
                        new Mapping(0x55d0c0a00000L, 0x55d0c0a6e000L, 0, "/usr/bin/python 3.11"),
                        new Mapping(
                                0x7f605be00000L, 0x7f605bf00000L, 0xa1000, "/opt/lib/libpython3.12.so.1.0 (deleted)"));
        assertThat(found.get(1).deleted()).isTrue();
        assertThat(found.get(1).fileName()).isEqualTo("libpython3.12.so.1.0");
    }

    @Test
    void readsTheIdInsideANamespace() {
        assertThat(ProcFiles.innerId("Name:\tx\nNSpid:\t4242\t17\nUid:\t0\n", 4242))
                .isEqualTo(17);
        assertThat(ProcFiles.innerId("NSpid:\t4242\n", 1)).isEqualTo(4242);
        assertThat(ProcFiles.innerId("NSpid:\tmany\n", 5)).isEqualTo(5);
        assertThat(ProcFiles.innerId("", 5)).isEqualTo(5);
    }
}
