package dev.argus.hostlocal;

/** Hears how far the reading is. Called from several threads. */
public interface Progress {
    /** Says nothing to anybody. */
    Progress NONE = new Progress() {
        @Override
        public void totalBytes(long bytes) {}

        @Override
        public void readBytes(long bytes) {}

        @Override
        public void phase(String what) {}
    };

    /**
     * Sets how much there is to read.
     *
     * @param bytes size of all input files
     */
    void totalBytes(long bytes);

    /**
     * Reports what was read since the last call.
     *
     * @param bytes bytes of input files, added to those reported before
     */
    void readBytes(long bytes);

    /**
     * Begins another part of the work.
     *
     * @param what in words, such as {@code reading traces}
     */
    void phase(String what);
}
