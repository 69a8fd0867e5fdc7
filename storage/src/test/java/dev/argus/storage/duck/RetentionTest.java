package dev.argus.storage.duck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.storage.DataFolder;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.Rows;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.Tier;
import dev.argus.storage.object.FolderObjects;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tiers keep to their ages and shares, and the file stays flat. */
class RetentionTest {
    private static final long BUDGET = DuckStore.LEAST_BUDGET_BYTES;
    private static final long DAY = 24 * Batches.HOUR;

    @TempDir
    Path folder;

    private final DataFolder data() {
        return new DataFolder(folder);
    }

    private DuckStore open(long budget) throws IOException {
        return DuckStore.open(data(), budget, new FolderObjects(data().objects()));
    }

    private long onDisk() throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(f -> f.toFile().length())
                    .sum();
        }
    }

    @Test
    void stepsOfRanksBecomeParquetAndThenGo() throws Exception {
        try (DuckStore store = open(1L << 30)) {
            long now = Batches.EPOCH;
            for (long n = 1; n <= 10; n++, now += Batches.HOUR) {
                StoreBatch one = Batches.step(n, now, n % 2 == 0 ? "a" : "b/../c", 100);
                store.commit(one);
            }
            store.maintain(now);
            List<Rows.StoredObject> objects = store.objects(null, null, 100);
            assertThat(objects).hasSize(3).allMatch(o -> o.kind().equals("parquet"));
            assertThat(objects.stream().map(Rows.StoredObject::key))
                    .allMatch(k ->
                            k.matches("parquet/(a|b=2F\\.\\.=2Fc)/rank_steps-[0-9]{8}T[0-9]{6}Z-[0-9]+\\.parquet"));
            assertThat(store.query("SELECT min(step), count(*) FROM rank_steps", QueryLimits.DEFAULT)
                            .rows())
                    .isEqualTo(List.of(List.of(4L, 700L)));
            assertThat(store.status().removed().values()).containsOnly(0L);
            // an independent connection reads what was written
            Path file = data().objects().resolve(objects.getFirst().key());
            try (Connection other = DriverManager.getConnection("jdbc:duckdb:")) {
                assertThat(
                                Sql.number(
                                        other,
                                        "SELECT count(*) FROM read_parquet(" + Sql.quoted(file.toString())
                                                + ") WHERE duration_nanos = compute_nanos + copy_nanos + exposed_comm_nanos + idle_nanos"))
                        .isEqualTo(100);
            }
            assertThat(file.toFile().length()).isEqualTo(objects.getFirst().bytes());
            for (long at = now; at < now + Tier.PARQUET.age().toNanos() + DAY; at += DAY / 2) {
                store.maintain(at);
            }
            assertThat(store.objects("a", null, 100)).noneMatch(o -> o.key().endsWith("-1.parquet"));
            assertThat(store.status().removed().get("parquet")).isGreaterThanOrEqualTo(3);
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void agesOfTheOtherTiers() throws Exception {
        try (DuckStore store = open(1L << 30)) {
            long number = 0;
            for (int day = 0; day < 420; day++) {
                long at = Batches.EPOCH + day * DAY;
                if (day % 10 != 9) {
                    store.commit(Batches.empty(++number, at)); // time goes on
                    continue;
                }
                Files.writeString(folder.resolve("x"), "0123456789");
                String key = "perfetto/" + day;
                new FolderObjects(data().objects()).put(key, folder.resolve("x"));
                store.commit(new StoreBatch(
                        ++number,
                        at,
                        List.of(new Rows.Job("j" + day, 0, at, at, 8, 1, "")),
                        List.of(new Rows.Rank("j" + day, 0, 0, "n", 0, "")),
                        List.of(new Rows.Step("j", 0, day, at, 1, 1, 0, 1)),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(Batches.incident("j", "i" + day, "open", 1, "s")),
                        List.of(),
                        List.of(new Rows.StoredObject("j", key, "i" + day, "perfetto", 10, at)),
                        Map.of()));
                store.maintain(at);
            }
            assertThat(store.steps("j", 0, 0, 1000, 1000)).hasSizeBetween(3, 5);
            assertThat(store.incidents(null, null, 1000)).hasSizeBetween(37, 41);
            assertThat(store.jobs(1000)).hasSizeBetween(37, 38);
            assertThat(store.ranks("j9", 0)).isEmpty();
            assertThat(store.ranks("j419", 0)).hasSize(1);
            assertThat(store.objects(null, null, 1000)).hasSizeBetween(3, 5);
            assertThat(new FolderObjects(data().objects()).list("", "", 1000)).hasSizeBetween(3, 5);
            Map<String, Long> removed = store.status().removed();
            assertThat(removed.getOrDefault("objects", 0L)
                            + store.objects(null, null, 1000).size())
                    .isEqualTo(42);
            assertThat(removed.getOrDefault("steps", 0L) + store.status().rows().getOrDefault("steps", 0L))
                    .isEqualTo(42);
        }
        try (DuckStore store = open(1L << 30)) {
            assertThat(store.status().removed().get("objects")).isGreaterThan(36);
        }
    }

    /** One that sends much pushes out its own. */
    @Test
    void objectsOfAJobThatHasMostGoFirst() throws Exception {
        long share = Tier.OBJECTS.bytesOf(BUDGET);
        try (DuckStore store = open(BUDGET)) {
            List<Rows.StoredObject> rows = new ArrayList<>();
            rows.add(new Rows.StoredObject("small", "jobs/small/x", "", "perfetto", share / 10, Batches.EPOCH));
            for (int i = 1; i <= 20; i++) {
                rows.add(
                        new Rows.StoredObject("much", "jobs/much/" + i, "", "perfetto", share / 10, Batches.EPOCH + i));
            }
            store.commit(new StoreBatch(
                    1,
                    Batches.EPOCH,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    rows,
                    Map.of()));
            store.maintain(Batches.EPOCH + Batches.SECOND);
            assertThat(store.objects("small", null, 100)).hasSize(1);
            assertThat(store.objects("much", null, 100))
                    .extracting(Rows.StoredObject::key)
                    .hasSize(9)
                    .startsWith("jobs/much/20");
        }
    }

    /** Many times its budget goes through a small store, with jobs and ranks replaced in every batch. */
    @Test
    void theDiskStaysFlat() throws Exception {
        List<Long> sizes = new ArrayList<>();
        List<Long> files = new ArrayList<>();
        int ranks = 8000;
        StoreBatch step = Batches.step(1, Batches.EPOCH, "j", ranks);
        try (DuckStore store = open(BUDGET)) {
            for (long n = 1; n <= 240; n++) {
                long at = Batches.EPOCH + n * 4 * Batches.SECOND;
                List<Rows.Rank> places = new ArrayList<>();
                for (int rank = 0; rank < 500; rank++) {
                    places.add(new Rows.Rank("j", 0, rank, "host" + n + "-" + rank, rank % 8, "GPU-" + n + rank));
                }
                store.commit(new StoreBatch(
                        n,
                        at,
                        step.jobs(),
                        places,
                        step.steps(),
                        step.phases(),
                        step.rankSteps(),
                        List.of(),
                        List.of(Batches.incident("j", "i" + n, "open", 1, "x".repeat(2000))),
                        List.of(),
                        List.of(),
                        Map.of("state", new byte[100_000])));
                if (n % 10 == 0) {
                    store.maintain(at);
                    sizes.add(onDisk());
                    files.add(data().store().resolve("argus.duckdb").toFile().length());
                }
            }
            assertThat(store.status().problem()).isEmpty();
            assertThat(store.status().bytes().get("rank-steps")).isLessThan(Tier.RANK_STEPS.bytesOf(BUDGET) * 3 / 2);
        }
        assertThat(sizes).allMatch(bytes -> bytes <= BUDGET, sizes.toString());
        int half = files.size() / 2;
        long early = files.subList(0, half).stream().mapToLong(x -> x).max().orElseThrow();
        long late = files.subList(half, files.size()).stream()
                .mapToLong(x -> x)
                .max()
                .orElseThrow();
        assertThat(late).as(files.toString()).isLessThanOrEqualTo(early * 5 / 4);
    }

    @Test
    void anObjectStoreThatIsDownLosesNothing() throws Exception {
        boolean[] down = {true};
        FolderObjects real = new FolderObjects(data().objects());
        ObjectStore flaky = new ObjectStore() {
            @Override
            public void put(String key, Path file) throws IOException {
                if (down[0]) {
                    throw new IOException("cannot write '" + key + "': nobody answers");
                }
                real.put(key, file);
            }

            @Override
            public Optional<InputStream> get(String key) throws IOException {
                return real.get(key);
            }

            @Override
            public Optional<Head> head(String key) throws IOException {
                return real.head(key);
            }

            @Override
            public List<Head> list(String prefix, String after, int most) throws IOException {
                return real.list(prefix, after, most);
            }

            @Override
            public void delete(String key) throws IOException {
                real.delete(key);
            }

            @Override
            public void close() {}
        };
        try (DuckStore store = DuckStore.open(data(), 1L << 30, flaky)) {
            for (long n = 1; n <= 9; n++) {
                store.commit(Batches.step(n, Batches.EPOCH + n * Batches.HOUR, "j", 10));
            }
            store.maintain(Batches.EPOCH + 9 * Batches.HOUR);
            assertThat(store.status().problem()).contains("nobody answers");
            assertThat(store.rankSteps("j", 0, 3, 0, 99, 99)).hasSize(9);
            down[0] = false;
            store.maintain(Batches.EPOCH + 9 * Batches.HOUR);
            assertThat(store.status().problem()).isEmpty();
            assertThat(store.objects("j", null, 9)).hasSize(1);
            assertThat(store.rankSteps("j", 0, 3, 0, 99, 99)).hasSize(8);
        }
    }
}
