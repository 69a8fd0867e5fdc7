package dev.argus.ring;

import java.nio.file.Path;

/** Small rings for tests. */
final class Rings {
    private Rings() {}

    /** Header of a ring of this process. */
    static RingHeader header(long capacity) {
        return new RingHeader(
                0,
                RingHeader.SIMULATED,
                capacity,
                1,
                (int) ProcessHandle.current().pid(),
                RingHeader.MONOTONIC,
                77,
                3,
                1,
                8,
                0);
    }

    static Path folder(Path temp) {
        return temp.resolve("rings");
    }

    /** A kernel all of whose fields follow from its number. */
    static boolean numbered(RingWriter to, int name, long number) {
        int low = (int) number;
        return to.kernel(
                low & 0xff, 0, name, number, number * 7 & RingLayout.LONGEST, low & 0xffffff, low, (low & 0xffff) + 1);
    }

    /** Checks that a kernel is one of {@link #numbered}. */
    static boolean isNumbered(int device, long start, long duration, int stream, long correlation, long work) {
        int low = (int) start;
        return device == (low & 0xff)
                && duration == (start * 7 & RingLayout.LONGEST)
                && stream == (low & 0xffffff)
                && correlation == (low & 0xffffffffL)
                && work == (low & 0xffff) + 1;
    }
}
