package dev.argus.hostflink.summaries;

import dev.argus.hostflink.KeptStep;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes files of the steps of the jobs of one task. A file is about so much time of a watch over a job, or less where that is much ({@value #MOST_FILE_BYTES} bytes of rows). It may be stored when a checkpoint that has it as it is, is complete:
 * from there on no failure can make another one of it.
 *
 * <p>Bounded; where there is no room the oldest file goes, counted. Thread-safe: one thread adds, another stores.
 */
final class StepFiles {
    /** Bytes of rows at which a file ends. */
    static final int MOST_FILE_BYTES = 256 << 10;

    private final long everyMillis;
    private final long mostBytes;

    /** What grows, by job and watch. */
    private final Map<Watch, StepFile> open = new TreeMap<>();

    private final Deque<StepFile> full = new ArrayDeque<>();
    private long bytes;
    private long completed = Long.MIN_VALUE;
    private boolean closed;

    private record Watch(String job, long sinceNanos) implements Comparable<Watch> {
        @Override
        public int compareTo(Watch other) {
            int byJob = job.compareTo(other.job);
            return byJob != 0 ? byJob : Long.compare(sinceNanos, other.sinceNanos);
        }
    }

    /**
     * Without any.
     *
     * @param everyMillis time of a job that goes into one file
     * @param mostBytes bytes of rows that are held
     */
    StepFiles(long everyMillis, long mostBytes) {
        this.everyMillis = everyMillis;
        this.mostBytes = mostBytes;
    }

    /** Adds a step; returns how many steps had to go for it. */
    synchronized long add(KeptStep step) {
        long window = Math.floorDiv(step.atMillis(), everyMillis) * everyMillis;
        Watch watch = new Watch(step.job(), step.sinceNanos());
        StepFile file = open.get(watch);
        if (file == null || file.windowMillis() != window || file.bytes() >= MOST_FILE_BYTES) {
            int part = 0;
            if (file != null) {
                if (file.count() > 0) {
                    full.add(file);
                }
                part = file.windowMillis() == window ? file.part() + 1 : 0;
            }
            file = new StepFile(step.job(), step.sinceNanos(), window, part);
            open.put(watch, file);
        }
        long before = file.bytes();
        file.add(step);
        bytes += file.bytes() - before;
        return makeRoom();
    }

    private long makeRoom() {
        long gone = 0;
        while (bytes > mostBytes && !full.isEmpty()) {
            StepFile oldest = full.remove();
            bytes -= oldest.bytes();
            gone += oldest.count();
        }
        if (bytes > mostBytes && !open.isEmpty()) {
            // So many jobs that what grows alone is too much: the largest begins anew.
            Watch first = Collections.max(
                            open.entrySet(),
                            Comparator.comparingLong(e -> e.getValue().bytes()))
                    .getKey();
            StepFile file = open.get(first);
            if (file != null) {
                bytes -= file.bytes();
                gone += file.count();
                // Under the next number: those before may be stored.
                open.put(first, new StepFile(file.job(), file.sinceNanos(), file.windowMillis(), file.part() + 1));
            }
        }
        return gone;
    }

    /** A checkpoint is taken: files about a time that is over, and those that are full, are finished with it. */
    synchronized void finish(long untilMillis, long checkpointId) {
        for (Iterator<StepFile> all = open.values().iterator(); all.hasNext(); ) {
            StepFile file = all.next();
            if (file.windowMillis() + everyMillis <= untilMillis) {
                if (file.count() > 0) {
                    full.add(file);
                }
                all.remove();
            }
        }
        full.stream().filter(f -> !f.isFinished()).forEach(f -> f.finish(checkpointId));
    }

    /** A checkpoint is complete. */
    synchronized void complete(long checkpointId) {
        completed = Math.max(completed, checkpointId);
        notifyAll();
    }

    /** The oldest file to be stored; waits for one. Null once it was closed. */
    synchronized @Nullable StepFile next() throws InterruptedException {
        while (!closed) {
            for (StepFile file : full) {
                if (file.isDue(completed)) {
                    return file;
                }
            }
            wait();
        }
        return null;
    }

    /** A file was stored, or cannot be. */
    synchronized void settled(StepFile file) {
        if (full.remove(file)) {
            bytes -= file.bytes();
        }
    }

    /** Waits so long, or until it is closed. Returns false if it is. */
    synchronized boolean pause(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000L;
        for (long left = millis; left > 0 && !closed; left = (end - System.nanoTime()) / 1_000_000L) {
            wait(left);
        }
        return !closed;
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Bytes of rows that are held. */
    synchronized long bytes() {
        return bytes;
    }

    /** Files that are full and not stored. */
    synchronized int waiting() {
        return full.size();
    }

    // ---------------------------------------------------------------- over a restart

    /** All files, right after {@link #finish}. */
    synchronized List<byte[]> snapshot() {
        List<byte[]> all = new ArrayList<>();
        full.forEach(f -> all.add(f.encode()));
        open.values().forEach(f -> all.add(f.encode()));
        return all;
    }

    /** Takes up a file that was written down. */
    synchronized void restore(StepFile file) {
        bytes += file.bytes();
        if (file.isFinished()) {
            full.add(file);
        } else {
            open.put(new Watch(file.job(), file.sinceNanos()), file);
        }
    }
}
