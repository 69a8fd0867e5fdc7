package dev.argus.storage;

import java.nio.file.Path;

/**
 * Where things lie in the folder of a server's data.
 *
 * @param folder the folder
 */
public record DataFolder(Path folder) {
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
