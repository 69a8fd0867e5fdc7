package dev.argus.ring;

import dev.argus.model.NameTable;
import java.util.Arrays;

/** Checks a stream of numbered kernels: none torn, order kept, and every number either here or counted as lost. */
final class Numbered implements RingConsumer {
    private final NameTable names;
    long next;
    long kernels;
    long lost;
    long wrong;
    long wrongNames;
    final long[] losses = new long[12];

    Numbered(NameTable names) {
        this.names = names;
    }

    @Override
    public void kernel(
            int device, int name, long start, long duration, int stream, long correlation, long work, int flags) {
        boolean fine = start >= next && Rings.isNumbered(device, start, duration, stream, correlation, work);
        wrong += fine ? 0 : 1;
        wrongNames += names.name(name).equals(nameOf(start)) ? 0 : 1;
        next = start + 1;
        kernels++;
    }

    @Override
    public void loss(LossReason reason, long from, long to, long count) {
        losses[reason.ordinal()] += count;
        lost += count;
    }

    /** Names of 1 to 4,000 bytes, so that definitions have 1 to 171 parts. */
    static String nameOf(long number) {
        int k = (int) (number / 97 % 50);
        return "name " + k + " " + "x".repeat(k * 80);
    }

    @Override
    public String toString() {
        return kernels + " kernels, " + lost + " lost " + Arrays.toString(losses) + ", " + wrong + " wrong";
    }
}
