package dev.argus.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.model.NameTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sender's half of the dictionary of a session: numbers for name ids, given at first sight and never changed. What the reader lacks
 * goes along as a block:
 *
 * <pre>
 * base   hash of the names below base: 8 bytes   n  n x name:text        names base .. base + n - 1
 * </pre>
 *
 * <p>Bounded: 65,536 names of 16 MiB together, then {@link #isFull}, and a new session must begin. Belongs to one thread. Footprint: some
 * 60 bytes a name; the texts stay in the table.
 */
public final class SessionNames {
    private final NameTable table;
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final List<Integer> ids = new ArrayList<>();
    private long[] chain = {NameChain.EMPTY};
    private long bytes;

    /** Numbers the ids of a table. */
    public SessionNames(NameTable table) {
        this.table = table;
    }

    /** The number of a name id; ids below 0, which are no names, stay as they are. */
    public int number(int id) {
        if (id < 0) {
            return id;
        }
        Integer known = numbers.get(id);
        if (known != null) {
            return known;
        }
        int number = ids.size();
        byte[] text = text(id);
        if (number + 2 > chain.length) {
            chain = Arrays.copyOf(chain, 2 * chain.length + 1);
        }
        chain[number + 1] = NameChain.next(chain[number], text);
        bytes += text.length;
        numbers.put(id, number);
        ids.add(id);
        return number;
    }

    /** Names so far. */
    public int size() {
        return ids.size();
    }

    /** True when a new session should begin: half of what a reader takes is used. */
    public boolean isFull() {
        return ids.size() > NameChain.MOST_NAMES / 2 || bytes > NameChain.MOST_BYTES / 2;
    }

    /** True when there are more than a reader takes: nothing that names the last ones can be sent. */
    boolean isOver() {
        return ids.size() > NameChain.MOST_NAMES || bytes > NameChain.MOST_BYTES;
    }

    /** Behind the last name whose block from a number on has at most so many bytes; one name at least is in it. */
    int fitting(int base, int mostBytes) {
        int end = base;
        long block = NameBlocks.HEAD_BYTES;
        do {
            block += text(ids.get(end)).length + NameBlocks.LENGTH_BYTES;
            end++;
        } while (end < ids.size() && block + text(ids.get(end)).length + NameBlocks.LENGTH_BYTES <= mostBytes);
        return end;
    }

    /** Appends the block of all names from a number on. */
    public void write(int base, WireWriter to) {
        write(base, ids.size(), to);
    }

    /** Appends the block of the names from a number on and below another. */
    void write(int base, int end, WireWriter to) {
        to.writeVarint(base).writeLong(chain[base]).writeVarint(end - base);
        for (int i = base; i < end; i++) {
            to.writeBytes(text(ids.get(i)));
        }
    }

    private byte[] text(int id) {
        String name = table.name(id);
        byte[] utf8 = name.getBytes(UTF_8);
        if (!new String(utf8, UTF_8).equals(name)) {
            utf8 = withoutHalves(name).getBytes(UTF_8);
        }
        if (utf8.length <= NameChain.MOST_NAME_BYTES) {
            return utf8;
        }
        int end = NameChain.MOST_NAME_BYTES - 32;
        while ((utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        byte[] mark = ("...#" + Long.toHexString(NameChain.next(NameChain.EMPTY, utf8))).getBytes(UTF_8);
        byte[] cut = Arrays.copyOf(utf8, end + mark.length);
        System.arraycopy(mark, 0, cut, end, mark.length);
        return cut;
    }

    /** Half a surrogate pair is no UTF-8: it is written as its code, so that different names stay different. */
    private static String withoutHalves(String name) {
        StringBuilder out = new StringBuilder(name.length() + 8);
        name.codePoints().forEach(c -> {
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                out.append("\\u").append(Integer.toHexString(c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }
}
