package dev.argus.storage.duck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.storage.DataFolder;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.object.FolderObjects;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that commits, checkpoints, archives and drops is killed (SIGKILL) at random moments: every batch it said it kept is there, whole, with its state; the one after it is there whole or not at all. More kills:
 * {@code -Dargus.kills=50}.
 */
class CrashTest {
    private static final int KILLS = Integer.getInteger("argus.kills", 4);

    @TempDir
    Path folder;

    @Test
    void whatWasKeptSurvives() throws Exception {
        Random random = new Random(4711);
        long kept = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            long end = kept + 1 + random.nextInt(40);
            kept = Math.max(kept, runUntil(end, random.nextInt(30_000_000)));
            check(kept);
        }
    }

    /** Runs until a batch is kept, and a bit longer; returns the last one that was said to be kept. */
    private long runUntil(long number, long nanosLonger) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledStore.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long last = 0;
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = Long.parseLong(line);
                if (last >= number) {
                    java.util.concurrent.locks.LockSupport.parkNanos(nanosLonger);
                    process.toHandle().destroyForcibly();
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(last).isGreaterThanOrEqualTo(number);
        return last;
    }

    private void check(long kept) throws Exception {
        DataFolder data = new DataFolder(folder);
        try (DuckStore store =
                DuckStore.open(data, DuckStore.LEAST_BUDGET_BYTES * 4, new FolderObjects(data.objects()))) {
            long now = store.committed();
            assertThat(now).isBetween(kept, kept + 1);
            assertThat(new String(store.state().get("cursor"), StandardCharsets.UTF_8))
                    .isEqualTo(Long.toString(now));
            assertThat(store.query("SELECT count(*), max(step) FROM steps", QueryLimits.DEFAULT)
                            .rows())
                    .isEqualTo(List.of(List.of(now, now)));
            List<?> ranks = store.query(
                            "SELECT count(*) - 2000 * count(DISTINCT step), max(step) FROM rank_steps",
                            QueryLimits.DEFAULT)
                    .rows()
                    .getFirst();
            assertThat(ranks).isEqualTo(List.of(0L, now));
        }
    }
}
