package dev.argus.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Objects by key: in a folder or in a bucket of an S3-compatible store. A key is 1 to 512 characters of {@code [A-Za-z0-9._/=-]}, no part of it empty, {@code .} or {@code ..}.
 *
 * <p>Thread-safe.
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * An object.
     *
     * @param key key
     * @param bytes length
     * @param modifiedMillis when it was written, milliseconds since the Unix epoch
     */
    record Head(String key, long bytes, long modifiedMillis) {}

    /** Keeps a file under a key: as a whole or not at all. Replaces what was there. */
    void put(String key, Path file) throws IOException;

    /** Reads an object; empty when there is none. To be closed. */
    Optional<InputStream> get(String key) throws IOException;

    /** About an object; empty when there is none. */
    Optional<Head> head(String key) throws IOException;

    /** Objects whose keys begin so, in order of keys, after a key. */
    List<Head> list(String prefix, String after, int most) throws IOException;

    /** Removes an object; nothing happens when there is none. */
    void delete(String key) throws IOException;

    @Override
    void close() throws IOException;
}
