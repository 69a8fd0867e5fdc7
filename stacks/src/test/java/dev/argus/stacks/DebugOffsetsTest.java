package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DebugOffsetsTest {
    @Test
    void readsThoseOf313() {
        PythonLayout layout = Layouts.parsed(Layouts.OFFSETS_3_13);

        assertThat(layout.minor()).isEqualTo(13);
        assertThat(layout.interpretersHead()).isEqualTo(632);
        assertThat(layout.interpreterThreads()).isEqualTo(7344);
        assertThat(layout.gilHolder()).isEqualTo(9008);
        assertThat(layout.gilLocked()).isEqualTo(9016);
        assertThat(layout.currentFrame()).isEqualTo(72);
        assertThat(layout.frameOwner()).isEqualTo(70);
        assertThat(layout.codeLines()).isEqualTo(136);
        assertThat(layout.codeBytes()).isEqualTo(200);
        assertThat(layout.asciiSize()).isEqualTo(40);
    }

    @Test
    void readsThoseOf314WhichHaveMoreBetween() {
        PythonLayout layout = Layouts.parsed(Layouts.OFFSETS_3_14);

        assertThat(layout.minor()).isEqualTo(14);
        assertThat(layout.gilHolder()).isEqualTo(9008);
        assertThat(layout.frameOwner()).isEqualTo(74);
        assertThat(layout.codeBytes()).isEqualTo(208);
        assertThat(layout.threadNativeId()).isEqualTo(160);
    }

    @Test
    void refusesWhatIsNotKnownOrCannotBe() {
        refused(1, 0x030f00f0L, "Python 3.15.0");
        refused(1, 0x030e00a1L, "alpha or beta");
        refused(1, 0x030c00f0L, "begin with 3.13");
        refused(1, -1, "expected 0x030b");
        refused(2, 1, "free-threaded");
        refused(9, 1L << 40, "cannot be right");
        refused(9, 7345, "cannot be right");
        refused(9, -8, "cannot be right");
        refused(18, 0, "GIL");
    }

    private static void refused(int index, long value, String why) {
        long[] numbers = Layouts.OFFSETS_3_13.clone();
        numbers[index] = value;
        assertThatThrownBy(() -> Layouts.parse(numbers))
                .isInstanceOf(StackAccessException.class)
                .hasMessageContaining(why);
    }
}
