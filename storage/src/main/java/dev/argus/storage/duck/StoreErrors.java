package dev.argus.storage.duck;

import dev.argus.storage.StoreFullException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells the failures of the database apart, which it does by words. */
final class StoreErrors {
    private static final int MOST = 400;

    private StoreErrors() {}

    static IOException of(String what, Throwable failed) {
        String message = what + ": " + words(failed);
        return isFull(failed)
                ? new StoreFullException(message + "; make room on the disk, or give a smaller disk budget", failed)
                : new IOException(message, failed);
    }

    /** There is no room on the disk. */
    static boolean isFull(@Nullable Throwable failed) {
        return failed instanceof StoreFullException
                || says(failed, "no space left", "quota exceeded", "file too large", "not enough space");
    }

    /** There is no memory left of what the database may take. */
    static boolean isMemory(Throwable failed) {
        return says(failed, "out of memory");
    }

    /** The instance has given itself up. */
    static boolean isFatal(Throwable failed) {
        return says(
                failed, "fatal error", "database has been invalidated", "reopen the database", "connection was closed");
    }

    /** Others read what a checkpoint would change. */
    static boolean isBusy(Throwable failed) {
        return says(failed, "cannot checkpoint");
    }

    private static boolean says(@Nullable Throwable failed, String... words) {
        for (Throwable t = failed; t != null; t = t.getCause()) {
            String message = String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT);
            for (String word : words) {
                if (message.contains(word)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Its first line, cut. */
    static String words(Throwable failed) {
        String message = failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
        if (failed instanceof FileSystemException of && of.getReason() == null) {
            // Its message is the name of the file and nothing else.
            message += failed instanceof AccessDeniedException
                    ? ": permission denied"
                    : failed instanceof NoSuchFileException
                            ? ": it is not there"
                            : " (" + failed.getClass().getSimpleName() + ")";
        }
        if (failed instanceof SQLException) {
            int end = message.indexOf('\n');
            message = end < 0 ? message : message.substring(0, end);
        }
        return message.length() > MOST ? message.substring(0, MOST) + "..." : message;
    }
}
