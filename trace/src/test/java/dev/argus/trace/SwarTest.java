package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Words of eight bytes against the same, byte by byte. */
class SwarTest {
    private static final String LIKELY = "0123456789-./:\"\\[]{}_^|~ \n,eE\u007f";

    @RepeatedTest(2000)
    void masksAgreeByteByByte(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        byte[] bytes = new byte[8];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte)
                    (random.nextInt(4) == 0 ? random.nextInt(256) : LIKELY.charAt(random.nextInt(LIKELY.length())));
        }
        long word = Swar.word(bytes, 0);
        int firstStop = 8;
        int firstQuote = 8;
        int digits = 0;
        for (int i = 7; i >= 0; i--) {
            firstStop = bytes[i] >= '-' && bytes[i] <= '9' ? firstStop : i;
            firstQuote = bytes[i] == '"' ? i : firstQuote;
        }
        while (digits < 8 && bytes[digits] >= '0' && bytes[digits] <= '9') {
            digits++;
        }
        assertThat(first(Swar.noNumber(word))).isEqualTo(firstStop);
        assertThat(first(Swar.someZero(word ^ Swar.all('"')))).isEqualTo(firstQuote);
        assertThat(Swar.digits(word, 99)).isEqualTo(digits);
        assertThat(Swar.digits(word, 3)).isEqualTo(Math.min(digits, 3));
        long ascii = Swar.ascii(word);
        for (int i = 0; i < 8; i++) {
            assertThat((byte) (ascii >>> (8 * i))).isEqualTo(bytes[i] < 0 ? 0 : bytes[i]);
        }
    }

    private static int first(long mask) {
        return mask == 0 ? 8 : Swar.first(mask);
    }

    @RepeatedTest(200)
    void decimalsOfEveryLength(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        String text = String.format("%08d", random.nextInt(100_000_000));
        long word = Swar.word(text.getBytes(StandardCharsets.US_ASCII), 0);
        assertThat(Swar.decimal(word, 0)).isZero();
        for (int digits = 1; digits <= 8; digits++) {
            assertThat(Swar.decimal(word, digits)).isEqualTo(Long.parseLong(text.substring(0, digits)));
        }
    }
}
