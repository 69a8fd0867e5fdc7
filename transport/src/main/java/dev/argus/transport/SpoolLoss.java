package dev.argus.transport;

/** Why frames were lost on their way: the reasons that agents ship and count. */
public final class SpoolLoss {
    /** The spool was over its bound: the oldest went. */
    public static final String SPOOL_FULL = "spool-full";

    /** Neither the disk nor the memory set aside took a frame. */
    public static final String DISK_FULL = "spool-disk-full";

    /** A frame in the spool was damaged. */
    public static final String CORRUPT = "spool-corrupt";

    /** A file of the spool whose begin could not be read; counted once a file, for nobody knows how many frames it had. */
    public static final String CORRUPT_FILE = "spool-corrupt-file";

    /** A file ended in the middle of a frame: the process died while it appended. */
    public static final String TORN = "spool-torn";

    /** The disk did not force what was written; counted once a try. */
    public static final String NOT_FORCED = "spool-not-forced";

    /** The receiver will never take a frame. */
    public static final String REFUSED = "frame-refused";

    /** A frame is larger than the receiver takes. */
    public static final String TOO_LARGE = "frame-too-large";

    /** Names that a frame builds on are lost. */
    public static final String NAMES_LOST = "names-lost";

    private SpoolLoss() {}
}
