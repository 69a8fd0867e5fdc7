package dev.argus.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.model.NameTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/**
 * The reader's half of the dictionary of a session: its own name ids by number, filled from the blocks that {@link SessionNames}
 * writes. A block whose base is not known yet, or which says otherwise than the names that are known, changes nothing: there is never a wrong name.
 *
 * <p>Belongs to one thread. Footprint: some {@value #NAME_BYTES} bytes a name beside the table, and a bit for each name of the table.
 */
public final class NameBook {
    /** About what a name takes. */
    public static final int NAME_BYTES = 20;

    private final NameTable table;
    private final BooleanSupplier room;
    private int[] ids = new int[16];
    private long[] chain = {NameChain.EMPTY};
    private final BitSet known = new BitSet();
    private int size;
    private long bytes;

    /** Into a table. */
    public NameBook(NameTable table) {
        this(table, () -> true);
    }

    /**
     * Into a table that may be full.
     *
     * @param room whether the table may get further names
     */
    public NameBook(NameTable table, BooleanSupplier room) {
        this.table = table;
        this.room = room;
    }

    /** Names known. */
    public int size() {
        return size;
    }

    /**
     * The reader's own id of a number; numbers below 0, which are no names, stay as they are.
     *
     * @throws WireException if no name has the number
     */
    public int id(int number) {
        if (number >= size) {
            throw new WireException("name " + number + " of " + size + "; the bytes are damaged");
        }
        return number < 0 ? number : ids[number];
    }

    /**
     * Learns a block.
     *
     * @return false when names below its base are missing: a block from {@link #size} on, or any below, must come first; and when it has new names for which the table has no room
     * @throws WireException if the block is damaged or contradicts the names that are known
     */
    public boolean learn(WireReader from) {
        int base = from.readInt();
        long hash = from.readLong();
        int n = from.readCount(1);
        if (base > size) {
            for (int i = 0; i < n; i++) {
                from.readBytes();
            }
            return false;
        }
        require(chain[base] == hash, "names below " + base + " are others than those known");
        require((long) base + n <= NameChain.MOST_NAMES, base + n + " names, expected at most " + NameChain.MOST_NAMES);
        long run = hash;
        byte[][] fresh = new byte[Math.max(0, base + n - size)][];
        long freshBytes = 0;
        for (int i = base; i < base + n; i++) {
            byte[] name = from.readBytes();
            require(name.length <= NameChain.MOST_NAME_BYTES, "name of " + name.length + " bytes");
            run = NameChain.next(run, name);
            if (i < size) {
                require(chain[i + 1] == run, "name " + i + " is another one than the one known");
            } else {
                fresh[i - size] = name;
                freshBytes += name.length;
            }
        }
        if (fresh.length > 0 && !room.getAsBoolean()) {
            return false;
        }
        require(bytes + freshBytes <= NameChain.MOST_BYTES, "names of " + (bytes + freshBytes) + " bytes");
        add(fresh);
        return true;
    }

    private void add(byte[][] fresh) {
        int[] fromTable = new int[fresh.length];
        for (int i = 0; i < fresh.length; i++) {
            fromTable[i] = table.id(new String(fresh[i], UTF_8));
        }
        BitSet once = new BitSet();
        for (int id : fromTable) {
            require(!known.get(id) && !once.get(id), "one name has two numbers");
            once.set(id);
        }
        known.or(once);
        ids = Arrays.copyOf(ids, Math.max(ids.length, roomFor(size + fresh.length, ids.length)));
        chain = Arrays.copyOf(chain, Math.max(chain.length, roomFor(size + fresh.length + 1, chain.length)));
        for (int i = 0; i < fresh.length; i++) {
            chain[size + 1] = NameChain.next(chain[size], fresh[i]);
            ids[size++] = fromTable[i];
            bytes += fresh[i].length;
        }
    }

    /** Appends what is known: ids of the table, and the hashes that guard them. The table itself is kept elsewhere. */
    public void write(WireWriter to) {
        to.writeVarint(size).writeVarint(bytes);
        for (int i = 0; i < size; i++) {
            to.writeVarint(ids[i]).writeLong(chain[i + 1]);
        }
    }

    /** The same names by ids of another table, which gets those that it lacks. */
    public NameBook moved(NameTable to, BooleanSupplier itsRoom) {
        NameBook book = new NameBook(to, itsRoom);
        book.ids = new int[Math.max(16, size)];
        book.chain = Arrays.copyOf(chain, size + 1);
        for (int i = 0; i < size; i++) {
            book.ids[i] = to.id(table.name(ids[i]));
            book.known.set(book.ids[i]);
        }
        book.size = size;
        book.bytes = bytes;
        return book;
    }

    /**
     * What {@link #write} wrote, over a table with the same ids.
     *
     * @throws WireException if the bytes are something else
     */
    public static NameBook read(WireReader from, NameTable table, BooleanSupplier room) {
        NameBook book = new NameBook(table, room);
        int n = from.readCount(9);
        book.bytes = from.readVarint();
        require(n <= NameChain.MOST_NAMES && book.bytes >= 0, n + " names of " + book.bytes + " bytes");
        book.ids = new int[Math.max(16, n)];
        book.chain = Arrays.copyOf(book.chain, n + 1);
        for (int i = 0; i < n; i++) {
            int id = from.readInt();
            require(id < table.size() && !book.known.get(id), "name " + i + " is no name of the table, or there twice");
            book.known.set(id);
            book.ids[i] = id;
            book.chain[i + 1] = from.readLong();
        }
        book.size = n;
        return book;
    }

    private static int roomFor(int needed, int now) {
        return needed <= now ? now : Math.max(needed, now + now / 2);
    }

    private static void require(boolean holds, String found) {
        if (!holds) {
            throw new WireException("dictionary: " + found + "; the bytes are damaged or of another session");
        }
    }
}
