package dev.argus.storage.duck;

import dev.argus.storage.Tier;
import java.io.IOException;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.duckdb.DuckDBConnection;

/** What commits and retention share: the database with its slots, one lock for all that writes, and what to do when a write fails. */
final class StoreCore {
    private static final long LEAST_LOG = 1 << 20;
    private static final long MOST_LOG = 16 << 20;
    private static final int PATIENCE = 4;

    /** Blocks take at most this part of the log; a quarter with usual rows. Where they take more and the disk is full, nothing is lost but the time to open the database again. */
    private static final int LEAST_PACKING = 3;

    private final StoreFolder folder;
    private final Database database;
    private final Slots slots;
    private final Questions questions;
    private final Sizes sizes = new Sizes();
    private final Reserve reserve;
    private final long logBytes;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Map<Tier, Long> removed = new EnumMap<>(Tier.class);
    private long failedWith;
    private volatile String problem = "";

    StoreCore(StoreFolder folder, Database database, long budgetBytes) {
        this.folder = folder;
        this.database = database;
        this.slots = new Slots(budgetBytes);
        this.questions = new Questions(database);
        this.logBytes = Math.clamp(budgetBytes / 64, LEAST_LOG, MOST_LOG);
        this.reserve = new Reserve(folder.reserve(), 2 * logBytes);
    }

    /** Brings the layout up to date and takes what is there. */
    void begin(List<Schema.Migration> migrations) throws IOException {
        try {
            Schema.migrate(database.writer(), migrations);
            load();
            for (SlotGroup group : SlotGroup.values()) {
                slots.views(group, database.writer());
            }
            UserViews.make(database.writer());
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot prepare " + folder.database(), failed);
        }
        reserve.take();
    }

    void load() throws SQLException {
        slots.load(database.writer());
        for (Tier tier : Tier.values()) {
            removed.put(
                    tier,
                    Sql.number(
                            database.writer(),
                            "SELECT sum(lost)::BIGINT FROM kept.removed WHERE tier = ?",
                            tier.text()));
        }
    }

    StoreFolder folder() {
        return folder;
    }

    Database database() {
        return database;
    }

    Slots slots() {
        return slots;
    }

    Questions questions() {
        return questions;
    }

    Sizes sizes() {
        return sizes;
    }

    Reserve reserve() {
        return reserve;
    }

    /** Held by whoever writes, and to look at slots and sizes. */
    ReentrantLock lock() {
        return lock;
    }

    /** What is wrong now, empty when nothing. */
    String problem() {
        return problem;
    }

    void problem(String text) {
        problem = text;
    }

    /** Rows and objects removed, by tier, since the store was made. */
    Map<Tier, Long> removed() {
        return new EnumMap<>(removed);
    }

    /** What is done in a transaction. */
    @FunctionalInterface
    interface Work {
        void on(DuckDBConnection connection) throws SQLException;
    }

    /**
     * Does something as a whole or not at all.
     *
     * @throws IOException what failed, told as what; the store is usable again, as it was before
     */
    void transact(String what, Work work) throws IOException {
        lock.lock();
        try {
            Sql.run(database.writer(), "BEGIN TRANSACTION");
            work.on(database.writer());
            Sql.run(database.writer(), "COMMIT");
        } catch (SQLException | RuntimeException failed) {
            recover(failed);
            throw StoreErrors.of(what, failed);
        } finally {
            lock.unlock();
        }
    }

    /** The store as it was before what failed. Where even ending the transaction fails, for want of memory, the database is opened anew: its log has what was committed. */
    private void recover(Exception failed) throws IOException {
        Database.rollBack(database.writer());
        try {
            if (StoreErrors.isFatal(failed)) {
                anew();
            }
            load();
        } catch (SQLException stillThere) {
            anew();
            try {
                load();
            } catch (SQLException again) {
                again.addSuppressed(failed);
                throw StoreErrors.of("cannot read back " + folder.database(), again);
            }
        }
    }

    private void anew() throws IOException {
        questions.stop("the database was opened anew; ask again");
        database.reopen();
    }

    /** Counts what was removed, within the transaction that removes it. */
    void count(Tier tier, long lost, DuckDBConnection on) throws SQLException {
        if (lost > 0) {
            Sql.run(on, "DELETE FROM kept.removed WHERE tier = ?", tier.text());
            Sql.run(on, "INSERT INTO kept.removed VALUES (?, ?)", tier.text(), removed.merge(tier, lost, Long::sum));
        }
    }

    /** Drops a slot for good. */
    void drop(SlotGroup group, Slots.Slot slot) throws IOException {
        transact("cannot remove old rows", on -> count(group.tier(), slots.drop(group, slot, on), on));
    }

    /** Moves what the log has into blocks when it has become long. */
    void checkpointWhenLong() throws IOException {
        if (StoreFolder.length(folder.log()) >= logBytes) {
            checkpoint();
        }
    }

    private long room() {
        return folder.folder().toFile().getUsableSpace();
    }

    /**
     * Moves what the log has into blocks. Where that cannot be now, because the disk is full or questions are under way, the log stays, and with it all that was committed.
     *
     * @return whether it was done
     */
    boolean checkpoint() throws IOException {
        lock.lock();
        try {
            long length = StoreFolder.length(folder.log());
            if (length == 0) {
                return true;
            }
            if (room() < length + LEAST_LOG) {
                reserve.release();
            }
            long room = room();
            if (room < length / LEAST_PACKING + LEAST_LOG || room < failedWith + LEAST_LOG) {
                problem("the disk has room for " + room + " bytes only; the log of the database cannot be emptied");
                return false;
            }
            if (length > PATIENCE * logBytes) {
                questions.stop("the store had to be tidied up; ask again");
            }
            failedWith = room;
            Sql.run(database.writer(), "CHECKPOINT");
            failedWith = 0;
            return true;
        } catch (SQLException failed) {
            if (StoreErrors.isBusy(failed)) {
                failedWith = 0;
                return false;
            }
            recover(failed);
            problem("cannot empty the log of the database: " + StoreErrors.words(failed));
            return false;
        } finally {
            lock.unlock();
        }
    }
}
