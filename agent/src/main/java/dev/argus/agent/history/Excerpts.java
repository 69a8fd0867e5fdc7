package dev.argus.agent.history;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.Incident;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.trace.export.ExcerptExport;
import dev.argus.trace.export.PerfettoWriter;
import dev.argus.wire.WireException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts excerpts from the history and writes each as a Perfetto file, on one thread of its own; at most {@value #MOST_WAITING} wait, more are refused.
 *
 * <p>Of the files named as it names them ({@code argus-*.pftrace}) a folder keeps the newest {@value #MOST_FILES}. Files appear whole, by renaming. Memory: the
 * events of one rank at a time, 24 bytes each.
 */
public final class Excerpts implements AutoCloseable {
    /** Excerpts that may wait. */
    public static final int MOST_WAITING = 16;

    /** Files that a folder keeps. */
    public static final int MOST_FILES = 128;

    private static final String PREFIX = "argus-";
    private static final String SUFFIX = ".pftrace";
    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final long CLOSE_SECONDS = 2;

    private final RawHistory history;
    private final ThreadPoolExecutor thread;

    /** From a history. */
    public Excerpts(RawHistory history) {
        this.history = history;
        this.thread =
                new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), work -> {
                    Thread t = new Thread(work, "argus-excerpts");
                    t.setDaemon(true);
                    return t;
                });
        thread.setCorePoolSize(1);
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * What is wanted.
     *
     * @param file where to
     * @param job the job, null for any
     * @param attempt attempt, -1 for all
     * @param ranks ranks, empty for all of this host
     * @param fromNanos begin, nanoseconds since the Unix epoch
     * @param untilNanos end
     * @param incidents marked in it
     */
    public record Wish(
            Path file,
            @Nullable String job,
            int attempt,
            RankSet ranks,
            long fromNanos,
            long untilNanos,
            List<Incident> incidents) {
        /** Copies defensively. */
        public Wish {
            incidents = List.copyOf(incidents);
        }
    }

    /**
     * What became of it.
     *
     * @param file where it lies
     * @param ranks ranks in it
     * @param slices intervals in it
     * @param bytes its length
     * @param problem why there is none, in a sentence; empty when there is one
     */
    public record Written(Path file, RankSet ranks, long slices, long bytes, String problem) {}

    /** Name of the file of something, whatever characters that has. */
    public static String fileName(String of) {
        String safe = of.replaceAll("[^A-Za-z0-9_.-]", "_");
        return PREFIX + safe.substring(0, Math.min(safe.length(), 100)) + SUFFIX;
    }

    /** Begins to write an excerpt; called by the thread of the history. What goes wrong is said in the result. */
    public CompletableFuture<Written> write(Wish wish) {
        List<RawHistory.Part> parts = history.parts(wish.job, wish.ranks, wish.fromNanos, wish.untilNanos).stream()
                .filter(p -> wish.attempt < 0 || p.about().attempt() == wish.attempt)
                .toList();
        if (parts.isEmpty()) {
            return CompletableFuture.completedFuture(
                    refused(wish, "the history has nothing of these ranks and this time"));
        }
        try {
            return CompletableFuture.supplyAsync(() -> written(wish, parts), thread);
        } catch (RejectedExecutionException full) {
            return CompletableFuture.completedFuture(
                    refused(wish, MOST_WAITING + " excerpts are being written already; try again later"));
        }
    }

    private static Written refused(Wish wish, String why) {
        return new Written(wish.file, RankSet.EMPTY, 0, 0, why);
    }

    private static Written written(Wish wish, List<RawHistory.Part> parts) {
        Path file = wish.file.toAbsolutePath();
        Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
        try {
            Files.deleteIfExists(fresh);
            Set<Integer> ranks = new TreeSet<>();
            long slices;
            try (FileChannel channel = FileChannel.open(
                            fresh,
                            NEW,
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                    OutputStream stream = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
                slices = export(wish, parts, stream, ranks);
            }
            if (slices == 0) {
                Files.deleteIfExists(fresh);
                return refused(wish, "the history has nothing of these ranks and this time any more");
            }
            long bytes = Files.size(fresh);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            prune(file);
            return new Written(file, RankSet.of(ranks), slices, bytes, "");
        } catch (IOException full) {
            try {
                Files.deleteIfExists(fresh);
            } catch (IOException ignored) {
                // overwritten the next time
            }
            String said = full.getMessage() == null ? full.getClass().getSimpleName() : full.getMessage();
            return refused(wish, "it cannot be written: " + said);
        }
    }

    private static long export(Wish wish, List<RawHistory.Part> parts, OutputStream stream, Set<Integer> ranks)
            throws IOException {
        // a rank's parts together, the newest word on its groups last
        Map<String, List<RawHistory.Part>> byRank = new TreeMap<>();
        Set<Integer> attempts = new TreeSet<>();
        for (RawHistory.Part p : parts) {
            HistoryAbout a = p.about();
            attempts.add(a.attempt());
            byRank.computeIfAbsent(
                            String.format("%08d %08d %s", a.rank(), a.attempt(), a.job()), k -> new ArrayList<>())
                    .add(p);
        }
        NameTable names = new NameTable();
        try (PerfettoWriter out = new PerfettoWriter(stream, names, wish.fromNanos, true)) {
            ExcerptExport export = new ExcerptExport(out, names, wish.fromNanos, wish.untilNanos, attempts.size() > 1);
            for (List<RawHistory.Part> of : byRank.values()) {
                HistoryAbout about = of.getLast().about();
                boolean any = export.rank(about.attempt(), about.header(), sink -> {
                    for (RawHistory.Part p : of) {
                        read(p, wish, names, sink);
                    }
                });
                if (any) {
                    ranks.add(about.rank());
                }
            }
            export.incidents(wish.incidents);
            export.end();
            return out.slices();
        }
    }

    private static void read(RawHistory.Part part, Wish wish, NameTable names, TraceEventSink sink) {
        try {
            HistoryFile.read(part.path(), part.bytes(), body -> {
                if (body.readByte() == EventBlock.TYPE) {
                    EventBlockReader block = new EventBlockReader(body);
                    if (block.overlaps(wish.fromNanos, wish.untilNanos)) {
                        block.read(names, sink);
                    }
                }
            });
        } catch (IOException | WireException gone) {
            // the ring went on while the excerpt was cut: what is there is shown
        }
    }

    /** Keeps the newest. */
    private static void prune(Path file) throws IOException {
        Path folder = file.getParent();
        TreeMap<String, Path> byAge = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, PREFIX + "*" + SUFFIX)) {
            for (Path p : all) {
                byAge.put(String.format("%020d", Files.getLastModifiedTime(p).toMillis()) + p, p);
            }
        }
        while (byAge.size() > MOST_FILES) {
            Path oldest = byAge.pollFirstEntry().getValue();
            if (!oldest.equals(file)) {
                Files.deleteIfExists(oldest);
            }
        }
    }

    /** Finishes what has begun, as far as some seconds are enough. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
