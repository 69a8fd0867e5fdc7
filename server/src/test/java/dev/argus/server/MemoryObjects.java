package dev.argus.server;

import dev.argus.storage.ObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Objects in a map. */
public final class MemoryObjects implements ObjectStore {
    public final Map<String, byte[]> all = new ConcurrentSkipListMap<>();

    @Override
    public void put(String key, Path file) throws IOException {
        all.put(key, Files.readAllBytes(file));
    }

    @Override
    public Optional<InputStream> get(String key) {
        return Optional.ofNullable(all.get(key)).map(ByteArrayInputStream::new);
    }

    @Override
    public Optional<Head> head(String key) {
        return Optional.ofNullable(all.get(key)).map(bytes -> new Head(key, bytes.length, 0));
    }

    @Override
    public List<Head> list(String prefix, String after, int most) {
        return List.of();
    }

    @Override
    public void delete(String key) {
        all.remove(key);
    }

    @Override
    public void close() {}
}
