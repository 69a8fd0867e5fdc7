package dev.argus.storage.duck;

import dev.argus.storage.ObjectStore;
import dev.argus.storage.Rows;
import dev.argus.storage.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Keeps each {@link Tier} within its age and its share of the budget. One run at a time, on the thread of whoever calls. */
final class Retention {
    private static final int PAGE = 100;
    private static final int MOST_ATTEMPTS = 10_000;
    private static final int MOST_RANKS = 1_000_000;
    private static final int MOST_IN_NEED = 20;

    /** Rank-steps that cannot be archived may be so many times their share, then they go without. */
    private static final double LENIENCY = 1.5;

    private final StoreCore core;
    private final ObjectStore objects;
    private final Archive archive;
    private final long budgetBytes;

    Retention(StoreCore core, ObjectStore objects, long budgetBytes) {
        this.core = core;
        this.objects = objects;
        this.archive = new Archive(core, objects);
        this.budgetBytes = budgetBytes;
    }

    /**
     * Does all that is due.
     *
     * @param nowNanos time that may be believed
     */
    void run(long nowNanos) throws IOException {
        core.problem("");
        measure();
        List<IOException> failures = new ArrayList<>();
        attempt(failures, () -> rankSteps(nowNanos));
        attempt(failures, () -> slots(SlotGroup.STEPS, nowNanos));
        attempt(failures, () -> slots(SlotGroup.INCIDENTS, nowNanos));
        attempt(failures, () -> objects(Tier.PARQUET, nowNanos));
        attempt(failures, () -> objects(Tier.OBJECTS, nowNanos));
        attempt(failures, () -> attempts(nowNanos));
        measure();
        core.reserve().take();
        if (!failures.isEmpty()) {
            core.problem(String.valueOf(failures.getFirst().getMessage()));
        }
    }

    /** One part of the work. */
    @FunctionalInterface
    private interface Part {
        void run() throws IOException, SQLException;
    }

    /** What fails in one tier does not keep the others from being tidied up. */
    private static void attempt(List<IOException> failures, Part part) {
        try {
            part.run();
        } catch (IOException failed) {
            failures.add(failed);
        } catch (SQLException failed) {
            failures.add(StoreErrors.of("retention failed", failed));
        }
    }

    private void measure() throws IOException {
        boolean settled = core.checkpoint();
        core.lock().lock();
        try {
            core.sizes().measure(core.database().writer(), core.slots(), settled);
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot measure the store", failed);
        } finally {
            core.lock().unlock();
        }
    }

    /** Slots that do not change any more, oldest first. */
    private List<Slots.Slot> closed(SlotGroup group) {
        core.lock().lock();
        try {
            List<Slots.Slot> all = core.slots().of(group);
            return all.isEmpty() ? all : all.subList(0, all.size() - 1);
        } finally {
            core.lock().unlock();
        }
    }

    /** Bytes of a group, as last measured. */
    private long bytes(SlotGroup group) {
        core.lock().lock();
        try {
            return core.sizes().of(group);
        } finally {
            core.lock().unlock();
        }
    }

    private boolean isOver(SlotGroup group) {
        return bytes(group) > group.tier().bytesOf(budgetBytes);
    }

    private static boolean isOld(SlotGroup group, Slots.Slot slot, long nowNanos) {
        return slot.openedNanos() + group.lengthNanos()
                < nowNanos - group.tier().age().toNanos();
    }

    private void rankSteps(long nowNanos) throws IOException {
        SlotGroup group = SlotGroup.RANK_STEPS;
        for (Slots.Slot slot : closed(group)) {
            if (!isOld(group, slot, nowNanos) && !isOver(group)) {
                return;
            }
            try {
                archive.move(slot, nowNanos);
            } catch (IOException failed) {
                if (bytes(group) <= LENIENCY * group.tier().bytesOf(budgetBytes)) {
                    throw failed;
                }
                core.drop(group, slot);
            }
            measure();
        }
    }

    private void slots(SlotGroup group, long nowNanos) throws IOException {
        for (Slots.Slot slot : closed(group)) {
            if (!isOld(group, slot, nowNanos) && !isOver(group)) {
                return;
            }
            core.drop(group, slot);
            measure();
        }
    }

    private static String ofTier(Tier tier) {
        return tier == Tier.PARQUET ? "kind = 'parquet'" : "kind <> 'parquet'";
    }

    /** Bytes of the objects of a tier. */
    long objectBytes(Tier tier) throws SQLException {
        return core.database()
                .read(on -> Sql.number(on, "SELECT sum(bytes)::BIGINT FROM kept.objects WHERE " + ofTier(tier)));
    }

    private List<Rows.StoredObject> going(Tier tier, long beforeNanos) throws SQLException {
        return listed(
                ofTier(tier) + " AND created_nanos < " + beforeNanos + " ORDER BY created_nanos, object_key", PAGE);
    }

    /** Those first before whose time their jobs had most. */
    private List<Rows.StoredObject> most(Tier tier) throws SQLException {
        return listed(
                ofTier(tier)
                        + " ORDER BY sum(bytes) OVER (PARTITION BY job ORDER BY created_nanos DESC, object_key DESC)"
                        + " DESC, created_nanos, object_key",
                PAGE);
    }

    private List<Rows.StoredObject> listed(String which, int most) throws SQLException {
        return core.database()
                .read(on -> Sql.list(
                        on, "SELECT * FROM kept.objects WHERE " + which + " LIMIT " + most, RowReader::object));
    }

    /** Removes what is too old; where there is still too much, the oldest of those jobs that have most, down to where all have the same. */
    private void objects(Tier tier, long nowNanos) throws IOException, SQLException {
        long before = nowNanos - tier.age().toNanos();
        while (true) {
            long over = objectBytes(tier) - tier.bytesOf(budgetBytes);
            List<Rows.StoredObject> going = new ArrayList<>(going(tier, before));
            if (going.isEmpty() && over > 0) {
                for (Rows.StoredObject object : most(tier)) {
                    if (over > 0) {
                        over -= object.bytes();
                        going.add(object);
                    }
                }
            }
            if (going.isEmpty()) {
                return;
            }
            remove(tier, going);
        }
    }

    private void remove(Tier tier, List<Rows.StoredObject> going) throws IOException {
        for (Rows.StoredObject object : going) {
            objects.delete(object.key());
        }
        core.transact("cannot remove old objects", on -> {
            for (Rows.StoredObject object : going) {
                Sql.run(on, "DELETE FROM kept.objects WHERE object_key = ?", object.key());
            }
            core.count(tier, going.size(), on);
        });
    }

    private void attempts(long nowNanos) throws IOException {
        long before = nowNanos - Tier.INCIDENTS.age().toNanos();
        String old = "last_nanos < " + before + " OR (job, attempt) NOT IN (SELECT (job, attempt) FROM kept.jobs"
                + " ORDER BY last_nanos DESC, job, attempt LIMIT " + MOST_ATTEMPTS + ")";
        String many = "(job, attempt) NOT IN (SELECT (job, attempt) FROM (SELECT job, attempt, sum(n) OVER (ORDER BY"
                + " newest DESC, job, attempt) AS running FROM (SELECT job, attempt, count(*) AS n,"
                + " any_value(last_nanos) AS newest FROM kept.ranks JOIN kept.jobs USING (job, attempt) GROUP BY ALL))"
                + " WHERE running <= " + MOST_RANKS + ")";
        core.transact("cannot remove old attempts", on -> {
            long jobs = Sql.number(on, "SELECT count(*) FROM kept.jobs WHERE " + old);
            if (jobs > 0) {
                Sql.run(on, "DELETE FROM kept.jobs WHERE " + old);
            }
            long ranks = Sql.number(on, "SELECT count(*) FROM kept.ranks");
            if (jobs > 0 || ranks > MOST_RANKS) {
                Sql.run(on, "DELETE FROM kept.ranks WHERE " + many);
                ranks -= Sql.number(on, "SELECT count(*) FROM kept.ranks");
                core.count(Tier.INCIDENTS, jobs + ranks, on);
            }
        });
    }

    /**
     * Makes room on a disk that is full, oldest raw first: archived steps of ranks where they lie on it, then those in the database.
     *
     * @param bytes how much is needed
     */
    void relieve(long bytes) throws IOException {
        core.reserve().release();
        Path folder = core.folder().folder();
        try {
            for (int i = 0; i < MOST_IN_NEED && folder.toFile().getUsableSpace() < bytes; i++) {
                List<Rows.StoredObject> oldest =
                        listed(ofTier(Tier.PARQUET) + " ORDER BY created_nanos, object_key", 1);
                if (oldest.isEmpty()) {
                    break;
                }
                remove(Tier.PARQUET, oldest);
            }
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot make room", failed);
        }
        if (folder.toFile().getUsableSpace() < bytes) {
            List<Slots.Slot> raw = closed(SlotGroup.RANK_STEPS);
            if (!raw.isEmpty()) {
                core.drop(SlotGroup.RANK_STEPS, raw.getFirst());
            }
        }
        core.checkpoint();
    }
}
