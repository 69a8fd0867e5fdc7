package dev.argus.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Interned names of one job: a kernel, stream, phase or group name is stored once and is an {@code int} everywhere else.
 *
 * <p>Ids are dense, start at 0 and are stable for the life of the table, but depend on the order of arrival: they must
 * never leave the process or decide an order. Names come from traces and are hostile; the table keeps them exactly and
 * escapes nothing.
 *
 * <p>Thread-safe. Cost: one hash look-up under a lock; readers of traces keep their own byte-keyed cache in front.
 * Footprint: the text plus about 100 bytes a name.
 */
public final class NameTable {
    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private long chars;

    /** Returns the id of the name, giving it the next free one at first sight. */
    public synchronized int id(String name) {
        Integer known = ids.get(name);
        if (known != null) {
            return known;
        }
        int id = names.size();
        names.add(name);
        chars += name.length();
        ids.put(name, id);
        return id;
    }

    /**
     * Returns the name behind an id.
     *
     * @throws IndexOutOfBoundsException if the id was not given by this table
     */
    public synchronized String name(int id) {
        return names.get(id);
    }

    /** Characters of all names together: what they take in memory. */
    public synchronized long chars() {
        return chars;
    }

    /** Number of names so far; all ids are below it. */
    public synchronized int size() {
        return names.size();
    }
}
