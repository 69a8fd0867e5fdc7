package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Blocks of 64 bytes against the same, byte by byte. */
class JsonBlockTest {
    private static final String LIKELY = "\"\"\"\\\\[]{}[]{}_^|~Yy ,:1\u007f";

    @Test
    void everyByteAtEveryPlaceIsToldFromABracket() {
        for (int place = 0; place < JsonBlock.BYTES; place++) {
            for (int c = 0; c < 256; c++) {
                byte[] bytes = new byte[JsonBlock.BYTES];
                Arrays.fill(bytes, (byte) ' ');
                bytes[place] = (byte) c;
                JsonBlock block = new JsonBlock();
                block.read(bytes, 0);
                assertThat(block.opening()).isEqualTo(c == '[' || c == '{' ? 1 : 0);
                assertThat(block.closing()).isEqualTo(c == ']' || c == '}' ? 1 : 0);
                assertThat(block.inString()).isEqualTo(c == '"');
                assertThat(block.escapes()).isEqualTo(c == '\\' && place == JsonBlock.BYTES - 1);
                assertThat(block.end(1)).isEqualTo(c == ']' || c == '}' ? place + 1 : -1);
            }
        }
    }

    @RepeatedTest(3000)
    void blocksThatFollowOneAnotherAgree(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        byte[] bytes = new byte[4 * JsonBlock.BYTES];
        int wide = random.nextInt(3) == 0 ? 10 : 0;
        for (int i = 0; i < bytes.length; i++) {
            boolean any = random.nextInt(100) < wide;
            bytes[i] = (byte) (any ? random.nextInt(256) : LIKELY.charAt(random.nextInt(LIKELY.length())));
        }
        JsonBlock block = new JsonBlock();
        block.begin();
        boolean inString = false;
        boolean escape = false;
        for (int from = 0; from < bytes.length; from += JsonBlock.BYTES) {
            block.read(bytes, from);
            int open = 0;
            int close = 0;
            int depth = 3;
            int end = -1;
            for (int i = from; i < from + JsonBlock.BYTES; i++) {
                byte c = bytes[i];
                boolean escaped = escape;
                escape = c == '\\' && !escaped;
                if (c == '"') {
                    inString ^= !escaped;
                } else if (!inString && (c == '{' || c == '[')) {
                    open++;
                    depth++;
                } else if (!inString && (c == '}' || c == ']')) {
                    close++;
                    if (--depth == 0 && end < 0) {
                        end = i - from + 1;
                    }
                }
            }
            assertThat(block.opening()).isEqualTo(open);
            assertThat(block.closing()).isEqualTo(close);
            assertThat(block.inString()).isEqualTo(inString);
            assertThat(block.escapes()).isEqualTo(escape);
            assertThat(block.end(3)).isEqualTo(end);
        }
    }
}
