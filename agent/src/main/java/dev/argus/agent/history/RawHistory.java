package dev.argus.agent.history;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import dev.argus.model.TraceHeader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The raw events of the last minutes of all ranks of this host, in files of one folder: a ring by bytes, the oldest file goes first.
 *
 * <p>What holds: events that were {@link #flush}ed are there after this process was killed, and for the next one; a torn end costs the block it lies in.
 * The files have at most the stated bytes together. A disk that takes nothing costs history, never more: it is tried again after a while, and said once.
 *
 * <p>Blocks of {@value RankHistory#BLOCK_BYTES} bytes wait in memory, one a rank. One thread; a folder is used by one process at a time.
 */
public final class RawHistory implements AutoCloseable {
    /** Bytes of all files, unless said otherwise. */
    public static final long DEFAULT_BYTES = 64 << 20;

    /** Least bytes that are of use. */
    public static final long LEAST_BYTES = 1 << 20;

    private static final String SUFFIX = ".events";
    private static final long SECOND = 1_000_000_000L;
    private static final long FLUSH_NANOS = 5 * SECOND;

    /** A file of a rank that writes little is closed in time, so that the oldest file is that of the oldest events. */
    private static final long FILE_NANOS = 60 * SECOND;

    private static final long RETRY_NANOS = 30 * SECOND;
    private static final int FILES_OF_BOUND = 64;
    private static final int MOST_FILES = 8192;
    private static final int MOST_RANKS = 2048;

    private final Path folder;
    private final long mostBytes;
    private final long fileBytes;
    private final NameTable names;
    private final FileChannel lock;
    private final TreeMap<Long, HistoryFile> files = new TreeMap<>();
    private final Map<String, RankHistory> ranks = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private long next;
    private long bytes;
    private long lostBlocks;
    private long nowNanos;
    private long flushedNanos = Long.MIN_VALUE;
    private long offUntilNanos = Long.MIN_VALUE;
    private boolean off;

    private RawHistory(Path folder, long mostBytes, NameTable names, FileChannel lock) {
        this.folder = folder;
        this.mostBytes = mostBytes;
        this.fileBytes = Math.max(RankHistory.BLOCK_BYTES, mostBytes / FILES_OF_BOUND);
        this.names = names;
        this.lock = lock;
    }

    /**
     * Opens the history in a folder with what an earlier process left.
     *
     * @param folder a folder of this user alone
     * @param mostBytes most bytes of all files, at least {@link #LEAST_BYTES}
     * @param names table that the events' name ids are of
     * @throws IOException if it cannot be used, or another process uses it
     */
    public static RawHistory open(Path folder, long mostBytes, NameTable names) throws IOException {
        if (mostBytes < LEAST_BYTES) {
            throw new IllegalArgumentException("history of " + mostBytes + " bytes, expected at least " + LEAST_BYTES);
        }
        FileChannel lock = FileChannel.open(
                folder.resolve("lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        try {
            FileLock held = lock.tryLock();
            if (held == null) {
                throw new OverlappingFileLockException();
            }
            RawHistory history = new RawHistory(folder, mostBytes, names, lock);
            history.recover();
            return history;
        } catch (OverlappingFileLockException used) {
            lock.close();
            throw new IOException(
                    "the history " + folder + " is used by another process; stop it, or give another folder");
        } catch (IOException unusable) {
            lock.close();
            throw unusable;
        }
    }

    private void recover() throws IOException {
        Map<Long, Path> found = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path path : all) {
                String name = String.valueOf(path.getFileName());
                if (name.matches("[0-7][0-9a-f]{15}\\.events")) {
                    found.put(HexFormat.fromHexDigitsToLong(name, 0, 16), path);
                }
            }
        }
        for (Map.Entry<Long, Path> e : found.entrySet()) {
            next = Math.max(next, e.getKey() + 1);
            HistoryFile file = HistoryFile.recover(e.getValue());
            if (file == null) {
                Files.deleteIfExists(e.getValue());
            } else {
                files.put(e.getKey(), file);
                bytes += file.bytes;
            }
        }
        makeRoom(0);
    }

    /**
     * Takes the events of a rank from now on; what it had before of another attempt stays in the files.
     *
     * @param header says who it is by now
     */
    public TraceEventSink rank(String job, int attempt, int rank, Supplier<TraceHeader> header) {
        String key = rank + "|" + job;
        RankHistory before = ranks.remove(key);
        if (before != null) {
            write(before);
            end(before);
        }
        if (ranks.size() >= MOST_RANKS) {
            Map.Entry<String, RankHistory> gone = ranks.entrySet().iterator().next();
            write(gone.getValue());
            end(gone.getValue());
            ranks.remove(gone.getKey());
        }
        RankHistory history = new RankHistory(this, job, attempt, rank, header, names);
        ranks.put(key, history);
        return history;
    }

    private static void end(RankHistory rank) {
        HistoryFile file = rank.file();
        rank.file(null);
        if (file != null) {
            file.close();
        }
    }

    /** Time has passed: now and then what waits in memory is written. */
    public void tick(long epochNanos) {
        nowNanos = epochNanos;
        if (flushedNanos == Long.MIN_VALUE || epochNanos - flushedNanos >= FLUSH_NANOS) {
            flush();
        }
    }

    /** Writes what waits in memory. */
    public void flush() {
        flushedNanos = nowNanos;
        ranks.values().forEach(this::write);
    }

    void write(RankHistory rank) {
        EventBlock block = rank.block();
        if (block.isEmpty()) {
            return;
        }
        long first = block.firstNanos();
        long last = block.lastNanos();
        byte[] body = block.take();
        if (off && nowNanos < offUntilNanos) {
            lostBlocks++;
            return;
        }
        try {
            append(rank, body, first, last);
            off = false;
        } catch (IOException full) {
            lostBlocks++;
            end(rank);
            if (!off) {
                problem("the history of raw events has a gap: " + folder + " takes nothing (" + full.getMessage()
                        + "); free some space");
            }
            off = true;
            offUntilNanos = nowNanos + RETRY_NANOS;
        }
    }

    private void append(RankHistory rank, byte[] body, long first, long last) throws IOException {
        HistoryFile file = rank.file();
        HistoryAbout about = rank.about();
        if (file != null
                && (!file.isOpen()
                        || file.bytes >= fileBytes
                        || first - file.firstNanos >= FILE_NANOS
                        || !file.about.equals(about))) {
            end(rank);
            file = null;
        }
        makeRoom(body.length + (long) HistoryFile.FRAME_BYTES);
        if (file != null && !file.isOpen()) {
            file = null; // the bound is so small that it went, too
        }
        if (file == null) {
            long number = next++;
            file = HistoryFile.create(folder.resolve(HexFormat.of().toHexDigits(number) + SUFFIX), about);
            files.put(number, file);
            bytes += file.bytes;
            rank.file(file);
        }
        long before = file.bytes;
        file.append(body);
        bytes += file.bytes - before;
        file.firstNanos = Math.min(file.firstNanos, first);
        file.lastNanos = Math.max(file.lastNanos, last);
    }

    private void makeRoom(long needed) {
        while (!files.isEmpty() && (bytes + needed > mostBytes || files.size() >= MOST_FILES)) {
            HistoryFile oldest = files.pollFirstEntry().getValue();
            bytes -= oldest.bytes;
            oldest.delete();
        }
    }

    private void problem(String text) {
        if (problems.size() < 16) {
            problems.add(SafeText.sentence(text));
        }
    }

    // ---------------------------------------------------------------- what is known

    /**
     * The part of a file that holds what was known at one moment.
     *
     * @param path file
     * @param about whose
     * @param bytes length then
     */
    record Part(Path path, HistoryAbout about, long bytes) {}

    /**
     * Files with events of a time, oldest first, everything written that waited in memory.
     *
     * @param job job, null for any
     * @param wanted ranks, empty for all
     */
    List<Part> parts(@Nullable String job, RankSet wanted, long fromNanos, long untilNanos) {
        flush();
        List<Part> parts = new ArrayList<>();
        for (HistoryFile f : files.values()) {
            boolean asked =
                    (job == null || job.equals(f.about.job())) && (wanted.isEmpty() || wanted.contains(f.about.rank()));
            if (asked && f.firstNanos <= untilNanos && f.lastNanos >= fromNanos) {
                parts.add(new Part(f.path, f.about, f.bytes));
            }
        }
        return parts;
    }

    /** Ranks of a job that events are taken of. */
    public RankSet ranks(String job) {
        return RankSet.of(
                files.values().stream().filter(f -> f.about.job().equals(job)).mapToInt(f -> f.about.rank()));
    }

    /** Bytes of all files. */
    public long bytes() {
        return bytes;
    }

    /** Most bytes of all files. */
    public long mostBytes() {
        return mostBytes;
    }

    /** Begin of the oldest event, nanoseconds since the Unix epoch; {@link Long#MAX_VALUE} when there is none. */
    public long oldestNanos() {
        return files.values().stream().mapToLong(f -> f.firstNanos).min().orElse(Long.MAX_VALUE);
    }

    /** Blocks that the disk did not take. */
    public long lostBlocks() {
        return lostBlocks;
    }

    /** What went wrong, each once. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    @Override
    public void close() throws IOException {
        flush();
        ranks.values().forEach(RawHistory::end);
        ranks.clear();
        lock.close();
    }
}
