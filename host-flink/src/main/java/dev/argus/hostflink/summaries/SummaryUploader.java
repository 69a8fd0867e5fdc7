package dev.argus.hostflink.summaries;

import dev.argus.model.SafeText;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.Rows;
import dev.argus.storage.duck.ParquetFiles;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.flink.metrics.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores files that are due, in one thread, each until the store has it: after waits of a second up to a minute where it is away. A file that is stored again has the same name and the same rows. */
final class SummaryUploader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SummaryUploader.class);
    private static final long FIRST_WAIT_MILLIS = 1000;
    private static final long MOST_WAIT_MILLIS = 60_000;
    private static final long END_MILLIS = 30_000;

    /**
     * What is counted.
     *
     * @param stored objects
     * @param failures tries that failed
     * @param lost steps of files that could not be read
     */
    record Counts(Counter stored, Counter failures, Counter lost) {}

    private final StepFiles files;
    private final ObjectStore store;
    private final Path folder;
    private final Counts counts;
    private final Thread thread;
    private boolean told;

    /**
     * Begins to store.
     *
     * @param store where to; closed with this
     * @param folder a folder of its own for the file in the making; removed with this
     */
    SummaryUploader(StepFiles files, ObjectStore store, Path folder, Counts counts) {
        this.files = files;
        this.store = store;
        this.folder = folder;
        this.counts = counts;
        this.thread = Thread.ofPlatform().daemon().name("argus-summaries").start(this::run);
    }

    private void run() {
        long wait = FIRST_WAIT_MILLIS;
        while (true) {
            try (ParquetFiles parquet = ParquetFiles.into(folder)) {
                for (StepFile file = files.next(); file != null; file = files.next()) {
                    store(file, parquet);
                    wait = FIRST_WAIT_MILLIS;
                }
                return;
            } catch (IOException | RuntimeException | LinkageError failed) {
                try {
                    failed(failed);
                    if (!files.pause(wait / 2 + ThreadLocalRandom.current().nextLong(wait / 2 + 1))) {
                        return;
                    }
                    wait = Math.min(2 * wait, MOST_WAIT_MILLIS);
                } catch (InterruptedException closed) {
                    Thread.currentThread().interrupt();
                    return;
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void failed(Throwable why) {
        counts.failures().inc();
        if (!told) {
            told = true;
            LOG.warn(
                    "steps cannot be stored and it is tried again: {}",
                    SafeText.of(String.valueOf(why.getMessage()), 500));
        }
    }

    private void store(StepFile file, ParquetFiles parquet) throws IOException {
        List<Rows.Step> steps = new ArrayList<>();
        List<Rows.Phase> phases = new ArrayList<>();
        try {
            file.read(steps, phases);
        } catch (WireException damaged) {
            counts.lost().inc(file.count());
            files.settled(file);
            return;
        }
        Path made = folder.resolve("made.parquet");
        try {
            if (!phases.isEmpty()) {
                parquet.phases(phases, made);
                store.put(file.key("phases"), made);
                counts.stored().inc();
            }
            parquet.steps(steps, made);
            store.put(file.key("steps"), made);
            counts.stored().inc();
        } finally {
            Files.deleteIfExists(made);
        }
        files.settled(file);
        if (told) {
            told = false;
            LOG.warn("steps can be stored again");
        }
    }

    @Override
    public void close() throws IOException {
        files.close();
        thread.interrupt();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt(); // it is a daemon, and ends by itself
        }
        store.close();
        Files.deleteIfExists(folder.resolve("made.parquet"));
        Files.deleteIfExists(folder);
    }
}
