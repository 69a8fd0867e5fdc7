package dev.argus.cli;

import dev.argus.model.SafeText;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file wholly or not at all: into a temporary file beside it, then moved over. What is no plain file (a pipe,
 * {@code /dev/null}) is written as it is. An interrupted process leaves no temporary file.
 */
final class OutputFile {
    /** Writes the content. */
    interface Content {
        /** Writes everything to the stream and does not close it. */
        void writeTo(OutputStream stream) throws IOException;
    }

    private OutputFile() {}

    /** Says early, before any work, that a file cannot be written. */
    static void check(Path file) {
        String shown = "--out: '" + SafeText.of(file.toString()) + "'";
        if (Files.isDirectory(file)) {
            throw new UsageError(shown + " is a folder; give the name of a file.");
        }
        Path folder = folder(file);
        if (!Files.isDirectory(folder)) {
            throw new UsageError(shown + " is in a folder that does not exist; create '"
                    + SafeText.of(folder.toString()) + "' first.");
        }
        if (isSpecial(file) ? !Files.isWritable(file) : !Files.isWritable(folder)) {
            throw new UsageError(shown + " cannot be written (permission denied); choose another place.");
        }
    }

    /** Writes the file. */
    static void write(Path file, Content content) throws IOException {
        if (isSpecial(file)) {
            try (OutputStream stream =
                    new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.WRITE))) {
                content.writeTo(stream);
            }
            return;
        }
        Path target = Files.exists(file) ? file.toRealPath() : file;
        String unique =
                Long.toHexString(System.nanoTime() ^ ProcessHandle.current().pid() << 40);
        Path temporary = folder(target).resolve(".argus-" + unique + ".tmp");
        temporary.toFile().deleteOnExit();
        try {
            try (OutputStream stream = new BufferedOutputStream(
                    Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                content.writeTo(stream);
            }
            move(temporary, target);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static boolean isSpecial(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file);
    }

    private static Path folder(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }
}
