package dev.argus.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads small files that somebody names in an option: tokens, certificates, settings, layouts. The one home for it, in the lowest room that may read files and that all have which take such options.
 *
 * <p>A pipe without a writer would be waited for for ever, and a device never ends: what is no plain file is refused before it is opened. A link to a plain file is one. A file that is replaced by a pipe
 * between the look and the opening is waited for: Java can neither open without waiting nor ask what an open file is. Who can replace it can also write into it what they like.
 */
public final class PlainFile {
    private PlainFile() {}

    /**
     * The content. Cost: at most {@code mostBytes + 1} bytes are read.
     *
     * @param mostBytes largest size that is taken
     * @throws IOException if it is no plain file, is larger, or cannot be read; {@link FileSystemException#getReason()} says what it is and what was expected
     */
    public static byte[] read(Path file, int mostBytes) throws IOException {
        BasicFileAttributes about = Files.readAttributes(file, BasicFileAttributes.class);
        if (!about.isRegularFile()) {
            throw new FileSystemException(
                    file.toString(),
                    null,
                    (about.isDirectory() ? "it is a folder" : "it is a pipe, a socket or a device")
                            + "; expected a plain file of at most " + mostBytes + " bytes");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(mostBytes + 1);
        }
        if (bytes.length > mostBytes) {
            throw new FileSystemException(
                    file.toString(), null, "it is larger than " + mostBytes + " bytes; expected at most that");
        }
        return bytes;
    }

    /** Why a file was refused, without its name: {@code it is a folder; ...}. */
    public static String reason(IOException failure) {
        return failure instanceof NoSuchFileException
                ? "it does not exist"
                : failure instanceof AccessDeniedException
                        ? "it may not be read"
                        : failure instanceof FileSystemException of && of.getReason() != null
                                ? of.getReason()
                                : String.valueOf(failure.getMessage());
    }
}
