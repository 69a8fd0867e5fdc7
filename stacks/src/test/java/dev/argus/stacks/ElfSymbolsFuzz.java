package dev.argus.stacks;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.testkit.Fuzzed;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as an ELF file: symbols or an {@link IOException} that says why, never another exception. */
@Fuzzed
class ElfSymbolsFuzz {
    static Stream<byte[]> seeds() {
        return Stream.of(ElfFile.of(false, "_PyRuntime", 0x1234, 11), ElfFile.of(true, "_PyRuntime", 0x401234, 2));
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 12_000)
    void anythingAtAllIsSurvived(byte[] bytes) {
        try {
            ElfSymbols.of(ElfFile.channel(bytes), List.of("_PyRuntime"));
        } catch (IOException refused) {
            if (refused.getMessage() == null) {
                throw new AssertionError("refused without a reason", refused);
            }
        }
    }
}
