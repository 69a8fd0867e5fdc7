package dev.argus.wire;

import java.util.Arrays;

/** The writing side. */
final class EntropyEncoder extends EntropyCoder {
    private byte[] bytes = new byte[1024];
    private int length;
    private long low;
    private long range = 0xFFFFFFFFL;

    EntropyEncoder(Models models) {
        super(models);
    }

    @Override
    int coded(int probability, int bit) {
        long split = (range >>> PROBABILITY_BITS) * probability;
        if (bit == 0) {
            range = split;
        } else {
            low += split;
            range -= split;
        }
        normalise();
        return bit;
    }

    @Override
    int even(int value, int bound) {
        range = share(range, bound);
        low += value * range;
        normalise();
        return value;
    }

    private void normalise() {
        while (range < 1 << 24) {
            shift();
            range <<= 8;
        }
    }

    private void shift() {
        carry();
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = (byte) (low >>> 24);
        low = (low & 0xFFFFFF) << 8;
    }

    private void carry() {
        if (low > 0xFFFFFFFFL) {
            low &= 0xFFFFFFFFL;
            int i = length - 1;
            while (++bytes[i] == 0) {
                i--;
            }
        }
    }

    /** Keeps the models, and ends the stream with as few bytes as tell it apart; the reader takes what is missing as zeros. */
    byte[] finish() {
        long last = low + range - 1;
        for (int bits = 32; bits >= 0; bits -= 8) {
            long rounded = (low + (1L << bits) - 1) >>> bits << bits;
            if (rounded <= last) {
                low = rounded;
                break;
            }
        }
        carry();
        while (low != 0) {
            shift();
        }
        models.keep();
        return Arrays.copyOf(bytes, length);
    }
}
