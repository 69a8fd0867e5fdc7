package dev.argus.stacks;

/** Which versions of Python are read. */
final class PythonVersions {
    /** The newest whose layout is known. */
    static final int NEWEST_MINOR = 14;

    static final int OLDEST_MINOR = 11;
    private static final int CANDIDATE = 0xC; // alpha and beta versions still move their fields

    private PythonVersions() {}

    /**
     * The minor version of a PY_VERSION_HEX.
     *
     * @throws StackAccessException if such processes are not read; the message says so
     */
    static int supported(long hex) throws StackAccessException {
        int major = (int) ((hex >>> 24) & 0xFF);
        int minor = (int) ((hex >>> 16) & 0xFF);
        if (hex >>> 32 != 0 || major < 2 || major > 3) {
            throw new StackAccessException("version 0x" + Long.toHexString(hex)
                    + " where Python keeps its own: expected 0x030b.... or above; the process may still be starting");
        }
        if (major != 3 || minor < OLDEST_MINOR || minor > NEWEST_MINOR) {
            throw new StackAccessException("Python " + text(hex) + " found, 3." + OLDEST_MINOR + " to 3." + NEWEST_MINOR
                    + " can be read; use py-spy for others");
        }
        if (((hex >>> 4) & 0xF) < CANDIDATE) {
            throw new StackAccessException(
                    "Python " + text(hex) + ", an alpha or beta version: only releases and candidates can be read");
        }
        return minor;
    }

    /** Such as 3.11.2. */
    static String text(long hex) {
        return ((hex >>> 24) & 0xFF) + "." + ((hex >>> 16) & 0xFF) + "." + ((hex >>> 8) & 0xFF);
    }
}
