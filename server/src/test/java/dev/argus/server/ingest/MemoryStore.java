package dev.argus.server.ingest;

import dev.argus.storage.QueryLimits;
import dev.argus.storage.QueryResult;
import dev.argus.storage.RankMap;
import dev.argus.storage.RankValue;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.StoreFullException;
import dev.argus.storage.StoreStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.NullUnmarked;

/** Keeps batches in memory, as a disk would: they survive the server that wrote them. */
@NullUnmarked // what is null there fails where it is used
public final class MemoryStore implements Store {
    public final List<StoreBatch> batches = new ArrayList<>();
    public volatile boolean full;

    /** No commit ends before: a disk that takes its time. */
    volatile CountDownLatch slow = new CountDownLatch(0);

    /** True once a commit has begun. */
    volatile boolean waits;

    @Override
    public synchronized long committed() {
        return batches.isEmpty() ? 0 : batches.getLast().number();
    }

    @Override
    public synchronized Map<String, byte[]> state() {
        return batches.isEmpty() ? Map.of() : batches.getLast().state();
    }

    @Override
    public void commit(StoreBatch batch) throws IOException {
        waits = true;
        try {
            slow.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopped);
        }
        keep(batch);
    }

    private synchronized void keep(StoreBatch batch) throws IOException {
        if (full) {
            throw new StoreFullException("no room", new IOException("full"));
        }
        if (batch.number() <= committed()) {
            throw new IOException("batch " + batch.number() + " after " + committed());
        }
        batches.add(batch);
    }

    synchronized List<Rows.RankStep> rankSteps() {
        return batches.stream().flatMap(b -> b.rankSteps().stream()).toList();
    }

    /** Rows of incidents of all batches. */
    public synchronized List<Rows.Incident> incidents() {
        return batches.stream().flatMap(b -> b.incidents().stream()).toList();
    }

    synchronized List<Rows.Picture> pictures() {
        return batches.stream().flatMap(b -> b.pictures().stream()).toList();
    }

    synchronized List<Rows.Loss> losses() {
        return batches.stream().flatMap(b -> b.losses().stream()).toList();
    }

    @Override
    public void maintain(long nowNanos) {}

    @Override
    public StoreStatus status() {
        return new StoreStatus(committed(), Map.of(), 0, Map.of(), Map.of(), "");
    }

    @Override
    public QueryResult query(String sql, QueryLimits limits) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Rows.Job> jobs(int most) {
        return List.of();
    }

    @Override
    public List<Rows.Rank> ranks(String job, int attempt) {
        return List.of();
    }

    @Override
    public List<Rows.Step> steps(String job, int attempt, long from, long to, int most) {
        return List.of();
    }

    @Override
    public List<Rows.Phase> phases(String job, int attempt, long from, long to, int most) {
        return List.of();
    }

    @Override
    public List<Rows.RankStep> rankSteps(String job, int attempt, int rank, long from, long to, int most) {
        return List.of();
    }

    @Override
    public RankMap rankMap(String job, int attempt, RankValue value, long from, long to, int most, int mostCells) {
        return RankMap.EMPTY;
    }

    @Override
    public List<Rows.Kernel> kernels(String job, int attempt, long from, long to, int most) {
        return List.of();
    }

    @Override
    public List<Rows.Incident> incidents(String job, String state, int most) {
        Map<String, Rows.Incident> newest = new LinkedHashMap<>();
        incidents().forEach(row -> newest.put(row.job() + "/" + row.id(), row));
        return newest.values().stream()
                .filter(row -> job == null || row.job().equals(job))
                .filter(row -> state == null || row.state().equals(state))
                .limit(most)
                .toList();
    }

    @Override
    public List<Rows.Incident> changes(String id) {
        return incidents().stream().filter(row -> row.id().equals(id)).toList();
    }

    @Override
    public Optional<Rows.Picture> picture(String incident, String kind) {
        return Optional.empty();
    }

    @Override
    public List<Rows.StoredObject> objects(String job, String incident, int most) {
        return List.of();
    }

    @Override
    public void close() {}
}
