package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class EntropyCoderTest {
    private static final int CONTEXTS = 2000;

    private static List<Long> code(EntropyCoder coder, long seed, int n) {
        Random random = new Random(seed);
        List<Long> seen = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            switch (random.nextInt(6)) {
                case 0 -> seen.add(coder.number(0, value < 0 ? ~value : value));
                case 1 -> seen.add(coder.signed(200, value == Long.MIN_VALUE ? 0 : value));
                case 2 -> seen.add((long) coder.bit(500, random.nextInt(50) == 0 ? 1 : 0));
                case 3 -> {
                    int bound = 1 + random.nextInt(1 << (1 + random.nextInt(20)));
                    seen.add((long) coder.below(random.nextInt(bound), bound));
                }
                case 4 -> seen.add((long) coder.tree(600, 6, random.nextInt(64)));
                default -> seen.add(coder.word(value));
            }
        }
        return seen;
    }

    @RepeatedTest(300)
    void readingReturnsWhatWasWritten(RepetitionInfo info) {
        int seed = info.getCurrentRepetition();
        int n = new Random(seed).nextInt(400);
        EntropyEncoder encoder = new EntropyEncoder(new EntropyCoder.Models(CONTEXTS));
        List<Long> written = code(encoder, seed, n);
        byte[] bytes = encoder.finish();

        EntropyDecoder decoder = new EntropyDecoder(new EntropyCoder.Models(CONTEXTS), bytes, 0, bytes.length);
        assertThat(code(decoder, seed, n)).isEqualTo(written);
        decoder.expectEnd();
    }

    @Test
    void aContextThatHardlyChangesCostsHardlyAnything() {
        EntropyEncoder encoder = new EntropyEncoder(new EntropyCoder.Models(CONTEXTS));
        for (int i = 0; i < 8000; i++) {
            encoder.bit(3, 0);
        }
        assertThat(encoder.finish().length).isLessThan(20);
    }

    @Test
    void nothingIsNoBytes() {
        assertThat(new EntropyEncoder(new EntropyCoder.Models(CONTEXTS)).finish())
                .isEmpty();
    }

    private static int probe(EntropyCoder.Models models) {
        EntropyEncoder encoder = new EntropyEncoder(models);
        for (int i = 0; i < 400; i++) {
            encoder.bit(7, i % 3 == 0 ? 1 : 0);
        }
        encoder.models.undo();
        return encoder.finish().length;
    }

    @Test
    void whatIsUndoneHasChangedNothingAndWhatIsKeptHas() {
        EntropyCoder.Models models = new EntropyCoder.Models(CONTEXTS);
        int fresh = probe(models);
        code(new EntropyEncoder(models), 1, 300);
        models.undo();
        assertThat(probe(models)).isEqualTo(fresh);
        EntropyEncoder learning = new EntropyEncoder(models);
        for (int i = 0; i < 400; i++) {
            learning.bit(7, 1);
        }
        learning.finish();
        assertThat(probe(models)).isGreaterThan(fresh);
        models.reset();
        assertThat(probe(models)).isEqualTo(fresh);
    }

    @Test
    void framesOfTwoStreamsMayBeOpenAtOnce() {
        List<byte[]> alone = new ArrayList<>();
        for (int seed = 1; seed <= 2; seed++) {
            EntropyEncoder encoder = new EntropyEncoder(new EntropyCoder.Models(CONTEXTS));
            code(encoder, seed, 200);
            alone.add(encoder.finish());
        }
        EntropyEncoder one = new EntropyEncoder(new EntropyCoder.Models(CONTEXTS));
        EntropyEncoder other = new EntropyEncoder(new EntropyCoder.Models(2 * CONTEXTS));
        code(one, 1, 200);
        code(other, 2, 200);
        assertThat(one.finish()).isEqualTo(alone.get(0));
        assertThat(other.finish()).isEqualTo(alone.get(1));
    }
}
