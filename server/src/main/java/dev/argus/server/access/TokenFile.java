package dev.argus.server.access;

import dev.argus.model.SafeText;
import dev.argus.storage.OwnFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A token in a file that only its user can read. Made on first use.
 *
 * @param token the token
 * @param file where it is
 * @param fresh true if it was made just now
 */
public record TokenFile(String token, Path file, boolean fresh) {
    /** Name of the operator's token in the data folder: for everything. */
    public static final String OPERATOR = "operator.token";

    /** Name of the reader's token in the data folder: for reading alone, such as by Prometheus. */
    public static final String READER = "reader.token";

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    /**
     * Reads the token of a file; makes both when there is no file.
     *
     * @throws IOException if the file cannot be made or read, is a link, can be read by others, or has no token
     */
    public static TokenFile open(Path file) throws IOException {
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            makeFolderOf(file);
            try {
                String token = Secrets.fresh();
                write(file, token + "\n");
                return new TokenFile(token, file, true);
            } catch (FileAlreadyExistsException somebodyElseWasFaster) {
                return new TokenFile(read(file), file, false);
            }
        }
        return new TokenFile(read(file), file, false);
    }

    /**
     * Reads the token of a file.
     *
     * @throws IOException if there is none, it is a link, can be read by others, or has no token
     */
    public static String read(Path file) throws IOException {
        String shown = "'" + SafeText.of(file.toString()) + "'";
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(
                    shown + ": expected a plain file with a token; remove what is there, and start again");
        }
        if (POSIX) {
            for (PosixFilePermission one : Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)) {
                if (OTHERS.contains(one)) {
                    throw new IOException(
                            shown
                                    + ": other users may read or write this token; chmod 600 it, or remove it to get a new one");
                }
            }
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(Secrets.MOST_CHARACTERS + 2);
            String token = new String(bytes, StandardCharsets.UTF_8).strip();
            if (bytes.length > Secrets.MOST_CHARACTERS + 1 || !token.matches("[!-~]{32,}")) {
                throw new IOException(shown + ": found no token, expected one line of 32 to " + Secrets.MOST_CHARACTERS
                        + " printable characters; remove the file to get a new one");
            }
            return token;
        }
    }

    /** Makes the folder of a file, for this user alone, where there is none. */
    static void makeFolderOf(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            OwnFolder.make(folder);
        }
    }

    /** Writes a new file of mode 0600, forced to the disk. */
    public static void write(Path file, String text) throws IOException {
        Set<OpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileAttribute<?>[] own = POSIX ? new FileAttribute<?>[] {permissions("rw-------")} : new FileAttribute<?>[0];
        try (FileChannel out = FileChannel.open(file, fresh, own)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
    }

    private static FileAttribute<Set<PosixFilePermission>> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /** Never the token. */
    @Override
    public String toString() {
        return "TokenFile[" + file + "]";
    }
}
