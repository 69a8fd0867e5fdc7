package dev.argus.ring;

import java.lang.foreign.MemorySegment;

/** Headers as bytes. */
final class GoldenHeader {
    private GoldenHeader() {}

    /** Writes a header of process 1 that began at tick 1. */
    static void write(byte[] ring, long capacity) {
        MemorySegment aligned = MemorySegment.ofArray(new long[RingLayout.HEADER_BYTES / Long.BYTES]);
        new RingHeader(0, RingHeader.SIMULATED, capacity, 9, 1, RingHeader.OTHER, 1, -1, -1, -1, 0).write(aligned);
        MemorySegment.copy(aligned, 0, MemorySegment.ofArray(ring), 0, RingLayout.HEADER_BYTES);
    }
}
