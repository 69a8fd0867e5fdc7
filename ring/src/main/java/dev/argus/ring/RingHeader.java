package dev.argus.ring;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The part of a ring's header that never changes.
 *
 * @param minor minor version of the layout
 * @param producer 1 CUPTI, 2 Python, 3 simulated; others are of the future
 * @param capacity records, a power of two
 * @param session CLOCK_REALTIME nanoseconds when the file was made
 * @param process process id as the producer sees it
 * @param clock clock of the records: 1 CLOCK_REALTIME, 2 CLOCK_MONOTONIC, 3 another one
 * @param startTicks start of the process, clock ticks since boot
 * @param rank global rank or -1
 * @param localRank rank on its host or -1
 * @param worldSize size of the job or -1
 * @param namespace inode of the pid namespace, 0 unknown
 */
public record RingHeader(
        int minor,
        int producer,
        long capacity,
        long session,
        int process,
        int clock,
        long startTicks,
        int rank,
        int localRank,
        int worldSize,
        long namespace) {
    /** {@link #clock} of a producer whose times are CLOCK_REALTIME. */
    public static final int REALTIME = 1;

    /** {@link #clock} of a producer whose times are CLOCK_MONOTONIC. */
    public static final int MONOTONIC = 2;

    /** {@link #clock} of a producer with times of its own, placed by its CLOCK records. */
    public static final int OTHER = 3;

    /** {@link #producer} of the CUPTI library. */
    public static final int CUPTI = 1;

    /** {@link #producer} of the Python package. */
    public static final int PYTHON = 2;

    /** {@link #producer} of simulated writers. */
    public static final int SIMULATED = 3;

    /**
     * Says what is wrong with a header, or null. Reads the first {@link RingLayout#FIXED_BYTES} bytes.
     *
     * @param from a private copy, so that it cannot change between the checks
     * @param size bytes of the file
     */
    static @Nullable String wrong(MemorySegment from, long size) {
        if (from.get(RingLayout.LONG, RingLayout.AT_MAGIC) != RingLayout.MAGIC) {
            return "does not begin with ARGUSRNG: it is no ring";
        }
        int major = from.get(RingLayout.SHORT, RingLayout.AT_MAJOR) & 0xffff;
        if (major != RingLayout.MAJOR) {
            return "has major version " + major + ", expected " + RingLayout.MAJOR + ": "
                    + (major > RingLayout.MAJOR ? "update the agent" : "update the producer")
                    + " so that both speak the same";
        }
        int headerBytes = from.get(RingLayout.INT, RingLayout.AT_HEADER_BYTES);
        int recordBytes = from.get(RingLayout.INT, RingLayout.AT_RECORD_BYTES);
        if (headerBytes != RingLayout.HEADER_BYTES || recordBytes != RingLayout.RECORD_BYTES) {
            return "has a header of " + headerBytes + " bytes and records of " + recordBytes + ", expected "
                    + RingLayout.HEADER_BYTES + " and " + RingLayout.RECORD_BYTES;
        }
        long capacity = from.get(RingLayout.LONG, RingLayout.AT_CAPACITY);
        if (!RingLayout.isCapacity(capacity)) {
            return "has room for " + capacity + " records, expected a power of two from 1024 to 67108864";
        }
        if (size != RingLayout.fileBytes(capacity)) {
            return "has " + size + " bytes, expected " + RingLayout.fileBytes(capacity) + " for " + capacity
                    + " records";
        }
        int clock = from.get(RingLayout.INT, RingLayout.AT_CLOCK);
        if (clock < REALTIME || clock > OTHER) {
            return "has clock " + clock + ", expected 1, 2 or 3";
        }
        if (from.get(RingLayout.INT, RingLayout.AT_PROCESS) <= 0) {
            return "has process id " + from.get(RingLayout.INT, RingLayout.AT_PROCESS) + ", expected one above 0";
        }
        return null;
    }

    /** Reads a header that {@link #wrong} had nothing against. */
    static RingHeader read(MemorySegment from) {
        return new RingHeader(
                from.get(RingLayout.SHORT, RingLayout.AT_MINOR) & 0xffff,
                from.get(RingLayout.INT, RingLayout.AT_PRODUCER),
                from.get(RingLayout.LONG, RingLayout.AT_CAPACITY),
                from.get(RingLayout.LONG, RingLayout.AT_SESSION),
                from.get(RingLayout.INT, RingLayout.AT_PROCESS),
                from.get(RingLayout.INT, RingLayout.AT_CLOCK),
                from.get(RingLayout.LONG, RingLayout.AT_START_TICKS),
                from.get(RingLayout.INT, RingLayout.AT_RANK),
                from.get(RingLayout.INT, RingLayout.AT_LOCAL_RANK),
                from.get(RingLayout.INT, RingLayout.AT_WORLD),
                from.get(RingLayout.LONG, RingLayout.AT_NAMESPACE));
    }

    /** Writes a fresh header: this, the initial control word, and zero elsewhere. */
    void write(MemorySegment to) {
        to.asSlice(0, RingLayout.HEADER_BYTES).fill((byte) 0);
        to.set(RingLayout.LONG, RingLayout.AT_MAGIC, RingLayout.MAGIC);
        to.set(RingLayout.SHORT, RingLayout.AT_MAJOR, (short) RingLayout.MAJOR);
        to.set(RingLayout.SHORT, RingLayout.AT_MINOR, (short) minor);
        to.set(RingLayout.INT, RingLayout.AT_HEADER_BYTES, RingLayout.HEADER_BYTES);
        to.set(RingLayout.INT, RingLayout.AT_RECORD_BYTES, RingLayout.RECORD_BYTES);
        to.set(RingLayout.INT, RingLayout.AT_PRODUCER, producer);
        to.set(RingLayout.LONG, RingLayout.AT_CAPACITY, capacity);
        to.set(RingLayout.LONG, RingLayout.AT_SESSION, session);
        to.set(RingLayout.INT, RingLayout.AT_PROCESS, process);
        to.set(RingLayout.INT, RingLayout.AT_CLOCK, clock);
        to.set(RingLayout.LONG, RingLayout.AT_START_TICKS, startTicks);
        to.set(RingLayout.INT, RingLayout.AT_RANK, rank);
        to.set(RingLayout.INT, RingLayout.AT_LOCAL_RANK, localRank);
        to.set(RingLayout.INT, RingLayout.AT_WORLD, worldSize);
        to.set(RingLayout.LONG, RingLayout.AT_NAMESPACE, namespace);
        to.set(RingLayout.LONG, RingLayout.AT_CONTROL, RingControl.INITIAL.word());
    }

    /** Name of the file: process, start and producer. */
    public String fileName() {
        return process + "-" + startTicks + "." + producerName() + ".ring";
    }

    /** A word for the producer. */
    public String producerName() {
        return switch (producer) {
            case CUPTI -> "cupti";
            case PYTHON -> "python";
            case SIMULATED -> "simulated";
            default -> "producer" + producer;
        };
    }
}
