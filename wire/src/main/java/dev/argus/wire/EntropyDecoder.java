package dev.argus.wire;

/** The reading side; takes every input as hostile. */
final class EntropyDecoder extends EntropyCoder {
    private static final int AHEAD = 4;

    private final byte[] bytes;
    private final int to;
    private int at;
    private long code;
    private long range = 0xFFFFFFFFL;

    EntropyDecoder(Models models, byte[] bytes, int from, int to) {
        super(models);
        this.bytes = bytes;
        this.at = from;
        this.to = to;
        for (int i = 0; i < AHEAD; i++) {
            code = code << 8 | next();
        }
    }

    private int next() {
        int value = at < to ? bytes[at] & 0xFF : 0;
        if (at++ >= to + AHEAD) {
            throw new WireException("cut: the content goes on behind its last byte " + to);
        }
        return value;
    }

    @Override
    int coded(int probability, int ignored) {
        long split = (range >>> PROBABILITY_BITS) * probability;
        int bit = code < split ? 0 : 1;
        if (bit == 0) {
            range = split;
        } else {
            code -= split;
            range -= split;
        }
        normalise();
        return bit;
    }

    @Override
    int even(int ignored, int bound) {
        range = share(range, bound);
        int value = (int) Math.min(bound - 1L, code / range);
        code -= value * range;
        if (code >= range) {
            throw new WireException(
                    "value at byte " + at + " outside its bound of " + bound + "; the bytes are damaged");
        }
        normalise();
        return value;
    }

    private void normalise() {
        while (range < 1 << 24) {
            code = (code << 8 | next()) & 0xFFFFFFFFL;
            range <<= 8;
        }
    }

    /** Checks that the content ends where the bytes do. */
    void expectEnd() {
        if (at < to) {
            throw new WireException((to - at) + " bytes left behind the content, expected none");
        }
    }
}
