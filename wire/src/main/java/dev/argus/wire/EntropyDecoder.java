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

    /** As {@link EntropyCoder#bit} says, without a branch that depends on the bit, which nobody can predict. */
    @Override
    int bit(int context, int ignored) {
        touch(context);
        int model = contexts[context];
        long split = (range >>> PROBABILITY_BITS) * (model >>> SEEN_BITS);
        long below = (code - split) >> 63; // all ones where it is
        int bit = 1 + (int) below;
        code -= split & ~below;
        range = (split & below) | ((range - split) & ~below);
        contexts[context] = moved(model, bit);
        normalise();
        return bit;
    }

    /** The same for some bits in a row. */
    @Override
    int tree(int context, int bits, int ignored) {
        long c = code;
        long r = range;
        int node = 1;
        for (int i = 0; i < bits; i++) {
            int at = context + node;
            touch(at);
            int model = contexts[at];
            long split = (r >>> PROBABILITY_BITS) * (model >>> SEEN_BITS);
            long below = (c - split) >> 63;
            int bit = 1 + (int) below;
            c -= split & ~below;
            r = (split & below) | ((r - split) & ~below);
            contexts[at] = moved(model, bit);
            if (r < 1 << 24) { // a bit leaves 2^17 or more
                c = (c << 8 | next()) & 0xFFFFFFFFL;
                r <<= 8;
            }
            node = node << 1 | bit;
        }
        code = c;
        range = r;
        return node - (1 << bits);
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
