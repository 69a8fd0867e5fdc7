package dev.argus.storage.duck;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How many blocks of the file each slot takes; those of slots that do not change any more are looked up once. Guarded by the lock of the store. */
final class Sizes {
    private static final long BLOCK_BYTES = 256 << 10;

    private final Map<Long, Long> known = new HashMap<>();
    private final Map<SlotGroup, Long> sums = new EnumMap<>(SlotGroup.class);

    /**
     * Looks again.
     *
     * @param settled whether all rows are in blocks: the log is empty
     */
    void measure(Connection on, Slots slots, boolean settled) throws SQLException {
        Set<Long> there = new HashSet<>();
        for (SlotGroup group : SlotGroup.values()) {
            List<Slots.Slot> all = slots.of(group);
            long sum = 0;
            for (Slots.Slot slot : all) {
                boolean open = slot.equals(all.getLast());
                Long bytes = open ? null : known.get(slot.id());
                if (bytes == null) {
                    bytes = blocks(on, group, slot) * BLOCK_BYTES;
                }
                if (!open && settled) {
                    known.put(slot.id(), bytes);
                }
                there.add(slot.id());
                sum += bytes;
            }
            sums.put(group, sum);
        }
        known.keySet().retainAll(there);
    }

    private static int blocks(Connection on, SlotGroup group, Slots.Slot slot) throws SQLException {
        Set<Long> blocks = new HashSet<>();
        for (SlotTable table : group.tables()) {
            blocks.addAll(Sql.list(
                    on,
                    "SELECT DISTINCT block_id FROM pragma_storage_info('kept." + table.of(slot.id())
                            + "') WHERE persistent AND block_id >= 0",
                    row -> row.getLong(1)));
        }
        return blocks.size();
    }

    /** Bytes of a group when last measured. */
    long of(SlotGroup group) {
        return sums.getOrDefault(group, 0L);
    }

    /** Bytes of the database that are in use: blocks that are free will be used again before the file grows. */
    static long used(Connection on) throws SQLException {
        return Sql.number(on, "SELECT used_blocks * block_size FROM pragma_database_size() LIMIT 1");
    }
}
