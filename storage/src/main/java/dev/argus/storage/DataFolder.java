package dev.argus.storage;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where things lie in the folder of a server's data.
 *
 * @param folder the folder
 */
public record DataFolder(Path folder) {
    /**
     * The folder where none is given: {@code argus} in {@code XDG_DATA_HOME}, else in {@code ~/.local/share}.
     *
     * @param environment environment variables
     */
    public static DataFolder usual(Map<String, String> environment) {
        String xdg = environment.getOrDefault("XDG_DATA_HOME", "");
        // Paths that are not absolute are to be ignored (XDG Base Directory Specification).
        Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", ".")));
        Path shared =
                xdg.startsWith("/") ? Path.of(xdg) : home.resolve(".local").resolve("share");
        return new DataFolder(shared.resolve("argus"));
    }

    /** Of the rows and the state. */
    public Path store() {
        return folder.resolve("store");
    }

    /** Of the objects, unless they go to a bucket. */
    public Path objects() {
        return folder.resolve("objects");
    }

    /** Says where the server that runs on this folder listens, and which file has the token: {@code {"url":"...","tokenFile":"..."}}; mode 0600. */
    public Path server() {
        return folder.resolve("server.json");
    }
}
