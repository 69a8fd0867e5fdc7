package dev.argus.trace;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stack, marks and memo of the machine that reads pickles, with their bounds.
 *
 * <p>Keys of dictionaries and members of sets are scalars or flat tuples of scalars: anything else has no stable hash, and a list that
 * holds itself would never end to be hashed.
 */
final class PickleStack {
    static final int MAX_VALUES = 8 << 20;
    static final int MAX_CONTAINERS = 2 << 20;
    static final int MAX_MARKS = 1 << 10;
    static final int MAX_MEMO = 4 << 20;
    private static final int MAX_KEY_PARTS = 64;

    /** Bytes, by the layout of objects with compressed references, growth of arrays included. */
    private static final long SLOT = 12;

    private static final long NUMBER = 24;
    private static final long TEXT = 56;
    private static final long CONTAINER = 96;
    private static final long ENTRY = 56;

    /** Tuples as keys can be made to collide, and have no order to sort them by: more would cost quadratic time. */
    private static final int MAX_TUPLE_KEYS = 1_000;

    private int tupleKeys;
    private final long room;
    private long held;

    private final ArrayList<@Nullable Object> values = new ArrayList<>();
    private final List<Integer> marks = new ArrayList<>();
    private final Map<Long, @Nullable Object> memo = new HashMap<>();
    private int containers;

    private PickleError error(String message) {
        return new PickleError(message, -1);
    }

    /** @param room bytes that values may take, by the estimates here */
    PickleStack(long room) {
        this.room = room;
    }

    /** Counts bytes of the heap; what the machine has let go of is not taken off, for the memo may hold it. */
    private void charge(long bytes) {
        held += bytes;
        if (held > room) {
            throw error("its values need more than " + (room >> 20)
                    + " MiB of the heap; give more, for example ARGUS_JAVA_OPTS=-Xmx2g");
        }
    }

    /** Pushes a new value. */
    void push(@Nullable Object value) {
        charge(bytes(value));
        again(value);
    }

    /** Pushes a value that was pushed before. */
    void again(@Nullable Object value) {
        charge(SLOT);
        if (values.size() >= MAX_VALUES) {
            throw error("more than " + MAX_VALUES + " values at a time");
        }
        if ((value instanceof Collection<?> || value instanceof Map<?, ?>) && ++containers > MAX_CONTAINERS) {
            throw error("more than " + MAX_CONTAINERS + " lists and dicts");
        }
        values.add(value);
    }

    /** What a new value takes. */
    private static long bytes(@Nullable Object value) {
        return switch (value) {
            case String text -> TEXT + text.length();
            case byte[] block -> TEXT + block.length;
            case Map<?, ?> map -> CONTAINER + ENTRY * map.size();
            case Collection<?> list -> CONTAINER + SLOT * list.size();
            case null -> 0;
            default -> NUMBER;
        };
    }

    @Nullable
    Object pop() {
        if (values.size() <= floor()) {
            throw error("takes a value from an empty stack");
        }
        return values.removeLast();
    }

    @Nullable
    Object top() {
        if (values.size() <= floor()) {
            throw error("looks at a value of an empty stack");
        }
        return values.getLast();
    }

    /** Values below belong to an open mark. */
    private int floor() {
        return marks.isEmpty() ? 0 : marks.getLast();
    }

    int size() {
        return values.size();
    }

    boolean hasMarks() {
        return !marks.isEmpty();
    }

    void mark() {
        if (marks.size() >= MAX_MARKS) {
            throw error("nested deeper than " + MAX_MARKS);
        }
        marks.add(values.size());
    }

    /** Takes off everything above the last mark, and the mark. */
    List<@Nullable Object> toMark() {
        if (marks.isEmpty()) {
            throw error("closes what was not opened");
        }
        int from = marks.removeLast();
        List<@Nullable Object> above = values.subList(from, values.size());
        List<@Nullable Object> taken = new ArrayList<>(above);
        above.clear();
        return taken;
    }

    // ---------------------------------------------------------------- memo

    void remember(long key, @Nullable Object value) {
        if (key < 0 || memo.size() >= MAX_MEMO) {
            throw error("a memo of more than " + MAX_MEMO + " entries");
        }
        charge(ENTRY + NUMBER);
        memo.put(key, value);
    }

    void memoize() {
        remember(memo.size(), top());
    }

    @Nullable
    Object recall(long key) {
        Object value = memo.get(key);
        if (value == null && !memo.containsKey(key)) {
            throw error("refers to entry " + key + " of the memo, which was not made");
        }
        return value;
    }

    // ---------------------------------------------------------------- containers

    void tuple(int size) {
        @Nullable Object[] parts = new Object[size];
        for (int i = size - 1; i >= 0; i--) {
            parts[i] = pop();
        }
        push(Collections.unmodifiableList(Arrays.asList(parts)));
    }

    void append(List<@Nullable Object> more) {
        charge(SLOT * more.size());
        list(top()).addAll(more);
    }

    void setItems(List<@Nullable Object> pairs) {
        if (pairs.size() % 2 != 0) {
            throw error("a dict of " + pairs.size() + " keys and values, expected an even number");
        }
        put(map(top()), pairs);
    }

    void addItems(List<@Nullable Object> members) {
        Object top = top();
        if (!(top instanceof Set<?>)) {
            throw error("adds members to what is no set");
        }
        members.forEach(this::checkKey);
        @SuppressWarnings("unchecked")
        Set<@Nullable Object> set = (Set<@Nullable Object>) top;
        charge(ENTRY * members.size());
        set.addAll(members);
    }

    Map<@Nullable Object, @Nullable Object> dict(List<@Nullable Object> pairs) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        if (pairs.size() % 2 != 0) {
            throw error("a dict of " + pairs.size() + " keys and values, expected an even number");
        }
        put(map, pairs);
        return map;
    }

    Set<@Nullable Object> frozen(Collection<@Nullable Object> members) {
        members.forEach(this::checkKey);
        return new LinkedHashSet<>(members);
    }

    private void put(Map<@Nullable Object, @Nullable Object> map, List<@Nullable Object> pairs) {
        charge(ENTRY * (pairs.size() / 2));
        for (int i = 0; i < pairs.size(); i += 2) {
            checkKey(pairs.get(i));
            map.put(pairs.get(i), pairs.get(i + 1));
        }
    }

    private void checkKey(@Nullable Object key) {
        if (isScalar(key)) {
            return;
        }
        boolean flat = key instanceof List<?> tuple
                && !(key instanceof ArrayList<?>)
                && tuple.size() <= MAX_KEY_PARTS
                && tuple.stream().allMatch(PickleStack::isScalar);
        if (!flat) {
            throw error("a key that is neither text, number nor a short tuple of them");
        }
        if (++tupleKeys > MAX_TUPLE_KEYS) {
            throw error("more than " + MAX_TUPLE_KEYS + " keys that are tuples");
        }
    }

    private static boolean isScalar(@Nullable Object value) {
        return value == null
                || value instanceof String
                || value instanceof Long
                || value instanceof Boolean
                || value instanceof Double
                || value instanceof BigInteger;
    }

    @SuppressWarnings("unchecked")
    private List<@Nullable Object> list(@Nullable Object value) {
        if (value instanceof ArrayList<?> list) {
            return (List<@Nullable Object>) list;
        }
        throw error("appends to what is no list");
    }

    @SuppressWarnings("unchecked")
    private Map<@Nullable Object, @Nullable Object> map(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return (Map<@Nullable Object, @Nullable Object>) map;
        }
        throw error("sets items of what is no dict");
    }
}
