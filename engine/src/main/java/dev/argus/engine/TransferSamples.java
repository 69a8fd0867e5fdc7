package dev.argus.engine;

import java.util.Arrays;

/**
 * Transfers of one group or pair and step by kind; of few kinds. Emptied it is used again, without making anything anew.
 */
final class TransferSamples {
    private static final int LEAST = 4;

    /** What is done with a kind. */
    @FunctionalInterface
    interface Visitor {
        void visit(long kind, TransferSample sample);
    }

    /** Ascending. */
    private long[] kinds = new long[LEAST];

    private TransferSample[] samples = {
        new TransferSample(), new TransferSample(), new TransferSample(), new TransferSample()
    };
    private int size;

    /** The sample of a kind, empty if it was not asked for before. */
    TransferSample of(long kind) {
        int at = 0;
        while (at < size && kinds[at] < kind) {
            at++;
        }
        if (at < size && kinds[at] == kind) {
            return samples[at];
        }
        if (size == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * size);
            samples = Arrays.copyOf(samples, 2 * size);
            for (int i = size; i < samples.length; i++) {
                samples[i] = new TransferSample();
            }
        }
        TransferSample fresh = samples[size];
        System.arraycopy(kinds, at, kinds, at + 1, size - at);
        System.arraycopy(samples, at, samples, at + 1, size - at);
        kinds[at] = kind;
        samples[at] = fresh;
        size++;
        fresh.clear();
        return fresh;
    }

    /** By ascending kind. */
    void forEach(Visitor visitor) {
        for (int i = 0; i < size; i++) {
            visitor.visit(kinds[i], samples[i]);
        }
    }

    void clear() {
        size = 0;
    }
}
