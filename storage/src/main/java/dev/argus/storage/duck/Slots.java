package dev.argus.storage.duck;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The slots there are. A slot begins where time is a slot's length away from the beginning of the one before, in either direction, or that one is full; so a clock that jumps opens one slot more and does no other harm.
 *
 * <p>What it knows follows the database: after a transaction that failed, {@link #load} again. Not thread-safe: the lock of the store guards it.
 */
final class Slots {
    /**
     * A slot.
     *
     * @param id its number, ascending over all groups
     * @param openedNanos time of its first batch
     */
    record Slot(long id, long openedNanos) {}

    private final long budgetBytes;
    private final Map<SlotGroup, List<Slot>> slots = new EnumMap<>(SlotGroup.class);
    private final Map<SlotGroup, Long> filledBytes = new EnumMap<>(SlotGroup.class);
    private final Map<SlotTable, Long> rows = new EnumMap<>(SlotTable.class);
    private long next;

    Slots(long budgetBytes) {
        this.budgetBytes = budgetBytes;
    }

    /** Takes what the database has. */
    void load(Connection on) throws SQLException {
        next = 1;
        for (SlotGroup group : SlotGroup.values()) {
            List<Slot> found = Sql.list(
                    on,
                    "SELECT id, opened_nanos FROM kept.slots WHERE slot_group = ? ORDER BY id",
                    row -> new Slot(row.getLong(1), row.getLong(2)),
                    group.name());
            slots.put(group, new ArrayList<>(found));
            found.forEach(slot -> next = Math.max(next, slot.id() + 1));
            filledBytes.put(group, 0L);
            for (SlotTable table : group.tables()) {
                long sum = 0;
                long last = 0;
                for (Slot slot : found) {
                    last = Sql.number(on, "SELECT count(*) FROM kept." + table.of(slot.id()));
                    sum += last;
                }
                rows.put(table, sum);
                filledBytes.merge(group, last * table.rowBytes(), Long::sum);
            }
        }
    }

    List<Slot> of(SlotGroup group) {
        return List.copyOf(slots.getOrDefault(group, List.of()));
    }

    /** Rows of a table in all slots. */
    long rows(SlotTable table) {
        return rows.getOrDefault(table, 0L);
    }

    /** The slot for rows of now, opened within the transaction that is under way where it is not there yet. */
    Slot current(SlotGroup group, long atNanos, Connection on) throws SQLException {
        List<Slot> known = slots.computeIfAbsent(group, g -> new ArrayList<>());
        if (!known.isEmpty()) {
            Slot last = known.getLast();
            boolean far = distance(atNanos, last.openedNanos()) >= group.lengthNanos();
            if (!far && filledBytes.getOrDefault(group, 0L) < group.mostBytes(budgetBytes)) {
                return last;
            }
        }
        Slot fresh = new Slot(next++, atNanos);
        Sql.run(on, "INSERT INTO kept.slots VALUES (?, ?, ?)", fresh.id(), group.name(), atNanos);
        for (SlotTable table : group.tables()) {
            Sql.run(
                    on,
                    "CREATE TABLE kept." + table.of(fresh.id()) + " AS SELECT * FROM kept." + table.text()
                            + " LIMIT 0");
        }
        known.add(fresh);
        filledBytes.put(group, 0L);
        views(group, on);
        return fresh;
    }

    private static long distance(long a, long b) {
        long far = a - b;
        return far == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(far);
    }

    /** Rows were written to the current slot. */
    void wrote(SlotTable table, long count, long textBytes) {
        rows.merge(table, count, Long::sum);
        filledBytes.merge(table.group(), count * table.rowBytes() + textBytes, Long::sum);
    }

    /**
     * Drops a slot within the transaction that is under way.
     *
     * @return rows that went
     */
    long drop(SlotGroup group, Slot slot, Connection on) throws SQLException {
        long gone = 0;
        List<Slot> known = slots.computeIfAbsent(group, g -> new ArrayList<>());
        known.remove(slot);
        views(group, on);
        for (SlotTable table : group.tables()) {
            long count = Sql.number(on, "SELECT count(*) FROM kept." + table.of(slot.id()));
            Sql.run(on, "DROP TABLE kept." + table.of(slot.id()));
            rows.merge(table, -count, Long::sum);
            gone += count;
        }
        Sql.run(on, "DELETE FROM kept.slots WHERE id = ?", slot.id());
        return gone;
    }

    /** Makes the views over all slots of a group anew. */
    void views(SlotGroup group, Connection on) throws SQLException {
        for (SlotTable table : group.tables()) {
            StringBuilder view = new StringBuilder("CREATE OR REPLACE VIEW kept.all_")
                    .append(table.text())
                    .append(" AS SELECT * FROM kept.")
                    .append(table.text());
            for (Slot slot : slots.getOrDefault(group, List.of())) {
                view.append(" UNION ALL SELECT * FROM kept.").append(table.of(slot.id()));
            }
            Sql.run(on, view.toString());
        }
    }
}
