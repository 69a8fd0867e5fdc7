package dev.argus.cli;

import dev.argus.cli.html.HtmlReport;
import dev.argus.model.SafeText;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;

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

    /** Enough for the schema line of JSON, the rule on top of text and the first lines of HTML. */
    private static final int REPORT_START_BYTES = 256;

    /** A rule, and the headline behind it. */
    private static final Pattern TEXT_REPORT = Pattern.compile("-{40,}\\R[A-Z]{2,}[ :,]");

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

    /** Says early that a file is one of those to be read: a verdict in its place would destroy a trace. */
    static void checkIsNoInput(Path file, List<Path> inputs) {
        if (!Files.isRegularFile(file)) {
            return;
        }
        try {
            Path target = file.toRealPath();
            for (Path input : inputs) {
                boolean named = Files.exists(input) && Files.isSameFile(input, target);
                if (named || (isFoundUnder(input, target) && !isReport(target))) {
                    throw new UsageError("--out: '" + SafeText.of(file.toString())
                            + "' is one of the files to be read and would be lost; choose another name.");
                }
            }
        } catch (IOException e) {
            throw new UsageError("--out: '" + SafeText.of(file.toString()) + "' cannot be compared with the files to be"
                    + " read (" + Failures.reason(e) + "); choose another place.");
        }
    }

    private static boolean isFoundUnder(Path folder, Path target) throws IOException {
        for (TraceFile found : TraceInputs.find(List.of(folder)).files()) {
            if (found.path().toRealPath().equals(target)) {
                return true;
            }
        }
        return false;
    }

    /** True if the file is an earlier report, which may be replaced. */
    private static boolean isReport(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String start = new String(in.readNBytes(REPORT_START_BYTES), StandardCharsets.UTF_8);
            return start.isEmpty()
                    || start.contains("\"schema\":\"argus.verdict/")
                    || TEXT_REPORT.matcher(start).lookingAt()
                    || start.startsWith(HtmlReport.START);
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
