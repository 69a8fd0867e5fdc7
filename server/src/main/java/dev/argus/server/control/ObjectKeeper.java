package dev.argus.server.control;

import dev.argus.model.SafeText;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.Rows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Brings what belongs to incidents into the object store, beside everything else: one thread, at most {@value #MOST_WAITING} objects that wait; more are dropped and counted.
 */
public final class ObjectKeeper implements AutoCloseable {
    static final int MOST_WAITING = 64;
    private static final long END_SECONDS = 10;
    private static final int KEY_CHARS = 16;

    private final ObjectStore objects;
    private final Path folder;
    private final LongSupplier clock;
    private final BiConsumer<String, Rows.StoredObject> kept;
    private final Consumer<String> problems;
    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor worker;

    /**
     * In front of a store.
     *
     * @param folder where files lie on their way
     * @param clock now, nanoseconds since the Unix epoch
     * @param kept takes the row of each object, with its job
     * @param problems takes sentences for an operator
     */
    public ObjectKeeper(
            ObjectStore objects,
            Path folder,
            LongSupplier clock,
            BiConsumer<String, Rows.StoredObject> kept,
            Consumer<String> problems) {
        this.objects = objects;
        this.folder = folder;
        this.clock = clock;
        this.kept = kept;
        this.problems = problems;
        this.worker = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(MOST_WAITING),
                task -> {
                    Thread thread = new Thread(task, "argus-objects");
                    thread.setDaemon(true);
                    return thread;
                },
                (task, pool) -> dropped.incrementAndGet());
    }

    /** Keeps a text beside an incident, later. */
    public void text(String job, String incident, String name, String kind, String text) {
        worker.execute(() -> {
            try {
                Path file = Files.createTempFile(folder, "object", ".tmp");
                try {
                    Files.writeString(file, text);
                    file(job, incident, name, kind, file);
                } finally {
                    Files.deleteIfExists(file);
                }
            } catch (IOException failed) {
                failed(name, failed);
            }
        });
    }

    /** Keeps a file beside an incident, now. */
    public Rows.StoredObject file(String job, String incident, String name, String kind, Path file) throws IOException {
        String key = key(job, incident, name);
        objects.put(key, file);
        Rows.StoredObject row = new Rows.StoredObject(job, key, incident, kind, Files.size(file), clock.getAsLong());
        kept.accept(job, row);
        return row;
    }

    /** The key of an object: names of jobs are hostile and no names of objects, so a hash stands for them. */
    static String key(String job, String incident, String name) {
        return "jobs/" + hash(job) + "/" + (incident.isEmpty() ? "asked" : hash(incident)) + "/" + name;
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, KEY_CHARS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every JDK has it
        }
    }

    private void failed(String name, IOException why) {
        dropped.incrementAndGet();
        problems.accept("object " + name + " was not kept: " + SafeText.sentence(String.valueOf(why.getMessage())));
    }

    /** Objects that were not kept. */
    public long dropped() {
        return dropped.get();
    }

    @Override
    public void close() {
        worker.shutdown();
        try {
            if (!worker.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                worker.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            worker.shutdownNow();
        }
    }
}
