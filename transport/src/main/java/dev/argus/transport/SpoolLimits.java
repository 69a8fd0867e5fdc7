package dev.argus.transport;

/**
 * What a spool may use.
 *
 * @param diskBytes most bytes of all its files together
 * @param segmentBytes frames of one file together, about: whole files are dropped when the spool is over its bound
 * @param memoryBytes most bytes of frames kept in memory while the disk takes none
 */
public record SpoolLimits(long diskBytes, long segmentBytes, long memoryBytes) {
    /** Segments there are at least, when the spool is full. */
    private static final int LEAST_SEGMENTS = 4;

    /** 256 MiB on disk in files of 4 MiB, 8 MiB in memory: some hours of a host of 8 ranks without a server. */
    public static final SpoolLimits DEFAULT = new SpoolLimits(256 << 20, 4 << 20, 8 << 20);

    /**
     * Checks that they fit each other.
     *
     * @throws IllegalArgumentException if they do not
     */
    public SpoolLimits {
        if (segmentBytes < 1024 || diskBytes < LEAST_SEGMENTS * segmentBytes || memoryBytes < 0) {
            throw new IllegalArgumentException("spool of " + diskBytes + " bytes in files of " + segmentBytes
                    + ", expected at least " + LEAST_SEGMENTS + " files of at least 1024");
        }
    }

    /** So many bytes on disk, the rest in proportion. */
    public static SpoolLimits ofDisk(long bytes) {
        return new SpoolLimits(
                bytes, Math.clamp(bytes / 16, 1024, DEFAULT.segmentBytes), Math.min(bytes, DEFAULT.memoryBytes));
    }
}
