package dev.argus.cli;

import dev.argus.model.SafeText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns exceptions into words for a person. */
final class Failures {
    private Failures() {}

    /** Why an input or output failed, without the name of the file. */
    static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException gone -> "it does not exist";
            case AccessDeniedException denied -> "permission denied";
            case FileSystemLoopException loop -> "its links run in a circle";
            case FileSystemException other
            when other.getReason() != null -> SafeText.of(other.getReason()).toLowerCase(Locale.ROOT);
            default ->
                SafeText.sentence( // what to do is at its end
                        failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage());
        };
    }

    /** The same, of which file where that is known: for whoever has not named it. */
    static String reasonWithFile(IOException failure) {
        return failure instanceof FileSystemException of && of.getFile() != null
                ? SafeText.of(of.getFile()) + ": " + reason(failure)
                : reason(failure);
    }

    /** True if the reader at the other end of a pipe has gone: nobody wants to hear more. */
    static boolean isBrokenPipe(IOException failure) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("broken pipe")
                || message.contains("connection reset")
                || message.contains("pipe closed");
    }

    /** One line about something that should not have happened, with what to do. */
    static String unexpected(Throwable failure) {
        return switch (failure) {
            case OutOfMemoryError memory ->
                "not enough memory (heap limit " + Runtime.getRuntime().maxMemory() / (1024 * 1024)
                        + " MiB); run again with ARGUS_JAVA_OPTS=-Xmx2g, or with fewer --threads.";
            case StackOverflowError deep -> internal("nested too deeply");
            default -> internal(words(failure));
        };
    }

    private static String internal(String what) {
        return "internal error: " + what + "; run again with ARGUS_DEBUG=1 and report the output.";
    }

    private static String words(Throwable failure) {
        @Nullable String message = failure.getMessage();
        String name = failure.getClass().getSimpleName();
        return message == null ? name : name + ": " + SafeText.of(message, 300);
    }
}
