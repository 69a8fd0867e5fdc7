package dev.argus.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders for this user alone. */
public final class OwnFolder {
    private OwnFolder() {}

    /**
     * Makes a folder with mode 0700 where there is none; parents that are missing likewise.
     *
     * @return its absolute path
     * @throws IOException if it is a link or a file, or cannot be made
     */
    public static Path make(Path folder) throws IOException {
        Path whole = folder.toAbsolutePath().normalize();
        if (Files.isDirectory(whole, LinkOption.NOFOLLOW_LINKS)) {
            return whole;
        }
        if (Files.exists(whole, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(
                    whole.toString(), null, "it is a link or a file, expected a folder, or nothing");
        }
        Path parent = whole.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            make(parent);
        }
        try {
            Files.createDirectory(whole, attributes());
        } catch (FileAlreadyExistsException meanwhile) {
            if (!Files.isDirectory(whole, LinkOption.NOFOLLOW_LINKS)) {
                throw meanwhile;
            }
        }
        return whole;
    }

    private static FileAttribute<?>[] attributes() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    /** Makes renames and new files in a folder survive a loss of power, where the system can do that. */
    public static void force(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException notHere) {
            // some systems cannot open folders; their renames are as durable as they are
        }
    }
}
