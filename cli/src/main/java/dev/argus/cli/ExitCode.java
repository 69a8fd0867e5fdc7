package dev.argus.cli;

/** Exit codes of every command. */
final class ExitCode {
    /** The work was done, incidents or not. */
    static final int DONE = 0;

    /** Nothing could be analysed, or the result could not be written. */
    static final int NOTHING_ANALYSED = 1;

    /** Wrong usage. */
    static final int USAGE = 2;

    /** With {@code --exit-code}: incidents were found. */
    static final int INCIDENTS = 10;

    /** With {@code --exit-code}: the data does not tell whether the job is slow. */
    static final int NOT_JUDGED = 11;

    private ExitCode() {}
}
