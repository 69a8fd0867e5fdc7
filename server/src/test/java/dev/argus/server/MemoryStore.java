package dev.argus.server;

import dev.argus.storage.QueryException;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.QueryResult;
import dev.argus.storage.RankMap;
import dev.argus.storage.RankValue;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.StoreStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rows in lists. */
public final class MemoryStore implements Store {
    public final List<Rows.Job> jobs = new ArrayList<>();
    public final List<Rows.Rank> ranks = new ArrayList<>();
    public final List<Rows.Step> steps = new ArrayList<>();
    public final List<Rows.Phase> phases = new ArrayList<>();
    public final List<Rows.RankStep> rankSteps = new ArrayList<>();
    public final List<Rows.Kernel> kernels = new ArrayList<>();
    public final List<Rows.Incident> incidents = new ArrayList<>();
    public final List<Rows.StoredObject> objects = new ArrayList<>();
    public final List<Rows.Picture> pictures = new ArrayList<>();
    public volatile @Nullable IOException failing;

    private void check() throws IOException {
        IOException failure = failing;
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public long committed() {
        return 0;
    }

    @Override
    public Map<String, byte[]> state() {
        return Map.of();
    }

    @Override
    public void commit(StoreBatch batch) {}

    @Override
    public void maintain(long nowNanos) {}

    @Override
    public StoreStatus status() {
        return new StoreStatus(0, Map.of(), 0, Map.of(), Map.of(), "");
    }

    @Override
    public QueryResult query(String sql, QueryLimits limits) throws QueryException {
        if (!sql.startsWith("SELECT")) {
            throw new QueryException("found no SELECT");
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        rows.add(Arrays.asList(null, true, 9_007_199_254_740_993L, Double.NaN, "<script>\u202e\n"));
        return new QueryResult(
                List.of("a", "b", "c", "d", "e"),
                List.of("NULL", "BOOLEAN", "BIGINT", "DOUBLE", "VARCHAR"),
                rows.subList(0, Math.min(limits.rows(), rows.size())),
                false);
    }

    @Override
    public List<Rows.Job> jobs(int most) throws IOException {
        check();
        return jobs.stream().limit(most).toList();
    }

    @Override
    public List<Rows.Rank> ranks(String job, int attempt) {
        return ranks.stream()
                .filter(r -> r.job().equals(job) && r.attempt() == attempt)
                .toList();
    }

    @Override
    public List<Rows.Step> steps(String job, int attempt, long from, long to, int most) {
        return steps.stream()
                .filter(r -> r.job().equals(job) && r.attempt() == attempt && r.step() >= from && r.step() <= to)
                .limit(most)
                .toList();
    }

    @Override
    public List<Rows.Phase> phases(String job, int attempt, long from, long to, int most) {
        return phases.stream()
                .filter(r -> r.job().equals(job) && r.step() >= from && r.step() <= to)
                .limit(most)
                .toList();
    }

    @Override
    public List<Rows.RankStep> rankSteps(String job, int attempt, int rank, long from, long to, int most) {
        return rankSteps.stream()
                .filter(r -> r.job().equals(job) && r.rank() == rank)
                .limit(most)
                .toList();
    }

    @Override
    public RankMap rankMap(String job, int attempt, RankValue value, long from, long to, int most, int mostCells) {
        Map<Integer, Rows.RankStep> newest = new TreeMap<>();
        rankSteps.stream().filter(r -> r.job().equals(job)).forEach(r -> newest.put(r.rank(), r));
        return newest.isEmpty()
                ? RankMap.EMPTY
                : new RankMap(
                        newest.keySet().stream().mapToInt(Integer::intValue).toArray(),
                        new long[] {newest.values().iterator().next().step()},
                        newest.values().stream()
                                .mapToLong(Rows.RankStep::durationNanos)
                                .toArray());
    }

    @Override
    public List<Rows.Kernel> kernels(String job, int attempt, long from, long to, int most) {
        return kernels.stream().filter(r -> r.job().equals(job)).limit(most).toList();
    }

    @Override
    public List<Rows.Incident> incidents(@Nullable String job, @Nullable String state, int most) {
        Map<String, Rows.Incident> newest = new LinkedHashMap<>();
        incidents.forEach(r -> newest.put(r.id(), r));
        return newest.values().stream()
                .filter(r -> (job == null || r.job().equals(job))
                        && (state == null || r.state().equals(state)))
                .limit(most)
                .toList();
    }

    @Override
    public List<Rows.Incident> changes(String id) {
        return incidents.stream().filter(r -> r.id().equals(id)).toList();
    }

    @Override
    public Optional<Rows.Picture> picture(String incident, String kind) {
        return pictures.stream()
                .filter(p -> p.incident().equals(incident) && p.kind().equals(kind))
                .reduce((a, b) -> b);
    }

    @Override
    public List<Rows.StoredObject> objects(@Nullable String job, @Nullable String incident, int most) {
        return objects.stream()
                .filter(r -> (job == null || r.job().equals(job))
                        && (incident == null || r.incident().equals(incident)))
                .limit(most)
                .toList();
    }

    @Override
    public void close() {}
}
