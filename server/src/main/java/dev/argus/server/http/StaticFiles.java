package dev.argus.server.http;

import java.util.Optional;

/** What is at addresses that no route has: the files of the pages. Called by many threads. */
@FunctionalInterface
public interface StaticFiles {
    /** Nothing. */
    StaticFiles NONE = path -> Optional.empty();

    /**
     * The answer for a path.
     *
     * @param path decoded, begins with {@code /}; hostile
     */
    Optional<Answer> find(String path);
}
