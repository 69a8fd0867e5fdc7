package dev.argus.hostlocal.live;

import java.util.HashMap;
import java.util.Map;

/** Equal values as one object, where many say the same. Bounded: of more than {@value #MOST} different ones the pool begins anew, which costs memory and changes nothing. */
final class Shared<T> {
    static final int MOST = 1 << 16;

    private final Map<T, T> pool = new HashMap<>();

    /** The one that stands for all equal to it. */
    T of(T value) {
        T known = pool.putIfAbsent(value, value);
        if (known != null) {
            return known;
        }
        if (pool.size() > MOST) {
            pool.clear();
        }
        return value;
    }

    void clear() {
        pool.clear();
    }
}
