package dev.argus.storage.duck;

import dev.argus.storage.DataFolder;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.QueryException;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.QueryResult;
import dev.argus.storage.RankMap;
import dev.argus.storage.RankValue;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.StoreFullException;
import dev.argus.storage.StoreStatus;
import dev.argus.storage.Tier;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Rows in one DuckDB file in a folder of mode 0700, state in a file beside it. A batch is one transaction, forced to the disk before {@link #commit} returns; how, and what is guaranteed under which assumptions, is in
 * {@code docs/design/0013-storage.md}.
 *
 * <p>Memory: DuckDB takes at most 512 MiB, whatever is stored or asked. Time: a commit of 13,000 rank-steps takes about 20 ms; while the log is emptied into blocks, every 16 MiB, some 100 ms more.
 *
 * <p>Thread-safe. Commits and what maintenance changes are one at a time; writing Parquet and talking to the object store hold up no commit.
 */
public final class DuckStore implements Store {
    /** A smaller budget would be headroom only. */
    public static final long LEAST_BUDGET_BYTES = 64L << 20;

    private static final long ROW_BYTES = 120;
    private static final long TEXT_ROW_BYTES = 4_000;
    private static final long SLACK_BYTES = 1 << 20;

    private final StoreCore core;
    private final StateFiles states;
    private final @Nullable Retention retention;
    private final long budgetBytes;
    private final ReentrantLock maintaining = new ReentrantLock();
    private final SteadyTime time;
    private volatile long committed;

    private DuckStore(StoreCore core, @Nullable Retention retention, long budgetBytes) throws IOException {
        this.core = core;
        this.states = new StateFiles(core.folder().folder());
        this.retention = retention;
        this.budgetBytes = budgetBytes;
        try {
            this.committed = core.database().read(on -> Sql.number(on, "SELECT max(number) FROM kept.batch"));
            this.time =
                    new SteadyTime(core.database().read(on -> Sql.number(on, "SELECT max(at_nanos) FROM kept.batch")));
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot read " + core.folder().database(), failed);
        }
    }

    /**
     * Opens the store of a data folder, and makes it where there is none. What a death left is as the last commit left it.
     *
     * @param budgetBytes bytes that rows, state and objects may take together; at least {@link #LEAST_BUDGET_BYTES}
     * @param objects where Parquet files go, and from where old objects are removed; not closed with the store
     * @throws IOException if another process uses it, it is newer than this program, or damaged
     */
    public static DuckStore open(DataFolder data, long budgetBytes, ObjectStore objects) throws IOException {
        return open(data, budgetBytes, objects, Schema.MIGRATIONS);
    }

    static DuckStore open(DataFolder data, long budgetBytes, ObjectStore objects, List<Schema.Migration> migrations)
            throws IOException {
        if (budgetBytes < LEAST_BUDGET_BYTES) {
            throw new IllegalArgumentException(
                    "disk budget of " + budgetBytes + " bytes: expected at least " + LEAST_BUDGET_BYTES);
        }
        StoreFolder folder = StoreFolder.own(data.store());
        @Nullable Database database = null;
        try {
            database = Database.open(folder);
            folder.opened();
            StoreCore core = new StoreCore(folder, database, budgetBytes);
            core.begin(migrations);
            DuckStore store = new DuckStore(core, new Retention(core, objects, budgetBytes), budgetBytes);
            store.states.mustFollow(store.committed);
            store.states.keepOnly(store.committed);
            return store;
        } catch (IOException | RuntimeException failed) {
            if (database != null) {
                database.close();
            }
            folder.close();
            throw failed;
        }
    }

    /**
     * Opens the store of a data folder that no server uses, to read only. {@link #commit} and {@link #maintain} fail.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     * @throws IOException if a server uses it, or it was written by an older or newer program
     */
    public static DuckStore openReadOnly(DataFolder data) throws IOException {
        StoreFolder folder = StoreFolder.shared(data.store());
        @Nullable Database database = null;
        try {
            database = Database.openReadOnly(folder);
            long version = database.read(Schema::version);
            Schema.check(version, Schema.MIGRATIONS);
            if (version < Schema.MIGRATIONS.size()) {
                throw new IOException("the store has layout " + version + ", expected " + Schema.MIGRATIONS.size()
                        + "; start the server once, which brings it up to date");
            }
            return new DuckStore(new StoreCore(folder, database, LEAST_BUDGET_BYTES), null, 0);
        } catch (SQLException failed) {
            database.close();
            folder.close();
            throw StoreErrors.of("cannot read " + folder.database(), failed);
        } catch (IOException | RuntimeException failed) {
            if (database != null) {
                database.close();
            }
            folder.close();
            throw failed;
        }
    }

    @Override
    public long committed() {
        return committed;
    }

    @Override
    public Map<String, byte[]> state() throws IOException {
        core.lock().lock();
        try {
            return committed == 0 ? Map.of() : states.read(committed);
        } finally {
            core.lock().unlock();
        }
    }

    @Override
    public void commit(StoreBatch batch) throws IOException {
        Retention tidying = writable();
        core.lock().lock();
        try {
            if (batch.number() <= committed) {
                throw new IllegalArgumentException(
                        "batch " + batch.number() + ": expected one above " + committed + ", the last one committed");
            }
            try {
                write(batch);
            } catch (StoreFullException full) {
                core.problem(String.valueOf(full.getMessage()));
                tidying.relieve(2 * room(batch));
                write(batch);
            }
            committed = batch.number();
            time.at(batch.atNanos());
            tidy();
        } finally {
            core.lock().unlock();
        }
    }

    /** What is left to do behind a commit. The batch is kept, so nothing that fails here may say that it is not: whoever kept it again would have its rows twice. */
    private void tidy() {
        try {
            states.keepOnly(committed);
            core.checkpointWhenLong();
        } catch (IOException | RuntimeException failed) {
            core.problem("cannot tidy up behind batch " + committed + ": " + StoreErrors.words(failed));
        }
    }

    private void write(StoreBatch batch) throws IOException {
        core.folder().mustBeOpened();
        long room = core.folder().folder().toFile().getUsableSpace();
        long needed = room(batch);
        if (room < needed) {
            throw new StoreFullException(
                    "cannot keep batch " + batch.number() + ": the disk of "
                            + core.folder().folder() + " has room for " + room + " bytes, expected " + needed
                            + "; make room, or give another folder",
                    new IOException("no space left"));
        }
        try {
            states.write(batch.number(), batch.state());
        } catch (IOException failed) {
            throw StoreErrors.of("cannot keep the state of batch " + batch.number(), failed);
        }
        try {
            rows(batch);
        } catch (IOException failed) {
            if (StoreErrors.isFull(failed)) {
                throw failed;
            }
            // Mostly a question has taken the memory, which an appender's error does not tell. The batch is there as a
            // whole or not at all, so it may be tried again whatever it was.
            core.questions().stop("the store needed the memory; ask for less");
            rows(batch);
        }
        core.folder().mustHaveLog();
    }

    private void rows(StoreBatch batch) throws IOException {
        try {
            core.transact(
                    "cannot keep batch " + batch.number(), on -> new BatchWriter(on, core.slots(), batch).write());
        } catch (IOException failed) {
            // It may be there all the same: what failed came after.
            try {
                if (Sql.number(core.database().writer(), "SELECT max(number) FROM kept.batch") == batch.number()) {
                    return;
                }
            } catch (SQLException unknown) {
                failed.addSuppressed(unknown);
            }
            throw failed;
        }
    }

    /** Bytes that a batch takes at most, about, in the log and beside it. */
    private static long room(StoreBatch batch) {
        long plain = (long) batch.rankSteps().size()
                + batch.steps().size()
                + batch.phases().size();
        long texts = (long) batch.kernels().size()
                + batch.ranks().size()
                + batch.jobs().size()
                + batch.losses().size()
                + batch.objects().size();
        long documents = batch.incidents().stream()
                .mapToLong(i -> TEXT_ROW_BYTES + 3L * i.document().length())
                .sum();
        return plain * ROW_BYTES + texts * 2 * ROW_BYTES + documents + StateFiles.bytes(batch.state()) + SLACK_BYTES;
    }

    @Override
    public void maintain(long nowNanos) throws IOException {
        Retention tidying = writable();
        maintaining.lock();
        try {
            tidying.run(time.at(nowNanos));
        } finally {
            maintaining.unlock();
        }
    }

    private Retention writable() throws IOException {
        if (retention == null) {
            throw new IOException("the store was opened to read only");
        }
        return retention;
    }

    @Override
    public StoreStatus status() {
        Map<String, Long> bytes = new LinkedHashMap<>();
        Map<String, Long> rows = new LinkedHashMap<>();
        Map<String, Long> removed = new LinkedHashMap<>();
        core.lock().lock();
        try {
            for (SlotGroup group : SlotGroup.values()) {
                bytes.put(group.tier().text(), core.sizes().of(group));
            }
            for (SlotTable table : SlotTable.values()) {
                rows.put(table.text(), core.slots().rows(table));
            }
            core.removed().forEach((tier, count) -> removed.put(tier.text(), count));
            bytes.put("database", StoreFolder.length(core.folder().database()));
            bytes.put("log", StoreFolder.length(core.folder().log()));
            bytes.put("state", states.bytes());
            bytes.put("reserve", StoreFolder.length(core.folder().reserve()));
            if (retention != null) {
                bytes.put(Tier.PARQUET.text(), retention.objectBytes(Tier.PARQUET));
                bytes.put(Tier.OBJECTS.text(), retention.objectBytes(Tier.OBJECTS));
            }
        } catch (IOException | SQLException failed) {
            core.problem(StoreErrors.words(failed));
        } finally {
            core.lock().unlock();
        }
        return new StoreStatus(committed, bytes, budgetBytes, rows, removed, core.problem());
    }

    @Override
    public QueryResult query(String sql, QueryLimits limits) throws QueryException {
        return core.questions().ask(sql, limits);
    }

    /** What is read of rows. */
    @FunctionalInterface
    private interface Reading<T> {
        T of(RowReader reader) throws SQLException;
    }

    private <T> T read(Reading<T> reading) throws IOException {
        try {
            return core.database().read(on -> reading.of(new RowReader(on)));
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot read " + core.folder().database(), failed);
        }
    }

    @Override
    public List<Rows.Job> jobs(int most) throws IOException {
        return read(r -> r.jobs(most));
    }

    @Override
    public List<Rows.Rank> ranks(String job, int attempt) throws IOException {
        return read(r -> r.ranks(job, attempt));
    }

    @Override
    public List<Rows.Step> steps(String job, int attempt, long from, long to, int most) throws IOException {
        return read(r -> r.steps(job, attempt, from, to, most));
    }

    @Override
    public List<Rows.Phase> phases(String job, int attempt, long from, long to, int most) throws IOException {
        return read(r -> r.phases(job, attempt, from, to, most));
    }

    @Override
    public List<Rows.RankStep> rankSteps(String job, int attempt, int rank, long from, long to, int most)
            throws IOException {
        return read(r -> r.rankSteps(job, attempt, rank, from, to, most));
    }

    @Override
    public RankMap rankMap(String job, int attempt, RankValue value, long from, long to, int most, int mostCells)
            throws IOException {
        return read(r -> r.rankMap(job, attempt, value, from, to, most, mostCells));
    }

    @Override
    public List<Rows.Kernel> kernels(String job, int attempt, long from, long to, int most) throws IOException {
        return read(r -> r.kernels(job, attempt, from, to, most));
    }

    @Override
    public List<Rows.Incident> incidents(@Nullable String job, @Nullable String state, int most) throws IOException {
        return read(r -> r.incidents(job, state, most));
    }

    @Override
    public List<Rows.Incident> changes(String id) throws IOException {
        return read(r -> r.changes(id));
    }

    @Override
    public Optional<Rows.Picture> picture(String incident, String kind) throws IOException {
        return read(r -> r.picture(incident, kind));
    }

    @Override
    public List<Rows.StoredObject> objects(@Nullable String job, @Nullable String incident, int most)
            throws IOException {
        return read(r -> r.objects(job, incident, most));
    }

    @Override
    public void close() throws IOException {
        core.questions().stop("the store is being closed");
        core.lock().lock();
        try {
            core.database().close();
            core.folder().close();
        } finally {
            core.lock().unlock();
        }
    }
}
