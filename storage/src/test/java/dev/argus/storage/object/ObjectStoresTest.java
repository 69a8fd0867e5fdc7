package dev.argus.storage.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.storage.DataFolder;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.Rows;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.Tier;
import dev.argus.storage.duck.DuckStore;
import dev.argus.testkit.s3.S3Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A folder and a bucket of a real server behave alike. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectStoresTest {
    private Path folder;
    private S3Server server;

    @BeforeAll
    void start(@TempDir Path made) throws Exception {
        folder = made;
        server = new S3Server(Files.createDirectory(made.resolve("s3")));
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    private Path file(int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return Files.write(folder.resolve("file-" + bytes), content);
    }

    private static byte[] read(ObjectStore store, String key) throws IOException {
        try (InputStream in = store.get(key).orElseThrow()) {
            return in.readAllBytes();
        }
    }

    private void behaves(ObjectStore store) throws Exception {
        assertThat(store.get("a/none")).isEmpty();
        assertThat(store.head("a/none")).isEmpty();
        store.delete("a/none");
        assertThat(store.list("", "", 10)).isEmpty();
        for (String key : List.of("a/2", "a/1", "a/b/c", "ab", "z=1/x.parquet")) {
            store.put(key, file(10));
        }
        store.put("a/2", file(1000)); // replaces
        store.put("empty", file(0));
        store.put("large", file((11 << 20) + 17)); // three parts
        assertThat(read(store, "a/2")).isEqualTo(Files.readAllBytes(file(1000)));
        assertThat(read(store, "empty")).isEmpty();
        assertThat(read(store, "large")).isEqualTo(Files.readAllBytes(file((11 << 20) + 17)));
        assertThat(store.head("large").orElseThrow().bytes()).isEqualTo((11 << 20) + 17);
        assertThat(store.head("a/2").orElseThrow().modifiedMillis()).isGreaterThan(1_700_000_000_000L);
        assertThat(store.list("", "", 100).stream().map(ObjectStore.Head::key))
                .containsExactly("a/1", "a/2", "a/b/c", "ab", "empty", "large", "z=1/x.parquet");
        assertThat(store.list("a", "a/1", 2).stream().map(ObjectStore.Head::key))
                .containsExactly("a/2", "a/b/c");
        assertThat(store.list("a/", "", 100)).hasSize(3);
        assertThat(store.list("a/b", "", 100)).hasSize(1);
        assertThat(store.list("nothing/", "", 100)).isEmpty();
        store.delete("a/b/c");
        assertThat(store.get("a/b/c")).isEmpty();
        for (String wrong : List.of(
                "", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\\b", "a b", "\u00e4", "a\n", "x".repeat(513))) {
            assertThatThrownBy(() -> store.put(wrong, file(10))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.get(wrong)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.head(wrong)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.delete(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> store.list("../", "", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.put("gone", folder.resolve("no-such-file")))
                .isInstanceOf(IOException.class);
        assertThat(store.head("gone")).isEmpty();
    }

    @Test
    void aFolder() throws Exception {
        try (FolderObjects store = new FolderObjects(folder.resolve("objects"))) {
            behaves(store);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("objects"))))
                .isEqualTo("rwx------");
    }

    @Test
    void aBucket() throws Exception {
        try (S3Objects store = new S3Objects(Buckets.of(server, "cluster/one/"), Buckets.CREDENTIALS)) {
            behaves(store);
            try (S3Objects other = new S3Objects(Buckets.of(server, ""), Buckets.CREDENTIALS)) {
                assertThat(other.list("cluster/", "", 1).getFirst().key()).isEqualTo("cluster/one/a/1");
            }
        }
    }

    @Test
    void linksAreNotFollowed() throws Exception {
        Path objects = folder.resolve("linked");
        FolderObjects store = new FolderObjects(objects);
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createSymbolicLink(objects.resolve("folder"), outside);
        Files.createSymbolicLink(objects.resolve("file"), outside.resolve("secret"));
        assertThat(store.get("folder/secret")).isEmpty();
        assertThat(store.get("file")).isEmpty();
        assertThat(store.list("", "", 10)).isEmpty();
        store.delete("folder/secret");
        assertThatThrownBy(() -> store.put("folder/new", file(10))).isInstanceOf(IOException.class);
        store.put("file", file(10)); // replaces the link, not what it leads to
        assertThat(Files.readString(outside.resolve("secret"))).isEqualTo("secret");
        assertThat(outside.resolve("new")).doesNotExist();
        Files.createSymbolicLink(folder.resolve("link"), outside);
        assertThatThrownBy(() -> new FolderObjects(folder.resolve("link"))).isInstanceOf(IOException.class);
    }

    @Test
    void namesAsPartsOfKeys() {
        assertThat(ObjectKeys.part("llama-3.1_run")).isEqualTo("llama-3.1_run");
        assertThat(ObjectKeys.part("../a b")).isEqualTo("=2E.=2Fa=20b");
        assertThat(ObjectKeys.part("")).isEqualTo("=");
        assertThat(ObjectKeys.part("=")).isEqualTo("=3D");
        String one = ObjectKeys.part("\u00e4".repeat(100) + "1");
        assertThat(one).hasSize(120).isNotEqualTo(ObjectKeys.part("\u00e4".repeat(100) + "2"));
        assertThat(ObjectKeys.check("x/" + one + "/" + ObjectKeys.part("..") + "/" + ObjectKeys.part("")))
                .isNotEmpty();
    }

    @Test
    void addresses() {
        S3Address address = S3Address.of(URI.create("s3://argus-test/cluster/one/"), null);
        assertThat(address.bucket()).isEqualTo("argus-test");
        assertThat(address.prefix()).isEqualTo("cluster/one/");
        assertThat(S3Address.of(URI.create("s3://argus-test"), null).prefix()).isEmpty();
        for (String wrong :
                List.of("http://argus-test/", "s3:///x", "s3://A/", "s3://argus-test/a b".replace(" ", "%20"))) {
            assertThatThrownBy(() -> S3Address.of(URI.create(wrong), null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Rank-steps of a store go to the bucket and expire there; while the server is down, nothing is lost and everything is said. */
    @Test
    void aStoreArchivesIntoABucket() throws Exception {
        long hour = 3_600_000_000_000L;
        long begin = 1_790_000_000_000_000_000L;
        S3Server own = new S3Server(Files.createDirectory(folder.resolve("s3-of-a-store")));
        try (S3Objects objects = new S3Objects(Buckets.of(own, "argus/"), Buckets.CREDENTIALS);
                DuckStore store = DuckStore.open(new DataFolder(folder.resolve("data")), 1L << 30, objects)) {
            for (int n = 1; n <= 10; n++) {
                long at = begin + n * hour;
                store.commit(new StoreBatch(
                        n,
                        at,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(new Rows.RankStep("j", 0, n, 0, at, 10, 5, 1, 2, 2)),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of()));
            }
            own.close();
            store.maintain(begin + 10 * hour);
            assertThat(store.status().problem())
                    .contains("cannot write 'parquet/j/", "bucket argus-test at 127.0.0.1", "the service up");
            assertThat(store.rankSteps("j", 0, 0, 0, 99, 99)).hasSize(10);
            own.restart();
            store.maintain(begin + 10 * hour);
            assertThat(store.status().problem()).isEmpty();
            List<Rows.StoredObject> listed = store.objects("j", null, 99);
            assertThat(listed).isNotEmpty();
            assertThat(objects.list("parquet/", "", 99).stream().map(ObjectStore.Head::key))
                    .containsExactlyInAnyOrderElementsOf(
                            listed.stream().map(Rows.StoredObject::key).toList());
            assertThat(store.rankSteps("j", 0, 0, 0, 99, 99)).hasSize(10 - listed.size());
            long late = begin + 10 * hour;
            for (int day = 0; day <= Tier.PARQUET.age().toDays() + 1; day++) {
                late += 24 * hour;
                store.maintain(late);
            }
            assertThat(objects.list("", "", 99))
                    .hasSizeLessThan(10)
                    .noneMatch(h -> h.key().equals(listed.getLast().key()));
            assertThat(store.status().removed().get("parquet")).isGreaterThanOrEqualTo(listed.size());
        } finally {
            own.close();
        }
    }

    @Test
    void whatABucketRefusesIsSaid() throws Exception {
        S3Address wrong = new S3Address(
                "no-such-bucket",
                "",
                server.address(),
                5L << 20,
                Buckets.of(server, "").attempt(),
                Buckets.of(server, "").whole());
        try (S3Objects store = new S3Objects(wrong, Buckets.CREDENTIALS)) {
            assertThatThrownBy(() -> store.put("a", file(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write 'a' in bucket no-such-bucket")
                    .hasMessageContaining("does the bucket exist?");
        }
    }
}
