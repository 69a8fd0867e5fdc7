package dev.argus.ring;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The folder of the rings of one user and who may be trusted with it; needs a file system with Unix attributes. */
final class RingFolder {
    private static final String CHOSEN = "ARGUS_RING_DIR";
    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int OTHERS = 0077;

    /** Never changes; -1 until asked for. */
    private static volatile int uid = -1;

    private RingFolder() {}

    /** {@code ARGUS_RING_DIR}, else {@code /dev/shm/argus-UID}. */
    static Path standard(Map<String, String> environment) throws IOException {
        String chosen = environment.getOrDefault(CHOSEN, "");
        return chosen.isEmpty() ? Path.of("/dev/shm/argus-" + uid()) : Path.of(chosen);
    }

    /** User id of this process. */
    static int uid() throws IOException {
        if (uid < 0) {
            uid = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        }
        return uid;
    }

    /** Makes the folder, for the owner alone, where it is missing; then checks it. */
    static void prepare(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException another) {
                // another producer of this user was faster; what it made is checked like anything else
            }
        }
        String wrong = wrong(folder, DIRECTORY);
        if (wrong != null) {
            throw new RingException(folder + " " + wrong);
        }
    }

    /** Says why a folder is not trusted, or null. */
    static @Nullable String wrongFolder(Path folder) throws IOException {
        return wrong(folder, DIRECTORY);
    }

    /** Says why a file is not trusted, or null. */
    static @Nullable String wrongFile(Path file) throws IOException {
        return wrong(file, REGULAR);
    }

    private static @Nullable String wrong(Path path, int type) throws IOException {
        Map<String, Object> facts = Files.readAttributes(path, "unix:mode,uid,nlink", LinkOption.NOFOLLOW_LINKS);
        int mode = number(facts, "mode");
        int owner = number(facts, "uid");
        if ((mode & TYPE) != type) {
            return "is no plain " + (type == DIRECTORY ? "folder" : "file")
                    + "; links and other things are not followed: remove it";
        }
        if (owner != uid()) {
            return "belongs to uid " + owner + ", expected " + uid() + ": choose another folder with " + CHOSEN;
        }
        if ((mode & OTHERS) != 0) {
            return "is open to others (mode " + Integer.toOctalString(mode & 0777) + "): chmod go= "
                    + "it, or remove it";
        }
        if (type == REGULAR && number(facts, "nlink") != 1) {
            return "has " + number(facts, "nlink") + " links, expected 1: remove the others";
        }
        return null;
    }

    private static int number(Map<String, Object> facts, String name) {
        return facts.get(name) instanceof Integer number ? number : -1;
    }
}
