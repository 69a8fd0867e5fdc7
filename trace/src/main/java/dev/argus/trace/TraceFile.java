package dev.argus.trace;

import java.nio.file.Path;

/**
 * A file that may hold a trace.
 *
 * @param path where it is
 * @param label how people call it: the path relative to the argument it was found under, with {@code /} between names; the
 *     file name if the argument is the file itself
 * @param bytes size on disk, as stored
 */
public record TraceFile(Path path, String label, long bytes) {}
