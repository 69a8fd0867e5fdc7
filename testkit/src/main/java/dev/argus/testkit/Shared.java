package dev.argus.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of public data that is not part of the repository: {@code ARGUS_SHARED}, else {@code shared} beside the
 * repository. A test that reads it is marked {@code @Requires(Need.SHARED)}.
 */
public final class Shared {
    private Shared() {}

    /** {@return the folder itself, present or not} */
    public static Path folder() {
        String chosen = System.getenv("ARGUS_SHARED");
        if (chosen != null && !chosen.isEmpty()) {
            return Path.of(chosen).toAbsolutePath().normalize();
        }
        return repository().resolveSibling("shared");
    }

    /**
     * A file or folder of the public data.
     *
     * @param relative its path below the folder, as in {@code Shared.path("data/cases")}
     * @return the path, present or not
     */
    public static Path path(String relative) {
        return folder().resolve(relative);
    }

    /**
     * The root of the repository: {@code argus.root}, which the build sets, else the nearest folder upwards that holds
     * {@code .mvn} (tests started from an IDE).
     *
     * @return an absolute path
     */
    public static Path repository() {
        String root = System.getProperty("argus.root");
        if (root != null) {
            return Path.of(root).toAbsolutePath().normalize();
        }
        Path here = Path.of("").toAbsolutePath();
        for (Path folder = here; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(".mvn"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no .mvn in " + here + " or above; set -Dargus.root to the repository");
    }
}
