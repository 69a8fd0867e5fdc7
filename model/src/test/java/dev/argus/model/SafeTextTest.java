package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {
    @ParameterizedTest
    @CsvSource({
        "0x00, \\x00",
        "0x07, \\x07",
        "0x09, \\x09",
        "0x0a, \\x0a",
        "0x0d, \\x0d",
        "0x1b, \\x1b",
        "0x7f, \\x7f",
        "0x85, \\x85",
        "0x9b, \\x9b",
        "0xa0, \\xa0",
        "0xad, \\xad",
        "0x061c, \\u061c",
        "0x200b, \\u200b",
        "0x200d, \\u200d",
        "0x200e, \\u200e",
        "0x200f, \\u200f",
        "0x2028, \\u2028",
        "0x2029, \\u2029",
        "0x202a, \\u202a",
        "0x202e, \\u202e",
        "0x2066, \\u2066",
        "0x2069, \\u2069",
        "0x2800, \\u2800",
        "0x3000, \\u3000",
        "0x3164, \\u3164",
        "0xd800, \\ud800",
        "0xdc00, \\udc00",
        "0xe000, \\ue000",
        "0xfe0f, \\ufe0f",
        "0xfeff, \\ufeff",
        "0xffff, \\uffff",
        "0xe0041, \\u{e0041}",
        "0xe0100, \\u{e0100}"
    })
    void escapesWhatAReaderCannotSee(String codePoint, String shown) {
        String text = "a" + Character.toString(Integer.decode(codePoint)) + "b";
        assertThat(SafeText.of(text)).isEqualTo("a" + shown + "b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "plain ~ text", "void gemm<float, 2>(T*)", "Größe", "主机-01", "emoji 😀", "e\u0301", "C:\\dir"
            })
    void keepsWhatIsHarmless(String text) {
        assertThat(SafeText.of(text)).isEqualTo(text);
    }

    @Test
    void showsAFloodOfMarksAsEscapes() {
        assertThat(SafeText.of("e\u0301\u0301\u0301")).isEqualTo("e\u0301\u0301\\u0301");
        assertThat(SafeText.of("\u0301x")).isEqualTo("\\u0301x");
    }

    @Test
    void cutsAndSaysHowMuch() {
        assertThat(SafeText.of("abcdef", 6)).isEqualTo("abcdef");
        assertThat(SafeText.of("abcdef", 4)).isEqualTo("abcd…(+2)");
        assertThat(SafeText.of("abc\n\n", 8)).isEqualTo("abc\\x0a…(+1)");
        assertThat(SafeText.of("\u202e", 3)).isEqualTo("…(+1)");
        assertThat(SafeText.of("😀😀😀", 3)).isEqualTo("😀…(+2)");
        assertThatThrownBy(() -> SafeText.of("a", 0)).hasMessageContaining("limit 0");
    }

    @Test
    void isEmptyForNull() {
        assertThat(SafeText.of(null)).isEmpty();
    }

    @Test
    void isAFixedPointForEveryCharacter() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String once = SafeText.of("x" + Character.toString(c));
            assertThat(SafeText.of(once)).as("U+%04x", c).isEqualTo(once);
        }
    }

    @Test
    void isQuickForAMegabyte() {
        String flood = "\u0301\u001b".repeat(500_000);
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(5), () -> assertThat(SafeText.of(flood)).endsWith("…(+999976)"));
        assertThat(SafeText.of(flood, Integer.MAX_VALUE)).hasSize(5_000_000);
    }
}
